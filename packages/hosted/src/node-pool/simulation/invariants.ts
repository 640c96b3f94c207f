import { capi, Node, NodePool } from '@windlass/api'
import { isTrue } from '@windlass/core'
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

/** No more nodes than this were told to go somewhere and are not there, or are closed: one that is back is away until it is open again. */
export function awayAtMost(count: number, pool = 'workers'): Invariant {
  const isAway = ({ metadata: { annotations = {} }, spec }: Node): boolean =>
    spec.unschedulable === true ||
    (annotations[NodeAnnotation.desiredConfig] !== undefined &&
      annotations[NodeAnnotation.desiredConfig] !== annotations[NodeAnnotation.currentConfig])
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
