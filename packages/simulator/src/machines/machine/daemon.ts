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
 * Takes a node to the configuration that is asked of it: has it drained, changes and restarts it, has it opened again. What it has is on its disk; what the node says
 * of it is for others. It does nothing where it does not run: `hasDaemon`.
 *
 * As on real nodes, a node that says that it is where it should be is left as it is, closed or not. And what was written to the disk stays there, though something else
 * is asked while the node restarts.
 */
export function daemonStep(
  node: Node,
  hasDaemon: boolean,
  failures: readonly MachineFailure[],
  settings: Settings,
  now: Instant,
): DaemonStep {
  const says = (key: keyof typeof NodeAnnotation): string => node.metadata.annotations?.[NodeAnnotation[key]] ?? ''
  const [current, desired, state, disk] = [says('currentConfig'), says('desiredConfig'), says('state'), says('disk')]
  if (state === 'Rebooting') {
    const { name = '' } = node.metadata
    const at = (parseTime(says('since')) ?? now) + takes(settings, 'apply', `${name}/${disk}`, slownessOf(failures))
    return now < at ? { at } : { ...write({ state: 'Working' }), restartedTo: disk }
  }
  const request = says('desiredDrain')
  if (!hasDaemon || failingWith(failures, 'mcd-stuck') !== undefined) return nothing
  if (request !== says('lastAppliedDrain') || desired === '' || desired === current) return nothing
  const degraded = failingWith(failures, 'mcd-degraded')
  if (degraded !== undefined)
    return state === 'Degraded' ? nothing : write({ state: 'Degraded', reason: degraded.reason ?? 'it cannot be updated' })
  if (disk === desired) return write({ state: 'Done', reason: '', currentConfig: desired, desiredDrain: `uncordon-${desired}` })
  if (request !== `drain-${desired}`) return write({ state: 'Working', reason: '', desiredDrain: `drain-${desired}` })
  return write({ state: 'Rebooting', reason: '', disk: desired }, now)
}

/** Its kubelet says nothing while it restarts. */
export function isRestarting({ metadata: { annotations } }: Node): boolean {
  return annotations?.[NodeAnnotation.state] === 'Rebooting'
}

function write(says: Says, since?: Instant): DaemonStep {
  const all: Says = since === undefined ? says : { ...says, since: new Date(since).toISOString() }
  const annotations = Object.fromEntries(
    Object.entries(all).map(([key, text]) => [NodeAnnotation[key as keyof typeof NodeAnnotation], text]),
  )
  return { patch: { metadata: { annotations } } }
}
