import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { systemClock as clock } from '@windlass/core'
import { createMetrics } from '@windlass/kube'
import { serveEndpoints } from '../../../packages/kube/src/manager/endpoints.ts'
import type { Bench } from '../../bench.ts'
import { goals } from '../../goals.ts'
import type { Scrape } from '../../load/scraper.ts'
import { Fleet } from './fleet.ts'
import { Pools, poolsOfEach } from './pools.ts'

/**
 * How long a scrape takes of hosted clusters with all their components and of their node pools, as one operator serves them, and what a change of one costs: at 10,000
 * clusters and 30,000 pools, and against a tenth of that.
 */
export async function measureMetrics(bench: Bench): Promise<void> {
  const sizes = bench.settings.isQuick ? [100, 1000] : [1000, 10_000]
  const scrapes: { readonly clusters: number; readonly milliseconds: number; readonly event: number }[] = []
  for (const clusters of sizes) scrapes.push({ clusters, ...(await measureSize(bench, clusters)) })
  const [small, large] = scrapes
  if (small === undefined || large === undefined) return
  const each = (of: typeof small): number => of.milliseconds / of.clusters
  bench.add({ name: 'scrape, each cluster, most to least', value: each(large) / each(small), unit: 'x', goal: goals.growth })
  bench.add({ name: 'change of an object, most to least', value: large.event / small.event, unit: 'x', goal: goals.growth })
}

async function measureSize(bench: Bench, count: number): Promise<{ readonly milliseconds: number; readonly event: number }> {
  const fleet = new Fleet(count)
  const metrics = createMetrics()
  metrics.add(fleet.metrics)
  const pools = await Pools.told(metrics, fleet.clusters)
  const inspection = { checks: [], caches: [], controllers: [], clusters: [], metrics }
  const endpoints = await serveEndpoints(() => inspection, { clock, metrics: { port: 0 } })
  const worker = new Worker(join(import.meta.dirname, '../../load/scraper.ts'))
  const scrape = async (url: string): Promise<Scrape> => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a thread, no window
    worker.postMessage(url)
    const [answer]: unknown[] = await once(worker, 'message')
    return answer as Scrape
  }
  const url = `${endpoints.urls[0] ?? ''}/metrics`
  try {
    const shown = (of: number): string => of.toLocaleString('en-US')
    const label = `metrics of ${shown(count)} clusters and ${shown(count * poolsOfEach)} pools`
    const first = await scrape(url)
    bench.add({ name: `${label}, first scrape`, value: first.milliseconds, unit: 'ms', goal: goals.scrape })
    const delays = monitorEventLoopDelay({ resolution: 1 })
    delays.enable()
    const again = await best(bench, () => scrape(url))
    delays.disable()
    const bare = await bareScrape(bench, await metrics.text(), scrape)
    bench.add({
      name: `${label}, nothing changed`,
      value: again,
      unit: 'ms',
      goal: goals.scrape,
      baseline: { what: 'the same bytes', value: bare },
    })
    bench.add({ name: `${label}, longest stall`, value: delays.max / 1e6, unit: 'ms', goal: goals.stall })
    const busy = await best(bench, () => {
      fleet.upgradeSome(count / 10)
      pools.upgradeSome((count * poolsOfEach) / 10)
      return scrape(url)
    })
    bench.add({ name: `${label}, a tenth changed`, value: busy, unit: 'ms', goal: goals.scrape })
    bench.add({ name: `${label}, size`, value: first.bytes / 2 ** 20, unit: 'MB' })
    const event = fleet.eventCost(bench)
    bench.add({ name: `${label}, change of an object`, value: event, unit: 'us' })
    return { milliseconds: again, event }
  } finally {
    await worker.terminate()
    await endpoints.close()
    fleet.stop.abort()
  }
}

async function best(bench: Bench, scrape: () => Promise<Scrape>): Promise<number> {
  let milliseconds = Infinity
  for (let round = 0; round < bench.rounds; round++) milliseconds = Math.min(milliseconds, (await scrape()).milliseconds)
  return milliseconds
}

/** Node's own server, with the text at hand. */
async function bareScrape(bench: Bench, text: string, scrape: (url: string) => Promise<Scrape>): Promise<number> {
  const server = createServer((_, response) => response.end(text)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const milliseconds = await best(bench, () => scrape(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
  server.closeAllConnections()
  server.close()
  return milliseconds
}
