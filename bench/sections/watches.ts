import type { Credentials } from '../../test/support/windlass.ts'
import type { Bench } from '../bench.ts'
import { goals } from '../goals.ts'
import type { ServerProcess } from '../server.ts'

const manyWatchers = 100

export async function measureWatches(bench: Bench, server: ServerProcess, bare: Credentials, suffix: string): Promise<void> {
  const { generator, settings } = bench
  const writes = settings.isQuick ? 500 : 1000
  for (const watchers of [1, manyWatchers]) {
    const { afterAnswer, afterSending } = await generator.run('watchLatency', {
      at: server,
      watchers,
      writes: writes / (watchers === 1 ? 1 : 5),
    })
    const name = `watch ${suffix}, ${watchers === 1 ? 'one watcher' : `${watchers} watchers`}`
    bench.add({ name: `${name}, answer to event, p50`, value: afterAnswer.p50, unit: 'ms' })
    bench.add({ name: `${name}, answer to event, p99`, value: afterAnswer.p99, unit: 'ms', goal: goals.watchSlow })
    bench.add({ name: `${name}, write to event, p99`, value: afterSending.p99, unit: 'ms', goal: goals.watchSlow })
  }
  const measure = async (at: Credentials) => {
    const result = await generator.run('fanOut', { at, watchers: manyWatchers, writes: writes * 2 })
    return { ...result, perSecond: result.deliveriesPerSecond }
  }
  const spread = await bench.best(() => measure(server))
  const baseline = { what: 'bare https', value: (await bench.best(() => measure(bare))).deliveriesPerSecond }
  bench.add({
    name: `deliveries ${suffix}, ${manyWatchers} watchers`,
    value: spread.deliveriesPerSecond,
    unit: '/s',
    baseline,
    goal: goals.deliveries,
  })
}
