import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { ConfigMap, type KubernetesObject, Secret } from '@windlass/api'
import { seededRandom } from '@windlass/core'
import { createSharedCache } from '../cache/index.ts'
import type { Client, Ref } from '../client/index.ts'
import { done, plan, status } from '../plan/index.ts'
import { type Cluster, clusterOn, Widget, widgetDraft } from '../plan/testing/index.ts'
import {
  type ControllerDefinition,
  type ControllerRunner,
  createController,
  generationChanged,
  labelChanged,
  or,
  TerminalError,
} from './index.ts'
import type { Definition } from './reconciler.ts'
import { finalizer, type Message, painter, recordedLog, recordedMetrics } from './testing/index.ts'

const startCluster = async (): Promise<Cluster> => clusterOn(await startTestServer(), admin)

interface Running extends AsyncDisposable {
  readonly runner: ControllerRunner
  readonly messages: Message[]
  readonly counts: string[]
  readonly abort: AbortController
  stop(): Promise<void>
}

/** Starts a controller on the real client and the real cache, and lets it come to rest. */
async function start<T extends KubernetesObject, Observed>(
  { client, clock, events }: Cluster,
  definition: Definition<T, Observed>,
  { seed = 'controller', after = 100 }: { readonly seed?: string; readonly after?: number } = {},
): Promise<Running> {
  const random = seededRandom(seed)
  const messages: Message[] = []
  const counts: string[] = []
  const log = recordedLog(messages)
  const cache = createSharedCache({ client, clock, random, log, freezes: true })
  const runner = createController(definition, { client, cache, clock, random, log, events, metrics: recordedMetrics(counts) })
  const abort = new AbortController()
  const runs = Promise.all([cache.run(abort.signal), runner.run(abort.signal)])
  if (after > 0) await clock.advance(after)
  const stop = async (): Promise<void> => {
    abort.abort(new Error('the test is over'))
    await runs
  }
  return { runner, messages, counts, abort, stop, [Symbol.asyncDispose]: stop }
}

const ref = (name: string): Ref => ({ namespace: 'default', name })
const paint = (client: Client, color: string): Promise<Secret> => client.create(Secret, { metadata: ref(color) })

