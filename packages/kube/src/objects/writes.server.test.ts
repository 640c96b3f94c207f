import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { ConfigMap, HostedControlPlane, toCrd } from '@windlass/api'
import { aHostedControlPlane, aVersionStatus } from '@windlass/api/fixtures'
import { type Cluster, clusterOn, Widget, widgetDraft } from '../plan/testing/index.ts'
import { createOrPatch, patchStatus, retryOnConflict } from './index.ts'

const startCluster = async (): Promise<Cluster> => clusterOn(await startTestServer(), admin)
const ref = { namespace: 'default', name: 'a' }

describe('createOrPatch', () => {
  it('N17 creates, patches what differs, and makes no request when nothing does', async () => {
    await using cluster = await startCluster()
    const { client } = cluster
    const first = await createOrPatch(client, Widget, widgetDraft('a', { replicas: 1 }), { current: undefined })
    assert.equal(first.did, 'created')
    const second = await createOrPatch(client, Widget, widgetDraft('a', { replicas: 2 }), { current: first.object })
    assert.equal(second.did, 'patched')
    assert.deepEqual(await client.get(Widget, ref), second.object)
    cluster.sent()
    const third = await createOrPatch(client, Widget, widgetDraft('a', { replicas: 2 }), { current: second.object })
    assert.deepEqual(third, { did: 'nothing', object: second.object })
    assert.deepEqual(cluster.sent(), [])
  })

  it('N17 finds what the cache did not know of', async () => {
    await using cluster = await startCluster()
    const { client } = cluster
    await client.create(Widget, widgetDraft('a', { replicas: 1, color: 'red' }))
    const { did, object } = await createOrPatch(client, Widget, widgetDraft('a', { replicas: 2 }), { current: undefined })
    assert.equal(did, 'patched')
    assert.deepEqual(object.spec, { replicas: 2, color: 'red' })
  })
})

describe('patchStatus', () => {
  it('N17 writes what differs, and makes no request when nothing does', async () => {
    await using cluster = await startCluster()
    const { client } = cluster
    const stored = await client.create(Widget, widgetDraft('a'))
    const up = await patchStatus(client, Widget, stored, { phase: 'Up', replicas: 1 })
    assert.deepEqual(up.status, { phase: 'Up', replicas: 1 })
    cluster.sent()
    assert.equal(await patchStatus(client, Widget, up, { phase: 'Up' }), up)
    assert.deepEqual(cluster.sent(), [])
    assert.deepEqual((await patchStatus(client, Widget, up, { replicas: undefined })).status, { phase: 'Up' })
  })

  it('N17 fails where the object must not have changed and has', async () => {
    await using cluster = await startCluster()
    const { client } = cluster
    const stored = await client.create(Widget, widgetDraft('a'))
    await client.patch(Widget, ref, { spec: { replicas: 2 } })
    await assert.rejects(patchStatus(client, Widget, stored, { phase: 'Up' }, { ifUnchanged: true }), { reason: 'Conflict' })
  })

  it('N17 writes null where null is meant, and fails like any other where the object has changed', async () => {
    const definitions = [toCrd(HostedControlPlane)] as never
    await using cluster = clusterOn(await startTestServer({ definitions }), admin)
    const { client } = cluster
    const { metadata: _, status: _status, ...draft } = aHostedControlPlane()
    const stored = await client.create(HostedControlPlane, { ...draft, metadata: ref })
    const history = aVersionStatus().history?.map((update) => ({ ...update, state: 'Partial' as const, completionTime: null })) ?? []
    const versionStatus = { ...aVersionStatus(), history }
    const installing = await patchStatus(client, HostedControlPlane, stored, { ready: false, initialized: false, versionStatus })
    assert.deepEqual((await client.get(HostedControlPlane, ref)).status?.versionStatus, versionStatus)
    cluster.sent()
    assert.equal(await patchStatus(client, HostedControlPlane, installing, { versionStatus }), installing)
    assert.deepEqual(cluster.sent(), [])
    const again = { versionStatus: { ...versionStatus, observedGeneration: 2 } }
    await client.patch(HostedControlPlane, ref, { metadata: { labels: { changed: 'yes' } } })
    await assert.rejects(patchStatus(client, HostedControlPlane, installing, again, { ifUnchanged: true }), { reason: 'Conflict' })
    const moved = await patchStatus(client, HostedControlPlane, installing, again)
    assert.equal(moved.status?.versionStatus?.observedGeneration, 2)
  })

  it('N1 is not for kinds without a status', () => {
    const map: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref }
    // @ts-expect-error: a ConfigMap has no status
    const never = (cluster: Cluster): unknown => patchStatus(cluster.client, ConfigMap, map, {})
    assert.equal(typeof never, 'function')
  })
})

describe('retryOnConflict', () => {
  it('N17 reads and writes again until nobody came in between', async () => {
    await using cluster = await startCluster()
    const { client, clock } = cluster
    await client.create(Widget, widgetDraft('a', { replicas: 0 }))
    // Five at once: each conflict means that one of the others got through.
    const increments = Promise.all(
      Array.from({ length: 5 }, () =>
        retryOnConflict({ clock }, async () => {
          const { spec, ...rest } = await client.get(Widget, ref)
          return client.update(Widget, { ...rest, spec: { replicas: (spec.replicas ?? 0) + 1 } })
        }),
      ),
    )
    await clock.settle()
    await clock.advance(1_000)
    await increments
    assert.equal((await client.get(Widget, ref)).spec.replicas, 5)
  })

  it('N17 gives up after so many conflicts, and at once on anything else', async () => {
    await using cluster = await startCluster()
    const { client, clock } = cluster
    const stored = await client.create(Widget, widgetDraft('a'))
    await client.patch(Widget, ref, { spec: { replicas: 2 } })
    cluster.sent()
    const stale = assert.rejects(
      retryOnConflict({ clock, attempts: 3 }, () => client.update(Widget, stored)),
      { reason: 'Conflict' },
    )
    await clock.settle()
    await clock.advance(1_000)
    await stale
    assert.equal(cluster.sent().length, 3)
    await assert.rejects(
      retryOnConflict({ clock }, () => client.get(Widget, { namespace: 'default', name: 'nobody' })),
      { reason: 'NotFound' },
    )
    assert.equal(cluster.sent().length, 1)
  })
})
