import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { cached } from '../cache/declaration.ts'
import { apply } from './index.ts'
import { anExecutor, type Cluster, clusterOn, Widget, widgetDraft } from './testing/index.ts'

const startCluster = async (): Promise<Cluster> => clusterOn(await startTestServer(), admin)
const widgetUrl = '/apis/test.windlass.dev/v1/namespaces/default/widgets'

describe('apply', () => {
  const colored = (color: string) => apply(Widget, { metadata: { namespace: 'default', name: 'a' }, spec: { color } }, 'it is ours')

  it('N17 is sent once, and again when we want something else', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    for (const color of ['red', 'red', 'blue', 'blue']) await execute(colored(color))
    assert.deepEqual(cluster.sent(), [`PATCH ${widgetUrl}/a`, `PATCH ${widgetUrl}/a`])
    assert.equal((await cluster.client.get(Widget, { namespace: 'default', name: 'a' })).spec.color, 'blue')
  })

  it('N17 is sent again when somebody has changed what is ours, not when they changed something else', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    await execute(colored('red'))
    const ref = { namespace: 'default', name: 'a' }
    cache.put(Widget, await cluster.client.patch(Widget, ref, { spec: { replicas: 3 } }))
    cluster.sent()
    await execute(colored('red'))
    assert.deepEqual(cluster.sent(), [])
    cache.put(Widget, await cluster.client.patch(Widget, ref, { spec: { color: 'green' } }))
    cluster.sent()
    await execute(apply(Widget, { metadata: ref, spec: { color: 'red' } }, 'it is ours', { force: true }))
    assert.deepEqual(cluster.sent(), [`PATCH ${widgetUrl}/a`])
  })

  it('N17 is not sent again while nobody has touched the object, though the cache does not keep what was applied', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster, { handles: [cached(Widget, { keeps: ['spec.replicas'] })] })
    await execute(colored('red'))
    await execute(colored('red'))
    assert.equal(cluster.sent().length, 1)
    cache.put(Widget, await cluster.client.patch(Widget, { namespace: 'default', name: 'a' }, { spec: { replicas: 3 } }))
    cluster.sent()
    await execute(colored('red'))
    await execute(colored('red'))
    assert.equal(cluster.sent().length, 1)
  })

  it('N17 gives up fields that it no longer mentions, though the object has all it mentions', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    await execute(apply(Widget, { metadata: { namespace: 'default', name: 'a' }, spec: { color: 'red', replicas: 1 } }, 'it is ours'))
    await execute(colored('red'))
    assert.deepEqual((await cluster.client.get(Widget, { namespace: 'default', name: 'a' })).spec, { color: 'red' })
  })

  it('N17 is sent to an object that was made anew', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    const ref = { namespace: 'default', name: 'a' }
    await execute(colored('red'))
    await cluster.client.delete(Widget, ref)
    cache.put(Widget, await cluster.client.create(Widget, widgetDraft('a', { color: 'red' })))
    cluster.sent()
    await execute(colored('red'))
    assert.equal(cluster.sent().length, 1)
  })

  it("N17 somebody else's field is an error to be seen, not a conflict to be tried again quietly", async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    await cluster.client.apply(
      Widget,
      { metadata: { namespace: 'default', name: 'a' }, spec: { color: 'green' } },
      { fieldManager: 'other' },
    )
    const { failure } = await execute(colored('red'))
    assert.equal(failure?.isConflict, false)
    assert.match(String(failure?.error), /conflict/)
  })
})
