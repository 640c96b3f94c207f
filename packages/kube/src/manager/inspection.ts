import type { CacheDescription } from '../cache/cache.ts'
import type { ClusterStatus } from '../clusters/status.ts'
import type { ControllerRunner } from '../controller/runtime.ts'
import type { Metrics } from '../metrics/index.ts'
import type { HealthCheck } from './health.ts'
import type { Runnable } from './runnable.ts'

/** A process as its endpoints show it. */
export interface Inspection {
  readonly checks: readonly HealthCheck[]
  readonly caches: readonly CacheDescription[]
  readonly controllers: readonly ControllerRunner[]
  readonly clusters: readonly ClusterStatus[]
  /** Undefined when nobody counts. */
  readonly metrics: Pick<Metrics, 'contentType' | 'pieces'> | undefined
}

/** Looks after other clusters, and can tell about them. */
interface ClusterKeeper extends Runnable {
  statuses(): readonly ClusterStatus[]
}

export function isController(runnable: Runnable): runnable is ControllerRunner {
  return 'history' in runnable && 'queue' in runnable && 'kind' in runnable
}

export function keepsClusters(runnable: Runnable): runnable is ClusterKeeper {
  return 'statuses' in runnable
}
