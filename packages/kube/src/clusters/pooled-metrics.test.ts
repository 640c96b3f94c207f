import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createMetrics } from '../metrics/index.ts'
import { PooledMetrics } from './pooled-metrics.ts'

describe('metrics of many clusters', () => {
  it('N21 N22 what has the same name is added up, and counters do not go back when a cluster ends', async () => {
    const metrics = createMetrics()
    const pool = new PooledMetrics(metrics)
    const line = async (start: string): Promise<string | undefined> =>
      (await metrics.text())
        .split('\n')
        .find((each) => each.startsWith(start))
        ?.slice(start.length + 1)
    const members = [1, 2, 3].map((watches) => {
      const member = pool.member()
      member.cache('nodes', () => ({ objects: 10, lists: 1, watches }))
      member.queue('drain', { depths: () => new Map([[0, 2]]), unfinishedSeconds: () => 1, longestRunningSeconds: () => watches })
      member.controller('drain', 4)
      return member
    })
    const read = (): Promise<readonly (string | undefined)[]> =>
      Promise.all([
        line('windlass_cache_objects{cache="nodes"}'),
        line('windlass_watch_restarts_total{cache="nodes"}'),
        line('workqueue_depth{name="drain",controller="drain",priority="0"}'),
        line('workqueue_unfinished_work_seconds{name="drain",controller="drain"}'),
        line('workqueue_longest_running_processor_seconds{name="drain",controller="drain"}'),
        line('controller_runtime_max_concurrent_reconciles{controller="drain"}'),
      ])
    assert.deepEqual(await read(), ['30', '3', '6', '3', '3', '12'])
    members[2]?.[Symbol.dispose]()
    assert.deepEqual(await read(), ['20', '3', '4', '2', '2', '8'])
    members[0]?.controller('drain', 1)
    assert.equal((await read()).at(-1), '5')
  })
})
