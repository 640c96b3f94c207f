import { capi, Node } from '@windlass/api'
import type { ConfigMap, Namespace, Pod, Secret } from '@windlass/api'
import { type Action, patch, refOf } from '@windlass/kube'
import { tokenSecretName } from '../names.ts'
import { decoded } from '../token/index.ts'
import { Annotation, NodeAnnotation, PoolAnnotation } from '../wire.ts'
import { drainVerb } from './drain.ts'
import { isDegraded, isUnavailable, isUpdating, needsUpgrade, nodeStateOf } from './node-state.ts'
import { daemonActions, daemonRemoval } from './daemons.ts'

export interface ObservedMachineSet {
  readonly machineSet: capi.MachineSet
  /** `token-<set>-<target>`. */
  readonly tokenSecret: Secret | undefined
  /** Owned by the set. */
  readonly machines: readonly capi.Machine[]
  /** Of the guest, by name. */
  readonly nodes: ReadonlyMap<string, Node>
  /** Of the guest: where the daemons run. */
  readonly namespace: Namespace | undefined
  readonly configMap: ConfigMap | undefined
  readonly pods: readonly Pod[]
  /** The image of the daemon. */
  readonly daemonImage: string
}

/**
 * What is to be done on the two clusters, in this order. That an upgrade is under way is said before any node is sent, so that whoever comes next knows of it; what
 * `management` says has happened in the guest by then.
 */
export interface UpgraderPlan {
  readonly announcement?: readonly Action[]
  readonly guest: readonly Action[]
  readonly management: readonly Action[]
  readonly requeueAfter?: number
  readonly waitingFor?: string
  readonly error?: string
}

const untilPayload = 5000
const untilNextLook = 30_000

/** A machine and the node that it became. */
interface Member {
  readonly machine: capi.Machine
  readonly node: Node
}

/**
 * Whether there is something to do: another configuration is asked for than the set has, or the set went back to the one that it had while its nodes were on their
 * way to another. Some of them are there then.
 */
export function isAsked({ metadata: { annotations = {} } }: capi.MachineSet): boolean {
  const target = annotations[Annotation.targetConfigVersion]
  const isUnderWay = [Annotation.upgradeInProgress, Annotation.upgradeFailed].some((name) => annotations[name] !== undefined)
  return target !== undefined && (target !== annotations[PoolAnnotation.currentConfigVersion] || isUnderWay)
}

/**
 * Brings the nodes of a MachineSet to the configuration that is requested of it, a few at a time.
 *
 * What is surprising: without nodes it is complete at once. A machine that has a node which is not seen is no machine without a node: it is waited for. And
 * nodes that are on their way to an older target are sent on to the new one, whatever the capacity: they are away already.
 */
export function decideUpgrade(observed: ObservedMachineSet): UpgraderPlan {
  const { machineSet, tokenSecret, machines } = observed
  const { name = '', annotations = {} } = machineSet.metadata
  const target = annotations[Annotation.targetConfigVersion]
  const current = annotations[PoolAnnotation.currentConfigVersion] ?? ''
  if (target === undefined || !isAsked(machineSet)) return { guest: [], management: [] }
  const secretName = tokenSecretName(name, target)
  if (tokenSecret === undefined)
    return failure(`MachineSet ${name}: Secret ${secretName} is not there; it holds the configuration to upgrade to`)
  const payload = decoded(tokenSecret, 'payload')
  if (payload === undefined) {
    return { guest: [], management: [], requeueAfter: untilPayload, waitingFor: `the payload in Secret ${secretName}` }
  }
  const version = decoded(tokenSecret, 'release-version')
  if (version === undefined)
    return failure(`MachineSet ${name}: Secret ${secretName} does not say release-version; delete it, and it is made anew`)
  const members = membersOf(observed)
  const unseen = unseenNodes(observed)
  const unfinished = members.filter(({ node }) => needsUpgrade(node, current, target))
  const finished = members.filter((member) => !unfinished.includes(member))
  if (unfinished.length === 0 && unseen.length === 0) {
    return { guest: daemonRemoval(observed), management: [...annotated(machines, version), completed(machineSet, target)] }
  }
  const degraded = unfinished.find(({ node }) => isDegraded(node))
  if (degraded !== undefined) {
    const text = `Node ${degraded.node.metadata.name ?? ''} in nodepool degraded: ${nodeStateOf(degraded.node).reason}`
    return {
      guest: [],
      management: told(machineSet, { [Annotation.upgradeFailed]: text, [Annotation.upgradeInProgress]: null }),
      error: text,
    }
  }
  const total = members.length + unseen.length
  const text = `Nodepool update in progress. Target Config version: ${target}. Total Nodes: ${total}. Upgraded: ${finished.length}`
  return {
    announcement: told(machineSet, { [Annotation.upgradeInProgress]: text, [Annotation.upgradeFailed]: null }),
    guest: [
      ...daemonActions(
        observed,
        unfinished.map(({ node }) => node),
        payload,
        target,
      ),
      ...sentOn({ members, unfinished, unseen: unseen.length, target }, maxUnavailableOf(machineSet)),
      ...unfinished.flatMap(({ node }) => calledBack(node, current, target)),
    ],
    management: annotated(
      finished.map(({ machine }) => machine),
      version,
    ),
    requeueAfter: untilNextLook,
    waitingFor: remaining(target, total, finished, unseen),
  }
}

/** What there is to wait for, and which nodes others wait for that have arrived. */
function remaining(target: string, total: number, finished: readonly Member[], unseen: readonly string[]): string {
  const hidden = unseen.length === 0 ? '' : `, among them ${unseen.join(', ')}, which the guest does not show`
  const closed = finished.flatMap(({ node }) => (isUnavailable(node) ? [node.metadata.name ?? ''] : []))
  const away = closed.length === 0 ? '' : `; closed or not ready, and so counted as away: ${closed.join(', ')}`
  return `${total - finished.length} of ${total} nodes to get to configuration ${target}${hidden}${away}`
}

