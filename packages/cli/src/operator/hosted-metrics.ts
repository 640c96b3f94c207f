import { type Clock, stalledAfter } from '@windlass/core'
import type { CacheFollower, Metrics } from '@windlass/kube'

/** Whoever runs one of these is asked how hosted clusters are. */
const concerned: ReadonlySet<string> = new Set(['hosted-cluster', 'hosted-control-plane', 'status-bridge', 'control-plane-version'])

export interface HostedMetricsParts {
  readonly clock: Clock
  readonly metrics: Metrics
  /** How much faster than real ones clusters are, where they are simulated: what takes too long does so that much sooner. */
  readonly speed: number
}

/** Metrics of hosted clusters, where controllers of hosted clusters run. */
export async function hostedMetrics(
  controllers: readonly { readonly name: string }[],
  { clock, metrics, speed }: HostedMetricsParts,
): Promise<readonly CacheFollower[]> {
  if (!controllers.some(({ name }) => concerned.has(name))) return []
  const { hostedClusterMetrics } = await import('@windlass/hosted')
  const made = hostedClusterMetrics({ clock, stalledAfter: stalledAfter / speed })
  metrics.add(made)
  return [made]
}
