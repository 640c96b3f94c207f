import { type JsonObject, type MachineConfigPool, Node } from '@windlass/api'
import { findCondition, type Instant, parseTime } from '@windlass/core'
import { type Action, done, equalJson, patch, type Plan, plan, refOf, requeueAfter, status, wait } from '@windlass/kube'
import { atSpeed } from '../../profile/index.ts'
import { complaints, injected, type Injection, injectionsOf, slowness, withoutInjection } from '../injections/index.ts'
import { annotationOf } from '../machine-config/index.ts'
import { type ClusterStep, type Settings, takes, untilNext } from '../settings.ts'
import { conditionsOf, nodeInfoAt } from './kubelet.ts'
import { annotate, cordoned, isTainted, phaseOf, type Phase, sinceOf, uncordoned } from './update.ts'

export interface Observed {
  readonly node: Node
  /** The pool that it is in; undefined when none selects it. */
  readonly pool: MachineConfigPool | undefined
  /** The release of the config that it should have; undefined when the config does not say. */
  readonly version: string | undefined
  /** Whether it is the only node, so that its Pods could not move anywhere. */
  readonly isAlone: boolean
  readonly clusterID: string
  readonly settings: Settings
}

type Injections = readonly Injection<'Node'>[]

/** What the machine config daemon of a node does next, and what its kubelet says. */
export function decide(observed: Observed, now: Instant): Plan {
  const { node, settings } = observed
  if (node.metadata.deletionTimestamp !== undefined) return done
  const { injections, problems } = injectionsOf('Node', node)
  const told = complaints(node, problems)
  const end = endOf(node, injections, settings)
  if (end !== undefined && end.at <= now) return plan(...told, healed(node, end.injection))
  const phase = phaseOf(node)
  const move = moves[phase](observed, injections, now)
  const conditions = conditionsOf(node, move.isSilent === true, injections, now)
  const nodeInfo = move.nodeInfo ?? node.status?.nodeInfo
  const isSame = conditions === node.status?.conditions && equalJson(nodeInfo, node.status.nodeInfo)
  // One write at a time, and only over what was seen: a second daemon with old news must not take a node that is done back to the start.
  const write = isSame
    ? patched(node, move, phase)
    : status(Node, node, { conditions, nodeInfo }, 'this is what its kubelet says', { ifUnchanged: true })
  return plan(
    ...told,
    write,
    requeueAfter(untilNext(now, [move.at, end?.at, isSame || move.patch === undefined ? undefined : now + 1])),
    move.waitingFor === undefined ? undefined : wait(move.waitingFor),
  )
}

function patched(node: Node, { patch: body, reason }: Move, phase: Phase): Action | undefined {
  return body === undefined ? undefined : patch(Node, refOf(node), body, reason ?? `it is ${phase}`, { ifStill: node })
}

/** What comes next for a node. */
interface Move {
  readonly patch?: JsonObject
  readonly reason?: string
  /** Its kubelet says nothing. */
  readonly isSilent?: boolean
  readonly nodeInfo?: ReturnType<typeof nodeInfoAt>
  /** When there is more to do. */
  readonly at?: Instant
  readonly waitingFor?: string
}

type Rule = (observed: Observed, injections: Injections, now: Instant) => Move