function failure(error: string): UpgraderPlan {
  return { guest: [], management: [], error }
}

/** In the order of their names, so that the same nodes are chosen each time. */
function membersOf({ machines, nodes }: ObservedMachineSet): readonly Member[] {
  const members = machines.flatMap((machine) => {
    const node = nodes.get(machine.status?.nodeRef?.name ?? '')
    return node === undefined ? [] : [{ machine, node }]
  })
  return members.toSorted((a, b) => ((a.node.metadata.name ?? '') < (b.node.metadata.name ?? '') ? -1 : 1))
}

/**
 * Nodes that machines are said to have become, and that the guest does not show: they may have any configuration. Those of machines on their way out will not
 * come back.
 */
function unseenNodes({ machines, nodes }: ObservedMachineSet): readonly string[] {
  return machines.flatMap(({ metadata, status }) => {
    const name = status?.nodeRef?.name
    return name === undefined || metadata.deletionTimestamp !== undefined || nodes.has(name) ? [] : [name]
  })
}

interface Way {
  readonly members: readonly Member[]
  readonly unfinished: readonly Member[]
  readonly unseen: number
  readonly target: string
}

/**
 * Tells as many nodes to go as may be away, and those that are on their way elsewhere to come along.
 *
 * Away is every node that was sent and has not come to the end, which is when it is open again, and every other one that nothing can be started on. Of
 * the latter those that have to go anyway are sent first: nobody misses them more than before.
 */
function sentOn({ members, unfinished, unseen, target }: Way, maxUnavailable: number): readonly Action[] {
  const isSent = ({ node }: Member): boolean => isUpdating(node) || nodeStateOf(node).desired === target
  const sent = unfinished.filter(isSent)
  const astray = sent.filter(({ node }) => nodeStateOf(node).desired !== target)
  const others = members.filter((member) => !sent.includes(member))
  const closed = others.filter(({ node }) => isUnavailable(node))
  const idle = others.filter((member) => unfinished.includes(member))
  const first = idle.filter((member) => closed.includes(member)).slice(0, room(maxUnavailable - sent.length))
  const next = idle.filter((member) => !closed.includes(member)).slice(0, room(maxUnavailable - sent.length - closed.length - unseen))
  return [...astray, ...first, ...next].map(({ node }) =>
    patch(
      Node,
      refOf(node),
      { metadata: { annotations: { [NodeAnnotation.desiredConfig]: target } } },
      `it is its turn to go to configuration ${target}`,
    ),
  )
}

/**
 * A node may be called back to the configuration that it has when it was on its way to another one. Nobody would finish that: by what the node says it is where
 * it should be, so its daemon does nothing, and it stays closed.
 *
 * A drain that is not done is taken back: the daemon waits for it, so it has changed nothing yet, and a budget that the drain waits for may be why somebody goes back.
 * After a drain, what the node says is not known to be true any more; without it, the daemon looks at the disk, and goes on from there.
 */
function calledBack(node: Node, currentOfSet: string, target: string): readonly Action[] {
  const { current, desired, desiredDrain, lastAppliedDrain } = nodeStateOf(node)
  const isBack = desired === target && (current === '' ? currentOfSet : current) === target
  if (!isBack || drainVerb(desiredDrain) !== 'drain' || desiredDrain === `drain-${target}`) return []
  const annotations = {
    ...(current === '' ? {} : { [NodeAnnotation.currentConfig]: null }),
    // Without what was done before: the same text may stand there, and would seem to be done.
    ...(desiredDrain === lastAppliedDrain
      ? {}
      : { [NodeAnnotation.desiredDrain]: `uncordon-${target}`, [NodeAnnotation.lastAppliedDrain]: null }),
  }
  if (Object.keys(annotations).length === 0) return []
  return [patch(Node, refOf(node), { metadata: { annotations } }, `it is called back to configuration ${target}`)]
}

function room(places: number): number {
  return Math.max(0, places)
}

function maxUnavailableOf({ metadata }: capi.MachineSet): number {
  const count = Number(metadata.annotations?.[Annotation.maxUnavailable] ?? '1')
  return Number.isInteger(count) && count > 0 ? count : 1
}

/** Only as they were seen: one that seems to have no node may have become one that was not seen yet, and nothing is complete then. */
function annotated(machines: readonly capi.Machine[], version: string): readonly Action[] {
  return machines
    .filter(({ metadata }) => metadata.annotations?.[Annotation.releaseVersion] !== version)
    .map((machine) =>
      patch(
        capi.Machine,
        refOf(machine),
        { metadata: { annotations: { [Annotation.releaseVersion]: version } } },
        `its node has been upgraded to ${version}`,
        { ifStill: machine },
      ),
    )
}

/** Written last: whoever reads it may rely on everything else. */
function completed(machineSet: capi.MachineSet, target: string): Action {
  const annotations = {
    [PoolAnnotation.currentConfigVersion]: target,
    [Annotation.upgradeInProgress]: null,
    [Annotation.upgradeFailed]: null,
  }
  return patch(capi.MachineSet, refOf(machineSet), { metadata: { annotations } }, `every node has configuration ${target}`)
}

function told(machineSet: capi.MachineSet, annotations: Readonly<Record<string, string | null>>): readonly Action[] {
  const before = machineSet.metadata.annotations ?? {}
  const isSaid = Object.entries(annotations).every(([key, value]) => (before[key] ?? null) === value)
  return isSaid ? [] : [patch(capi.MachineSet, refOf(machineSet), { metadata: { annotations } }, 'this is how far the upgrade is')]
}
