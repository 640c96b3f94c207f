import { systemClock as clock } from '@windlass/core'
import { defaultSettings, hostedClusterFamilies, nodePoolFamilies, nodePoolMetrics } from '@windlass/hosted'
import { nodeStateMetrics } from '@windlass/insights'
import { createMetrics } from '@windlass/kube'
import { collectorMetrics, gauges } from '@windlass/upgrades'

/** A metric, as the code declares it. */
export interface KnownMetric {
  readonly name: string
  readonly labels: readonly string[]
}

/** Every metric that an operator of ours can expose, by the chapter of docs/metrics.md that it belongs to; without those of Node itself. */
export async function knownMetrics(): Promise<Readonly<Record<string, readonly KnownMetric[]>>> {
  const registered = async (put: (metrics: ReturnType<typeof createMetrics>) => Promise<unknown>): Promise<readonly KnownMetric[]> => {
    const metrics = createMetrics()
    const registry = await metrics.registry()
    const others = new Set<unknown>(registry.getMetricsAsArray())
    await put(metrics)
    // What is registered are metrics; the library's types say that they are descriptions of them, which lack labels.
    const all = registry.getMetricsAsArray() as unknown as readonly { readonly name: string; readonly labelNames: readonly string[] }[]
    return all.filter((metric) => !others.has(metric)).map(({ name, labelNames }) => ({ name, labels: labelNames }))
  }
  const own = (await createMetrics().registry()).getMetricsAsArray() as unknown as readonly {
    readonly name: string
    readonly labelNames: readonly string[]
  }[]
  const described = (of: Readonly<Record<string, { readonly labels: readonly string[] }>>): readonly KnownMetric[] =>
    Object.entries(of).map(([name, { labels }]) => ({ name, labels }))
  return {
    'Hosted clusters': described(hostedClusterFamilies),
    'Node pools': [
      ...described(nodePoolFamilies),
      ...(await registered((metrics) => nodePoolMetrics(clock, metrics, defaultSettings.skew))),
    ],
    'Managed upgrades': [...described(gauges), ...collectorMetrics.map(({ name, labels }) => ({ name, labels }))],
    Insights: await registered(async (metrics) => nodeStateMetrics(clock, await metrics.registry())),
    Controllers: own.map(({ name, labelNames }) => ({ name, labels: labelNames })),
  }
}

/** Those that only a process has, and not a simulation. */
export const ofProcesses: readonly string[] = ['process_resident_memory_bytes', 'windlass_event_loop_lag_seconds']
