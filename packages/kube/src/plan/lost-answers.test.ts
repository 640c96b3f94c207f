import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { ConnectionError } from '../transport/index.ts'
import { type Action, apply, create, ensure, patch, remove, status } from './index.ts'
import { anExecutor, type Cluster, clusterOn, type ExecutorStage, Widget, widgetDraft } from './testing/index.ts'

const ref = { namespace: 'default', name: 'a' }

/** A widget that the cache has, and goes on showing as it is now: its watch is late. */
async function aLateCache(cluster: Cluster): Promise<ExecutorStage & { readonly before: Widget }> {
  await cluster.client.create(Widget, widgetDraft('a', { replicas: 1 }))
  const before = await cluster.client.patchStatus(Widget, ref, { status: { phase: 'Down' } })
  const stage = anExecutor(cluster)
  stage.cache.put(Widget, before)
  stage.cache.isLate = true
  return { ...stage, before }
}

/** Does it, but nobody hears that it was done. */
async function inVain(cluster: Cluster, { execute }: ExecutorStage, action: Action): Promise<void> {
  cluster.onAnswer = () => {
    throw new ConnectionError('the connection broke', 'ECONNRESET')
  }
  const { failure } = await execute(action)
  assert.ok(failure?.error instanceof ConnectionError)
  cluster.onAnswer = () => {}
  cluster.sent()
}

describe('when the answer to a write is lost', () => {
  it('N7 N17 a status is compared with the server’s, not with what a late cache still shows', async () => {
    await using cluster = clusterOn(await startTestServer(), admin)
    const stage = await aLateCache(cluster)
    await inVain(cluster, stage, status(Widget, stage.before, { phase: 'Up' }, 'it is up'))
    const { results } = await stage.execute(status(Widget, stage.before, { phase: 'Down' }, 'it is down after all'))
    assert.equal(results[0]?.outcome, 'sent')
    assert.deepEqual((await cluster.client.get(Widget, ref)).status, { phase: 'Down' })
  })

  it('N7 N17 the same holds for patches, objects and what is applied', async () => {
    for (const write of [
      (replicas: number) => patch(Widget, ref, { spec: { replicas } }, 'so many'),
      (replicas: number) => ensure(Widget, widgetDraft('a', { replicas }), 'so many'),
      (replicas: number) => apply(Widget, { metadata: ref, spec: { replicas } }, 'so many', { force: true }),
    ]) {
      await using cluster = clusterOn(await startTestServer(), admin)
      const stage = await aLateCache(cluster)
      await inVain(cluster, stage, write(2))
      await stage.execute(write(1))
      assert.equal((await cluster.client.get(Widget, ref)).spec.replicas, 1, write(1).do)
    }
  })

  it('N7 N17 what was deleted in vain is created again', async () => {
    await using cluster = clusterOn(await startTestServer(), admin)
    const stage = await aLateCache(cluster)
    await inVain(cluster, stage, remove(Widget, stage.before, 'nobody wants it'))
    await stage.execute(create(Widget, widgetDraft('a'), 'somebody wants it after all'))
    assert.ok(await cluster.client.find(Widget, ref))
  })

  it('N12 the server is asked once, then the cache is believed again', async () => {
    await using cluster = clusterOn(await startTestServer(), admin)
    const stage = await aLateCache(cluster)
    const up = status(Widget, stage.before, { phase: 'Up' }, 'it is up')
    await inVain(cluster, stage, up)
    assert.equal((await stage.execute(up)).results[0]?.detail, 'it looks so already')
    assert.equal(cluster.sent().length, 1)
    stage.cache.put(Widget, await cluster.client.get(Widget, ref))
    cluster.sent()
    await stage.execute(up)
    assert.deepEqual(cluster.sent(), [])
  })

  it('N12 an answer that says no leaves no doubt', async () => {
    await using cluster = clusterOn(await startTestServer(), admin)
    const { execute } = await aLateCache(cluster)
    const refused = await execute(patch(Widget, ref, { spec: { replicas: -1 } }, 'it breaks a rule'))
    assert.match(refused.results[0]?.detail ?? '', /spec.replicas/)
    cluster.sent()
    await execute(ensure(Widget, widgetDraft('a', { replicas: 1 }), 'one'))
    assert.deepEqual(cluster.sent(), [])
  })
})
