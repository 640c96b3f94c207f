import { capi, HostedCluster, Node, NodePool, Secret } from '@windlass/api'
import { activeVersionsOf, isBefore, isTrue, kubernetesMinor, parseTime, tryParseVersion, type Version } from '@windlass/core'
import type { Invariant, StateReader } from '@windlass/kube/simulation'
import { Annotation, NodeAnnotation } from '../wire.ts'

const home = 'clusters-prod'
const isReady = ({ metadata, status }: capi.Machine): boolean =>
  metadata.deletionTimestamp === undefined && isTrue(status?.conditions, 'NodeHealthy')

const machinesOf = (state: StateReader, pool: string): readonly capi.Machine[] =>
  state.list(capi.Machine, { namespace: home }).filter(({ metadata }) => metadata.annotations?.[Annotation.nodePool] === `clusters/${pool}`)

/** There are never more machines than this, those that are being deleted among them. */
export function atMost(count: number, pool = 'workers'): Invariant {
  return {
    name: `there are at most ${count} machines`,
    of: capi.Machine,
    holds: (_, state) => machinesOf(state, pool).length <= count || `there are ${machinesOf(state, pool).length}`,
  }
}

/** From when there were so many for the first time, there are never fewer that work, until somebody deletes the pool. */
export function availableAtLeast(count: number, pool = 'workers'): Invariant {
  let hasBeen = false
  return {
    name: `at least ${count} machines work, once they did`,
    of: capi.Machine,
    holds(_, state) {
      const isGoing = state.get(NodePool, { namespace: 'clusters', name: pool })?.metadata.deletionTimestamp !== undefined
      if (isGoing) return true
      const available = machinesOf(state, pool).filter(isReady).length
      hasBeen ||= available >= 3
      return !hasBeen || available >= count || `${available} work`
    },
  }
}

/**
 * No more nodes than this were told to go somewhere and are not there. That is what an upgrade in place counts as unavailable: a node that is back, and not yet open
 * again, is not counted.
 */
export function awayAtMost(count: number, pool = 'workers'): Invariant {
  const isAway = ({ metadata: { annotations = {} } }: Node): boolean =>
    annotations[NodeAnnotation.desiredConfig] !== undefined &&
    annotations[NodeAnnotation.desiredConfig] !== annotations[NodeAnnotation.currentConfig]
  return {
    name: `at most ${count} nodes are away`,
    of: Node,
    holds(_, state) {
      const own = new Set(machinesOf(state, pool).map(({ metadata }) => metadata.name))
      const away = state.list(Node, { cluster: home }).filter((node) => own.has(node.metadata.name) && isAway(node)).length
      return away <= count || `${away} are`
    },
  }
}

/** The oldest version that an API server of the cluster may run right now. */
function lowestIn(state: StateReader): Version | undefined {
  const { status = {} } = state.get(HostedCluster, { namespace: 'clusters', name: 'prod' }) ?? {}
  return activeVersionsOf(status)?.reduce((lowest, version) => (isBefore(version, lowest) ? version : lowest))
}

/** No machine starts with a version above this one: that of the oldest API server that may still run, unless told. */
export function neverAbove(version: (state: StateReader) => string | undefined = (state) => lowestIn(state)?.text): Invariant {
  return {
    name: 'no machine is above its control plane',
    of: capi.Machine,
    holds(write, state) {
      const runs = tryParseVersion(write.as(capi.Machine)?.metadata.annotations?.['simulator.windlass.dev/booted-version'])
      const limit = tryParseVersion(version(state))
      return (
        runs === undefined || limit === undefined || !isBefore(limit, runs) || `it runs ${runs.text} and the control plane ${limit.text}`
      )
    },
  }
}

/** No kubelet is newer than the oldest API server that may still run, however its node got there. */
export const kubeletNeverAbove: Invariant = {
  name: 'no kubelet is newer than its API server',
  of: Node,
  holds(write, state) {
    const text = write.as(Node)?.status?.nodeInfo?.kubeletVersion ?? ''
    const minor = Number(/^v1\.(\d+)\./.exec(text)?.[1])
    const lowest = lowestIn(state)
    if (Number.isNaN(minor) || lowest === undefined) return true
    return minor <= kubernetesMinor(lowest) || `it is ${text} and the control plane may run ${lowest.text}`
  },
}

/** Nothing of a machine outlives it: what became of it is gone before it is. */
export const neverLeaked: Invariant = {
  name: 'every node has its machine',
  of: capi.Machine,
  holds(_, state) {
    const machines = new Set(state.list(capi.Machine, { namespace: home }).map(({ metadata }) => metadata.name))
    const lost = state
      .list(Node, { cluster: home })
      .find(({ metadata }) => !machines.has(metadata.annotations?.[NodeAnnotation.machine] ?? ''))
    return lost === undefined || `${lost.metadata.name ?? ''} has none`
  },
}

/** A token that is no longer wanted is given two hours, and no more: the mark never moves away, but for a pool that goes back to it. */
export function neverProlonged(): Invariant {
  const marks = new Map<string, number>()
  return {
    name: 'no token gets more time',
    of: Secret,
    holds(write) {
      const { uid = '', annotations } = write.as(Secret)?.metadata ?? {}
      const expires = parseTime(annotations?.[Annotation.tokenExpires])
      const before = marks.get(uid)
      if (expires === undefined) marks.delete(uid)
      else marks.set(uid, expires)
      return expires === undefined || before === undefined || expires <= before || `it was good until ${before} and is until ${expires}`
    },
  }
}

/** Every Machine is of a pool. */
export const neverOrphaned: Invariant = {
  name: 'every machine says whose it is',
  of: capi.Machine,
  holds: (write) => write.object.metadata.annotations?.[Annotation.nodePool] !== undefined || 'it does not',
}
