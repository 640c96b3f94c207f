import { type JsonObject, Node } from '@windlass/api'
import { type Instant, parseTime } from '@windlass/core'
import { failingWith, type MachineFailure, slownessOf } from '../failures.ts'
import { type Settings, takes } from '../settings.ts'
import { NodeAnnotation } from '../wire.ts'

type Says = Partial<Record<keyof typeof NodeAnnotation, string>>

/** What the daemon that upgrades a node in place does next. */
export interface DaemonStep {
  /** Annotations that it writes. */
  readonly patch?: JsonObject
  /** The node runs another version from now on: that of this configuration. */
  readonly restartedTo?: string
  readonly at?: Instant
}

const nothing: DaemonStep = {}

/**
 * Takes a node to the configuration that is asked of it: has it drained, changes and restarts it, has it opened again. It reads where it is from what
 * the node says, and does nothing where it does not run: `hasDaemon`.
 */
export function daemonStep(
  node: Node,
  hasDaemon: boolean,
  failures: readonly MachineFailure[],
  settings: Settings,
  now: Instant,
): DaemonStep {
  const says = (key: keyof typeof NodeAnnotation): string => node.metadata.annotations?.[NodeAnnotation[key]] ?? ''
  const [current, desired, state] = [says('currentConfig'), says('desiredConfig'), says('state')]
  const [wanted, applied] = [says('desiredDrain'), says('lastAppliedDrain')]
  if (desired === '') return nothing
  if (desired === current) return state === 'Done' || wanted !== applied ? nothing : write({ state: 'Done', reason: '' })
  if (!hasDaemon || failingWith(failures, 'mcd-stuck') !== undefined) return nothing
  const degraded = failingWith(failures, 'mcd-degraded')
  if (degraded !== undefined)
    return state === 'Degraded' ? nothing : write({ state: 'Degraded', reason: degraded.reason ?? 'it cannot be updated' })
  if (wanted !== `drain-${desired}`) return write({ state: 'Working', reason: '', desiredDrain: `drain-${desired}` })
  if (wanted !== applied) return state === 'Working' ? nothing : write({ state: 'Working', reason: '' })
  if (state !== 'Rebooting') return write({ state: 'Rebooting', reason: '' }, now)
  const { name = '' } = node.metadata
  const at = (parseTime(says('since')) ?? now) + takes(settings, 'apply', `${name}/${desired}`, slownessOf(failures))
  if (now < at) return { at }
  return { ...write({ state: 'Working', currentConfig: desired, desiredDrain: `uncordon-${desired}` }), restartedTo: desired }
}

/** Its kubelet says nothing while it restarts. */
export function isRestarting({ metadata: { annotations } }: Node): boolean {
  return (
    annotations?.[NodeAnnotation.state] === 'Rebooting' &&
    annotations[NodeAnnotation.currentConfig] !== annotations[NodeAnnotation.desiredConfig]
  )
}

function write(says: Says, since?: Instant): DaemonStep {
  const all: Says = since === undefined ? says : { ...says, since: new Date(since).toISOString() }
  const annotations = Object.fromEntries(
    Object.entries(all).map(([key, text]) => [NodeAnnotation[key as keyof typeof NodeAnnotation], text]),
  )
  return { patch: { metadata: { annotations } } }
}
