import type { UpgradeConfig } from '@windlass/api'
import { parseTime, shortDuration } from '@windlass/core'
import { type OperatorConfig, poolProgress } from '@windlass/upgrades'
import type { ClusterSeen } from './reading.ts'

/** How long an upgrade will take once its checks have passed, in minutes. */
export interface ExpectedTime {
  readonly controlPlaneMinutes: number
  /** What that is taken from: how long the last update took, or, on a cluster that never had one, what the configuration allows. */
  readonly controlPlaneFrom: 'last update' | 'configuration'
  readonly workers: number
  readonly minutesPerWorker: number
  readonly totalMinutes: number
  /** When all of it takes as long as the operator is patient. */
  readonly longestMinutes: number
}

type Spec = UpgradeConfig['spec']

/** Workers are updated one after the other, as the silence for them is reckoned. */
export function expectedTime(spec: Spec, seen: ClusterSeen): ExpectedTime {
  const { config } = seen
  const lastUpdate = lastUpdateMinutes(seen)
  const controlPlaneMinutes = lastUpdate ?? config['maintenance.controlPlaneTime']
  const workers = workersOf(seen)
  const minutesPerWorker = config['nodeDrain.expectedNodeDrainTime']
  const scaling = spec.capacityReservation === true ? config['scale.timeOut'] : 0
  return {
    controlPlaneMinutes,
    controlPlaneFrom: lastUpdate === undefined ? 'configuration' : 'last update',
    workers,
    minutesPerWorker,
    totalMinutes: controlPlaneMinutes + workers * minutesPerWorker,
    longestMinutes: scaling + config['maintenance.controlPlaneTime'] + (workers * longestPerNode(spec, config)) / 60_000,
  }
}

/** How long the newest update took that came to its end. What was completed first of all is the installation, which is no update. */
function lastUpdateMinutes({ clusterVersion }: ClusterSeen): number | undefined {
  const completed = (clusterVersion.status?.history ?? []).filter(({ state }) => state === 'Completed')
  const [newest] = completed.slice(0, -1)
  const [start, end] = [parseTime(newest?.startedTime), parseTime(newest?.completionTime)]
  return start === undefined || end === undefined || end <= start ? undefined : Math.ceil((end - start) / 60_000)
}

export function workersOf({ workers }: ClusterSeen): number {
  return workers === undefined ? 0 : poolProgress(workers).machines
}

/** How long a worker may take before somebody is alerted, in milliseconds. */
export function longestPerNode({ PDBForceDrainTimeout }: Spec, config: OperatorConfig): number {
  return (Math.max(PDBForceDrainTimeout, config['nodeDrain.timeOut']) + config['nodeDrain.expectedNodeDrainTime']) * 60_000
}

export function expectedLine(expected: ExpectedTime): string {
  const { controlPlaneMinutes, controlPlaneFrom, workers, minutesPerWorker, totalMinutes, longestMinutes } = expected
  const source = controlPlaneFrom === 'last update' ? 'as the last update' : 'as configured'
  const parts = `control plane ${inMinutes(controlPlaneMinutes)}, ${source}; ${workers} workers, ${inMinutes(minutesPerWorker)} each`
  return `about ${inMinutes(totalMinutes)} (${parts}); at most ${inMinutes(longestMinutes)} before somebody is alerted`
}

function inMinutes(minutes: number): string {
  return shortDuration(minutes * 60_000)
}
