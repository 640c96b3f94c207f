import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { WorkQueue, type WorkQueueOptions } from './index.ts'

function aQueue(options: Partial<WorkQueueOptions> & { readonly clock?: VirtualClock } = {}) {
  const clock = options.clock ?? new VirtualClock()
  return { queue: new WorkQueue({ ...options, clock }), clock }
}

describe('what a queue tells', () => {
  it('N20 /debug/queue: what is in there, since when, and why it does not go yet', async () => {
    const tenant = (key: string): string => key.slice(0, key.indexOf('/'))
    const clock = new VirtualClock({ start: Date.UTC(2026, 0, 1) })
    const { queue } = aQueue({ clock, tenant, maxRunningPerTenant: 1 })
    queue.add('a/1')
    queue.add('a/2', { priority: -100 })
    queue.next()
    await clock.advance(60_000)
    queue.add('a/1')
    queue.add('b/1')
    queue.add('c/1', { after: 30_000, why: 'the machine to join' })
    queue.retry('d/1')
    assert.deepEqual(queue.view(), {
      running: 1,
      waiting: 2,
      delayed: 2,
      keys: [
        {
          key: 'a/1',
          stage: 'running',
          priority: 0,
          tenant: 'a',
          since: '2026-01-01T00:00:00Z',
          why: 'is being looked at, and goes again afterwards',
        },
        { key: 'b/1', stage: 'waiting', priority: 0, tenant: 'b', since: '2026-01-01T00:01:00Z', why: 'waits for a free worker' },
        {
          key: 'a/2',
          stage: 'waiting',
          priority: -100,
          tenant: 'a',
          since: '2026-01-01T00:00:00Z',
          why: 'waits for its tenant, which has 1 running, the most it may have',
        },
        {
          key: 'd/1',
          stage: 'delayed',
          priority: 0,
          tenant: 'd',
          since: '2026-01-01T00:01:00Z',
          due: '2026-01-01T00:01:00Z',
          failures: 1,
          why: 'waits for another try after failure 1',
        },
        {
          key: 'c/1',
          stage: 'delayed',
          priority: 0,
          tenant: 'c',
          since: '2026-01-01T00:01:00Z',
          due: '2026-01-01T00:01:30Z',
          why: 'waits for the machine to join',
        },
      ],
    })
    assert.equal(queue.view(2).keys.length, 2)
  })

  it('N21 gauges: depth by priority, unfinished work, longest running', async () => {
    const { queue, clock } = aQueue()
    queue.add('a')
    queue.add('b')
    queue.add('c', { priority: -100 })
    queue.next()
    await clock.advance(2_000)
    queue.next()
    await clock.advance(1_000)
    assert.deepEqual(
      queue.depths(),
      new Map([
        [0, 0],
        [-100, 1],
      ]),
    )
    assert.equal(queue.unfinishedSeconds(), 4)
    assert.equal(queue.longestRunningSeconds(), 3)
    queue.done('a')
    assert.equal(queue.longestRunningSeconds(), 1)
  })

  it('N21 counts adds and retries, and measures waiting and working', async () => {
    const seen: string[] = []
    const nothing = { started() {}, finished() {}, terminalError() {}, panicked() {}, timedOut() {}, waitedForCache() {} }
    const metrics = {
      controller: () => nothing,
      queue: (name: string) => ({
        added: () => void seen.push(`${name} added`),
        retried: () => void seen.push(`${name} retried`),
        waited: (seconds: number) => void seen.push(`${name} waited ${seconds}`),
        worked: (seconds: number) => void seen.push(`${name} worked ${seconds}`),
      }),
      cache: () => {},
      request: () => {},
      leader: () => {},
    }
    const { queue, clock } = aQueue({ name: 'pools', metrics })
    queue.add('a')
    queue.add('a')
    await clock.advance(500)
    queue.next()
    await clock.advance(250)
    queue.retry('a')
    queue.done('a')
    assert.deepEqual(seen, ['pools added', 'pools waited 0.5', 'pools retried', 'pools added', 'pools worked 0.25'])
  })
})
