import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { seededRandom } from '@windlass/core'
import { Follower, type Tally } from './informers/follower.ts'
import { World } from './informers/world.ts'
import { type Client, client } from './support/client.ts'
import { type Proxy, startProxy } from './support/proxy.ts'
import { until } from './support/until.ts'
import { type RunningServer, startServer } from './support/windlass.ts'

const objects = 10_000

/**
 * Our own clients and our own server could agree on a mistake. This client was written by others, for real clusters: one informer
 * of everything and one of a selection, behind a network that somebody keeps unplugging.
 */
describe('the informers of @kubernetes/client-node', () => {
  let server: RunningServer
  let proxy: Proxy
  let api: Client
  let world: World
  let everything: Follower
  let red: Follower

  before(async () => {
    server = await startServer({ args: ['--memory'] })
    proxy = await startProxy(Number(new URL(server.server).port))
    api = client(server)
    world = new World(api, seededRandom('informers'))
    const kubeconfig = readFileSync(server.kubeconfig, 'utf8')
    everything = new Follower(kubeconfig, `https://127.0.0.1:${proxy.port}`)
    red = new Follower(kubeconfig, `https://127.0.0.1:${proxy.port}`, 'color=red')
    await together(objects, () => world.create())
  })

  after(async () => {
    await Promise.all([everything.stop(), red.stop()])
    await proxy.close()
    api.close()
    await server.stop()
    rmSync(server.directory, { recursive: true, force: true })
  })

  it(`list ${objects} objects and hear of each once`, async () => {
    await Promise.all([everything.start(), red.start()])
    await agree()
    assert.deepEqual(everything.tally, { added: objects, updated: 0, deleted: 0 })
    assert.deepEqual(red.tally, { added: objects / 10, updated: 0, deleted: 0 })
  })

  it('W3 hear of every change once while their connections are cut again and again, without listing anew', async () => {
    const rounds = 10
    for (let round = 0; round < rounds; round++) {
      await together(200, () => world.change(), {
        // In the middle of it, with events on the way.
        at: 100,
        run: () => assert.ok(proxy.cut() >= 2, 'both informers had a connection to lose'),
      })
      await until('both informers to be back', () => Math.min(everything.restarts, red.restarts) > round)
      await agree()
    }
    assert.deepEqual(everything.tally, world.all)
    assert.deepEqual(red.tally, world.red)
    assert.deepEqual([everything.lists, red.lists], [1, 1])
  })

  it('W6 list anew after a compaction they missed, and hear of what is gone since', async () => {
    const before: Tally = { ...everything.tally }
    proxy.isDown = true
    proxy.cut()
    await together(500, () => world.change())
    await api.send('POST', '/windlass/compact')
    // What they resume from must be older than what is forgotten for their own selection too.
    await together(100, () => world.change())
    proxy.isDown = false
    await agree()
    assert.deepEqual([everything.lists, red.lists], [2, 2])
    assert.ok(everything.tally.deleted > before.deleted)
  })

  it('go on watching after that', async () => {
    const expected: Tally = { ...everything.tally }
    const { added, updated, deleted } = world.all
    await together(200, () => world.change())
    await agree()
    assert.deepEqual(everything.tally, {
      added: expected.added + world.all.added - added,
      updated: expected.updated + world.all.updated - updated,
      deleted: expected.deleted + world.all.deleted - deleted,
    })
    assert.deepEqual([everything.lists, red.lists], [2, 2])
  })

  /** Both informers hold what there is, and what they told their handlers adds up to the same. */
  async function agree(): Promise<void> {
    for (const [follower, which] of [
      [everything, 'all'],
      [red, 'red'],
    ] as const) {
      const wanted = sorted(world.state(which))
      const isThere = (): boolean =>
        follower.told.size === wanted.length && wanted.every(([name, revision]) => follower.told.get(name) === revision)
      await until(`the informer of ${which} objects to catch up`, isThere)
      assert.deepEqual(sorted(follower.cached()), wanted)
    }
  }
})

/** Runs `work` so many times, a few at once; `interrupt.run` after `interrupt.at` of them. */
async function together(
  times: number,
  work: () => Promise<void>,
  interrupt?: { readonly at: number; readonly run: () => void },
): Promise<void> {
  let started = 0
  let done = 0
  const lane = async (): Promise<void> => {
    while (started < times) {
      started++
      await work()
      if (++done === interrupt?.at) interrupt.run()
    }
  }
  await Promise.all(Array.from({ length: 16 }, lane))
}

function sorted(state: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...state].toSorted(([a], [b]) => (a < b ? -1 : 1))
}
