import { once } from 'node:events'
import type { Clock } from '@windlass/core'
import { nodeStateMetrics, type NodeStateMetrics } from '@windlass/insights'
import type { Client, Metrics, Runnable } from '@windlass/kube'
import { exposeCollector, exposeGauges, GaugeBoard } from '@windlass/upgrades'
import { collectorView } from '../../operator/upgrades.ts'
import { upgradeHome } from './objects.ts'

/** What is counted about the classic cluster. It outlives the cluster, which may go and come again. */
export interface ClassicMetrics {
  readonly gauges: GaugeBoard
  readonly nodes: NodeStateMetrics
  /** To be run as long as the cluster is there: what is asked of it at each scrape is asked by this client. */
  ask(client: Client): Runnable
}

/** Puts the metrics of managed upgrades and of insights beside those of everything else. */
export async function classicMetrics(clock: Clock, metrics: Pick<Metrics, 'registry'>): Promise<ClassicMetrics> {
  const registry = await metrics.registry()
  const gauges = new GaugeBoard()
  let asked: Client | undefined
  await exposeGauges(gauges, registry)
  await exposeCollector(async () => (asked === undefined ? noCluster : collectorView(asked, upgradeHome)), registry)
  return {
    gauges,
    nodes: await nodeStateMetrics(clock, registry),
    ask: (client) => ({
      name: 'metrics',
      needsLeadership: false,
      async run(signal) {
        asked = client
        if (!signal.aborted) await once(signal, 'abort')
        asked = undefined
      },
    }),
  }
}

/** Nothing to derive, which is no problem. */
const noCluster = { upgradeConfig: { value: undefined }, clusterVersion: { problem: 'there is no classic cluster' } } as const