describe('a controller on the embedded server', () => {
  it('N10 brings objects to what they should be, whatever changes: its own, what they own, what they depend on', async () => {
    await using cluster = await startCluster()
    const { client, clock } = cluster
    await client.create(Widget, widgetDraft('before', { color: 'red' }))
    await using painting = await start(cluster, painter)
    await client.create(Widget, widgetDraft('after', { color: 'red' }))
    await clock.advance(100)
    assert.equal((await client.get(Widget, ref('after'))).status?.phase, 'Waiting')
    assert.equal(painting.runner.history.of(ref('after'))[0]?.waitingFor, 'paint of color red')

    await paint(client, 'red')
    await clock.advance(100)
    for (const name of ['before', 'after']) {
      assert.deepEqual((await client.get(ConfigMap, ref(name))).data, { color: 'red' })
      assert.equal((await client.get(Widget, ref(name))).status?.phase, 'Painted')
    }
    assert.equal(cluster.occurrences.length, 2)

    await client.patch(ConfigMap, ref('after'), { data: { color: 'blue', more: 'x' } })
    await clock.advance(100)
    assert.deepEqual((await client.get(ConfigMap, ref('after'))).data, { color: 'red' }, 'somebody had changed what is owned')
    await client.delete(ConfigMap, ref('after'))
    await clock.advance(100)
    assert.deepEqual((await client.get(ConfigMap, ref('after'))).data, { color: 'red' }, 'somebody had deleted what is owned')
    assert.deepEqual(painting.messages, [])
  })

  it('N11 looks only at changes that its predicate lets through', async () => {
    await using cluster = await startCluster()
    const { client, clock } = cluster
    const seen: (number | undefined)[] = []
    const counting: ControllerDefinition<Widget, Widget> = {
      name: 'counting',
      for: Widget,
      predicate: or(generationChanged, labelChanged('color')),
      observe: (of, cache) => cache.get(Widget, of),
      decide({ metadata }) {
        seen.push(metadata.generation)
        return done
      },
    }
    await client.create(Widget, widgetDraft('a', { replicas: 1 }))
    await using running = await start(cluster, counting)
    await client.patchStatus(Widget, ref('a'), { status: { phase: 'Up' } })
    await client.patch(Widget, ref('a'), { metadata: { annotations: { note: 'x' } } })
    await clock.advance(100)
    assert.deepEqual(seen, [1])
    await client.patch(Widget, ref('a'), { spec: { replicas: 2 } })
    await clock.advance(100)
    await client.patch(Widget, ref('a'), { metadata: { labels: { color: 'red' } } })
    await clock.advance(100)
    assert.deepEqual(seen, [1, 2, 2])
    assert.deepEqual(running.messages, [])
  })

  it('N17 cleans up before an object goes', async () => {
    await using cluster = await startCluster()
    const { client, clock } = cluster
    await using painting = await start(cluster, painter)
    await paint(client, 'red')
    await client.create(Widget, widgetDraft('a', { color: 'red' }))
    await clock.advance(100)
    assert.ok(await client.find(ConfigMap, ref('a')))
    await client.delete(Widget, ref('a'))
    await clock.advance(100)
    assert.equal(await client.find(ConfigMap, ref('a')), undefined)
    assert.equal(await client.find(Widget, ref('a')), undefined)
    assert.deepEqual(painting.messages, [])
  })

  it('N17 sends nothing while nothing changes, however often it looks', async () => {
    await using cluster = await startCluster()
    const { client, clock } = cluster
    await paint(client, 'red')
    for (let index = 0; index < 20; index++) await client.create(Widget, widgetDraft(`w${index}`, { color: 'red' }))
    await using painting = await start(cluster, painter)
    cluster.sent()
    for (let round = 0; round < 10; round++) {
      for (let index = 0; index < 20; index++) painting.runner.trigger(ref(`w${index}`))
      await clock.advance(60_000)
    }
    assert.deepEqual(cluster.sent(), [])
    assert.ok(painting.counts.filter((count) => count.includes('started')).length >= 200)
  })

  it('N8 any number of changes during one pass causes one more', async () => {
    await using cluster = await startCluster()
    const { client, clock } = cluster
    let passes = 0
    let release = (): void => {}
    const slow: Definition<Widget, never> = {
      name: 'slow',
      for: Widget,
      reconcile: async () => {
        passes++
        if (passes === 1) await new Promise<void>((resolve) => (release = resolve))
        return done
      },
      timeout: 3_600_000,
    }
    await using _ = await start(cluster, slow)
    await client.create(Widget, widgetDraft('a'))
    await clock.advance(10)
    for (let change = 0; change < 1_000; change++) await client.patch(Widget, ref('a'), { spec: { replicas: change } })
    await clock.advance(10)
    assert.equal(passes, 1)
    release()
    await clock.advance(1_000)
    assert.equal(passes, 2)
  })

  it('N12 a conflict is looked at again promptly, and hardly spoken of', async () => {
    await using cluster = await startCluster()
    const { client, clock } = cluster
    await using painting = await start(cluster, painter)
    let isFirst = true
    cluster.onRequest = async (request) => {
      if (!isFirst || !request.startsWith('PATCH')) return
      isFirst = false
      // Somebody comes in between what was seen and what is written.
      await client.patch(Widget, ref('a'), { metadata: { finalizers: ['test.windlass.dev/theirs'] } })
    }
    await client.create(Widget, widgetDraft('a', { color: 'red' }))
    await clock.advance(100)
    const { metadata, status: seen } = await client.get(Widget, ref('a'))
    assert.deepEqual(metadata.finalizers, ['test.windlass.dev/theirs', finalizer])
    assert.equal(seen?.phase, 'Waiting')
    assert.deepEqual(
      painting.messages.map(({ level }) => level).filter((level) => level !== 'debug'),
      [],
    )
    const results = painting.runner.history.of(ref('a')).map(({ result }) => result)
    assert.ok(results.includes('conflict'), results.join(' '))
  })

  it('N12 an error of the server is told, and tried again until it goes well', async () => {
    await using cluster = await startCluster()
    const { client, clock } = cluster
    await using painting = await start(cluster, painter)
    let failures = 3
    cluster.onRequest = (request) => {
      if (request.startsWith('PATCH') && failures-- > 0) throw new Error('the connection broke')
    }
    await client.create(Widget, widgetDraft('a', { color: 'red' }))
    await clock.advance(10_000)
    assert.equal((await client.get(Widget, ref('a'))).status?.phase, 'Waiting')
    const errors = painting.messages.filter(({ level }) => level === 'error')
    assert.ok(errors.length > 0 && errors.every(({ message }) => message.includes('the connection broke')))
    assert.ok(painting.counts.some((count) => count.startsWith('painter finished error')))
  })

  it('N12 a terminal error waits for the next change', async () => {
    await using cluster = await startCluster()
    const { client, clock } = cluster
    const picky: ControllerDefinition<Widget, Widget> = {
      name: 'picky',
      for: Widget,
      observe: (each, cache) => cache.get(Widget, each),
      decide: (widget) => {
        if (widget.spec.color !== 'red') throw new TerminalError(`color ${widget.spec.color} is not red`)
        return plan(status(Widget, widget, { phase: 'Red' }, 'it is red'))
      },
    }
    await using running = await start(cluster, picky)
    await client.create(Widget, widgetDraft('a', { color: 'blue' }))
    await clock.advance(3_600_000)
    assert.equal(running.counts.filter((count) => count === 'picky terminal error').length, 1)
    await client.patch(Widget, ref('a'), { spec: { color: 'red' } })
    await clock.advance(100)
    assert.equal((await client.get(Widget, ref('a'))).status?.phase, 'Red')
  })

  it('N9 each tenant gets its turn while one has very much to do', async () => {
    await using cluster = await startCluster()
    const { client, clock } = cluster
    const order: string[] = []
    const fair: Definition<Widget, never> = {
      name: 'fair',
      for: Widget,
      tenant: ({ name }) => name.slice(0, name.indexOf('-')),
      reconcile: async ({ name }, { clock: time }) => {
        order.push(name)
        await time.sleep(1_000)
        return done
      },
    }
    for (let index = 0; index < 30; index++) await client.create(Widget, widgetDraft(`big-${index}`))
    await client.create(Widget, widgetDraft('small-0'))
    await using _ = await start(cluster, fair)
    await clock.advance(60_000)
    assert.equal(order.length, 31)
    assert.ok(order.indexOf('small-0') <= 1, order.join(' '))
  })

  it('N13 the same seed takes the same steps', async () => {
    const write = async (): Promise<readonly string[]> => {
      await using cluster = await startCluster()
      const { client, clock } = cluster
      await using painting = await start(cluster, painter, { seed: 'same' })
      for (let index = 0; index < 30; index++) {
        await client.create(Widget, widgetDraft(`w${index}`, { color: index % 2 === 0 ? 'red' : 'blue' }))
        if (index === 10) await paint(client, 'red')
        if (index === 20) await paint(client, 'blue')
        await clock.advance(7)
      }
      await clock.advance(10_000)
      const history = painting.runner.history.of(ref('w3')).map(({ reconcileID, startedAt }) => `${reconcileID} ${startedAt}`)
      return [...cluster.requests, ...history, String(clock.now())]
    }
    assert.deepEqual(await write(), await write())
  })

  it('N12 a stop in the middle leaves nothing half done that the next one does not finish', async () => {
    await using cluster = await startCluster()
    const { client, clock } = cluster
    await paint(client, 'red')
    for (let index = 0; index < 10; index++) await client.create(Widget, widgetDraft(`w${index}`, { color: 'red' }))
    const first = await start(cluster, painter, { after: 0 })
    let writes = 0
    cluster.onRequest = (request) => {
      if (!request.startsWith('GET') && ++writes === 17) first.abort.abort(new Error('leadership was lost'))
    }
    await clock.advance(100)
    await first.stop()
    assert.ok(writes <= 20, 'only what was on its way when it stopped')
    await client.create(Widget, widgetDraft('late', { color: 'red' }))
    await using _ = await start(cluster, painter, { seed: 'second' })
    await clock.advance(1_000)
    for (const name of [...Array.from({ length: 10 }, (_each, index) => `w${index}`), 'late']) {
      assert.deepEqual((await client.get(ConfigMap, ref(name))).data, { color: 'red' })
      assert.equal((await client.get(Widget, ref(name))).status?.phase, 'Painted')
    }
  })
})
