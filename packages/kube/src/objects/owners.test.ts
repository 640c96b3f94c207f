import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HostedCluster, NodePool } from '@windlass/api'
import { aHostedCluster, aNodePool } from '@windlass/api/fixtures'
import { controllerOf, ensureFinalizer, isOwnedBy, keyOf, parseKey, refOf, setControllerReference, withoutFinalizer } from './index.ts'

const cluster = aHostedCluster()
const pool = aNodePool({ namespace: 'clusters' })

describe('owners', () => {
  it('N17 an object has the owner as its controller, and goes with it', () => {
    const owned = setControllerReference(pool, cluster)
    assert.deepEqual(owned.metadata.ownerReferences, [
      {
        apiVersion: HostedCluster.apiVersion,
        kind: 'HostedCluster',
        name: 'prod',
        uid: cluster.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ])
    assert.ok(isOwnedBy(owned, cluster))
    assert.ok(!isOwnedBy(pool, cluster))
    assert.equal(controllerOf(owned)?.name, 'prod')
    assert.equal(setControllerReference(owned, cluster), owned)
    assert.equal(owned.spec, pool.spec)
  })

  it('N17 an owner that was made again under the same name is another one', () => {
    const owned = setControllerReference(pool, cluster)
    assert.ok(!isOwnedBy(owned, aHostedCluster({ metadata: { uid: 'another' } })))
  })

  it('N17 other owners stay', () => {
    const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'a' }
    const owned = setControllerReference(aNodePool({ namespace: 'clusters', metadata: { ownerReferences: [other] } }), cluster)
    assert.deepEqual(
      owned.metadata.ownerReferences?.map(({ name }) => name),
      ['a', 'prod'],
    )
  })

  it('N17 an object has one controller', () => {
    const owned = setControllerReference(pool, cluster)
    assert.throws(
      () => setControllerReference(owned, aHostedCluster({ name: 'dev', metadata: { uid: 'dev' } })),
      /controlled by HostedCluster prod/,
    )
  })

  it('N17 an owner in another namespace, or one that was never stored, is refused', () => {
    assert.throws(() => setControllerReference(aNodePool({ namespace: 'elsewhere' }), cluster), /owns objects of that namespace only/)
    const { uid: _, ...metadata } = cluster.metadata
    assert.throws(() => setControllerReference(pool, { ...cluster, metadata }), /has no uid/)
  })
})

describe('finalizers', () => {
  const finalizer = 'windlass.dev/cleanup'

  it('N17 are added and taken away by patches that fail when somebody came in between', () => {
    assert.deepEqual(ensureFinalizer(NodePool, aNodePool({ metadata: { resourceVersion: '7', finalizers: ['theirs'] } }), finalizer), {
      do: 'patch',
      kind: NodePool,
      ref: refOf(pool),
      patch: { metadata: { finalizers: ['theirs', finalizer] } },
      resourceVersion: '7',
      reason: 'it must not go before it is cleaned up after',
    })
    const held = aNodePool({ metadata: { resourceVersion: '8', finalizers: [finalizer, 'theirs'] } })
    assert.deepEqual(withoutFinalizer(NodePool, held, finalizer)?.patch, { metadata: { finalizers: ['theirs'] } })
    assert.equal(withoutFinalizer(NodePool, held, finalizer)?.resourceVersion, '8')
  })

  it('N17 nothing is planned when it is so already, or when the object is on its way out', () => {
    assert.equal(ensureFinalizer(NodePool, aNodePool({ metadata: { finalizers: [finalizer] } }), finalizer), undefined)
    assert.equal(withoutFinalizer(NodePool, aNodePool(), finalizer), undefined)
    assert.equal(ensureFinalizer(NodePool, aNodePool({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }), finalizer), undefined)
  })
})

describe('names', () => {
  it('N10 a key says the same as a reference', () => {
    for (const ref of [{ name: 'a' }, { namespace: 'b', name: 'a.b-c' }]) assert.deepEqual(parseKey(keyOf(ref)), ref)
    assert.throws(() => refOf({ metadata: { generateName: 'a-' } }), /without metadata.name/)
  })
})
