import { capi } from '@windlass/api'
import { isTrue, isBefore, parseVersion, tryParseVersion } from '@windlass/core'
import type { Invariant, StateReader } from '@windlass/kube/simulation'
import { Annotation } from '../wire.ts'

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

/** From when there were so many for the first time, there are never fewer that work. */
export function availableAtLeast(count: number, pool = 'workers'): Invariant {
  let hasBeen = false
  return {
    name: `at least ${count} machines work, once they did`,
    of: capi.Machine,
    holds(_, state) {
      const available = machinesOf(state, pool).filter(isReady).length
      hasBeen ||= available >= 3
      return !hasBeen || available >= count || `${available} work`
    },
  }
}

/** No machine runs a version above that of the lowest API server that may still run. */
export function neverAbove(version: () => string): Invariant {
  return {
    name: 'no machine is above its control plane',
    of: capi.Machine,
    holds(write) {
      const runs = tryParseVersion(write.as(capi.Machine)?.metadata.annotations?.['simulator.windlass.dev/booted-version'])
      return runs === undefined || !isBefore(parseVersion(version()), runs) || `it runs ${runs.text} and the control plane ${version()}`
    },
  }
}

/** Every Machine is of a pool. */
export const neverOrphaned: Invariant = {
  name: 'every machine says whose it is',
  of: capi.Machine,
  holds: (write) => write.object.metadata.annotations?.[Annotation.nodePool] !== undefined || 'it does not',
}