/** A node takes these steps in this order. The drain itself is somebody else's: `drain.ts`. */
const moves: Readonly<Record<Phase, Rule>> = {
  /** One that has just joined was made with the config of its pool. */
  new({ pool }, _, now) {
    const config = pool?.spec.configuration?.name
    if (config === undefined) return pool === undefined ? {} : { waitingFor: `a config of pool ${pool.metadata.name ?? ''}` }
    const drain = `uncordon-${config}`
    const says = { currentConfig: config, desiredConfig: config, state: 'Done', reason: '', desiredDrain: drain, lastAppliedDrain: drain }
    return { patch: annotate(says, now), reason: `it came with the config of pool ${pool?.metadata.name ?? ''}` }
  },

  idle({ node }, injections, now) {
    return degraded(node, injections, now) ?? tainted(node, now) ?? {}
  },

  targeted(observed, injections, now) {
    const { node } = observed
    const stopped = degraded(node, injections, now)
    if (stopped !== undefined) return stopped
    const at = sinceOf(node, now) + length(observed, 'react', injections)
    if (at > now) return { at }
    const config = annotationOf(node, 'desiredConfig')
    const says = { state: 'Working', desiredDrain: `drain-${config}`, ...(observed.isAlone ? { lastAppliedDrain: `drain-${config}` } : {}) }
    return { patch: { ...annotate(says, now), ...cordoned(node, now) }, reason: `it goes to ${config}` }
  },

  draining({ node }, injections, now) {
    return degraded(node, injections, now) ?? { waitingFor: 'its drain' }
  },

  drained(observed, injections, now) {
    const { node } = observed
    const stopped = degraded(node, injections, now)
    if (stopped !== undefined) return stopped
    const at = sinceOf(node, now) + length(observed, 'apply', injections)
    return at > now ? { at } : { patch: annotate({ state: 'Rebooting' }, now), reason: 'its files are in place' }
  },

  rebooting(observed, injections, now) {
    const { node, version } = observed
    const since = sinceOf(node, now)
    const goes = since + length(observed, 'shutdown', injections)
    const returns = Math.max(goes, since + length(observed, 'reboot', injections))
    const isHeld = injected(injections, 'not-ready') !== undefined
    if (now < goes) return { at: goes }
    if (now < returns || isHeld) return { isSilent: true, ...(now < returns ? { at: returns } : {}), waitingFor: 'it to come back' }
    const config = annotationOf(node, 'desiredConfig')
    const says = { currentConfig: config, state: 'Done', reason: '', desiredDrain: `uncordon-${config}` }
    const { name = '' } = node.metadata
    return {
      patch: annotate(says, now),
      reason: 'it is back',
      nodeInfo: nodeInfoAt(version ?? '', name, config, node.status?.nodeInfo),
    }
  },

  back(observed, injections, now) {
    const { node } = observed
    const at = sinceOf(node, now) + length(observed, 'uncordon', injections)
    if (at > now) return { at }
    const says = { lastAppliedDrain: annotationOf(node, 'desiredDrain') }
    return { patch: { ...annotate(says, now), ...uncordoned(node) }, reason: 'Pods may come again' }
  },
}

function length({ node, clusterID, settings }: Observed, step: ClusterStep, injections: Injections): number {
  return takes(settings, step, `${clusterID}/${node.metadata.name ?? ''}/${annotationOf(node, 'desiredConfig')}`) * slowness(injections)
}

/** The daemon fails, or goes on after it has. A drain that failed is not forgotten here: it ends with the drain. */
function degraded(node: Node, injections: Injections, now: Instant): Move | undefined {
  const injection = injected(injections, 'degraded')
  const isDegraded = annotationOf(node, 'state') === 'Degraded'
  if (injection !== undefined)
    return isDegraded
      ? { waitingFor: 'its config daemon' }
      : { patch: annotate({ state: 'Degraded', reason: failure }), reason: 'its config daemon fails' }
  if (!isDegraded || annotationOf(node, 'reason') !== failure) return undefined
  const isThere = annotationOf(node, 'currentConfig') === annotationOf(node, 'desiredConfig')
  return {
    patch: isThere ? annotate({ state: 'Done', reason: '' }) : annotate({ state: 'Working', reason: '' }, now),
    reason: 'its config daemon goes on',
  }
}

const failure = 'unexpected on-disk state validating against the rendered config: content mismatch for file "/etc/kubernetes/kubelet.conf"'

/** Whoever cordons a node by hand sets a field; the taint follows, and goes with it. */
function tainted(node: Node, now: Instant): Move | undefined {
  const isCordoned = node.spec.unschedulable === true
  if (isCordoned === isTainted(node)) return undefined
  return {
    patch: isCordoned ? cordoned(node, now) : uncordoned(node),
    reason: isCordoned ? 'it is cordoned' : 'it is not cordoned any more',
  }
}

/** An injection that lasts for a time, and when that is over. */
function endOf(
  { status: reported }: Node,
  injections: Injections,
  settings: Settings,
): { readonly injection: Injection; readonly at: Instant } | undefined {
  const injection = injected(injections, 'not-ready')
  const ready = findCondition(reported?.conditions, 'Ready')
  const since = parseTime(ready?.lastTransitionTime)
  if (injection?.for === undefined || ready?.status !== 'False' || since === undefined) return undefined
  return { injection, at: since + atSpeed(settings, injection.for) }
}

function healed(node: Node, over: Injection): Action {
  return patch(Node, refOf(node), { metadata: { annotations: withoutInjection(node, over) } }, `the time of "${over.text}" is over`)
}
