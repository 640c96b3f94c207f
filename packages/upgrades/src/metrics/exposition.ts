import type { ClusterVersion, UpgradeConfig } from '@windlass/api'
import type { Gauge, Registry } from 'prom-client'
import type { Seen } from '../observed/seen.ts'
import type { GaugeBoard } from './board.ts'
import { collect, collectorMetrics } from './collector.ts'
import { gauges } from './gauges.ts'
import type { Sample } from './series.ts'

/** Puts the gauges of the operator into a registry, filled in when somebody reads it. */
export async function exposeGauges(board: GaugeBoard, registry: Registry): Promise<void> {
  const { Gauge } = await import('prom-client')
  for (const [name, { help, labels }] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      collect(this: Gauge) {
        fill(
          this,
          board.series.values().filter((sample) => sample.name === name),
        )
      },
    })
  }
}

/** What the collector derives from, read at each scrape. */
export interface CollectorView {
  readonly upgradeConfig: Seen<UpgradeConfig | undefined>
  readonly clusterVersion: Seen<ClusterVersion>
}

/** Puts what is derived from the UpgradeConfig into a registry. It is looked at once for each scrape, whatever the number of metrics. */
export async function exposeCollector(look: () => Promise<CollectorView>, registry: Registry): Promise<void> {
  const { Gauge } = await import('prom-client')
  let looking: Promise<readonly Sample[]> | undefined
  const samples = (): Promise<readonly Sample[]> =>
    (looking ??= look()
      .then(({ upgradeConfig, clusterVersion }) => collect(upgradeConfig, clusterVersion))
      .finally(() => (looking = undefined)))
  for (const { name, labels, help } of collectorMetrics) {
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect(this: Gauge) {
        const found = await samples()
        fill(
          this,
          found.filter((sample) => sample.name === name),
        )
      },
    })
  }
}

/** The same in a registry of its own, for who serves it apart from everything else. */
export async function collectorRegistry(look: () => Promise<CollectorView>): Promise<Registry> {
  const { Registry } = await import('prom-client')
  const registry = new Registry()
  await exposeCollector(look, registry)
  return registry
}

function fill(gauge: Gauge, samples: Iterable<Sample>): void {
  gauge.reset()
  for (const { labels, value } of samples) gauge.set({ ...labels }, value)
}
