import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NodePool } from '@windlass/api'
import { aHostedCluster, aNodePool, aSecret } from '@windlass/api/fixtures'
import { type CacheReader, keyOf } from '@windlass/kube'
import { nodePools, secrets, servedKinds } from '../management/index.ts'
import { watchesOf } from './watches.ts'
import { Annotation, PoolAnnotation } from './wire.ts'

const cluster = aHostedCluster()
const pullSecret = aSecret({
  namespace: 'clusters',
  name: cluster.spec.pullSecret.name ?? assert.fail(),
  data: { '.dockerconfigjson': 'e30=' },
})

/** A cache in which the cluster refers to whatever it is asked about. */
const cache = { byIndex: () => [cluster], get: () => undefined } as unknown as CacheReader

/** Which clusters are looked at when a Secret has become another one. */
function woken(old: typeof pullSecret, object: typeof pullSecret): readonly string[] {
  return watchesOf(servedKinds([]))
    .filter(({ of }) => of === secrets)
    .flatMap((watch) => (watch.predicate({ type: 'updated', old, object }) ? watch.map(object, cache) : []))
    .map(keyOf)
}

describe('a Secret that clusters refer to', () => {
  it('concerns them when its content changes', () => {
    assert.deepEqual(woken(pullSecret, { ...pullSecret, data: { '.dockerconfigjson': 'e30K' } }), [`clusters/${cluster.metadata.name}`])
  })

  it('does not when another cluster leaves its mark there: they would wake each other', () => {
    const annotations = { 'referenced-resource.hypershift.openshift.io/other': 'true' }
    assert.deepEqual(woken(pullSecret, { ...pullSecret, metadata: { ...pullSecret.metadata, annotations } }), [])
  })

  it('concerns the cluster that it was made for, whatever changes', () => {
    const made = { ...pullSecret, metadata: { ...pullSecret.metadata, annotations: { [Annotation.cluster]: 'clusters/prod' } } }
    const changed = { ...made, metadata: { ...made.metadata, labels: { a: 'b' } } }
    assert.deepEqual(woken(made, changed), ['clusters/prod'])
  })
})

describe('a pool of a cluster', () => {
  const pool = aNodePool()
  const cluster = `clusters/${pool.spec.clusterName}`

  function wokenBy(object: NodePool): readonly string[] {
    return watchesOf(servedKinds([]))
      .filter(({ of }) => of === nodePools)
      .flatMap((watch) => (watch.predicate({ type: 'updated', old: pool, object }) ? watch.map(object, cache) : []))
      .map(keyOf)
  }

  it('concerns it when something else is asked of the pool', () => {
    const { generation = 1 } = pool.metadata
    assert.deepEqual(wokenBy({ ...pool, metadata: { ...pool.metadata, generation: generation + 1 } }), [cluster])
    assert.deepEqual(wokenBy({ ...pool, metadata: { ...pool.metadata, annotations: { [PoolAnnotation.enableSpot]: 'true' } } }), [cluster])
  })

  it('does not when the pool says how far it is', () => {
    assert.deepEqual(wokenBy({ ...pool, status: { ...pool.status, replicas: 2 } }), [])
  })
})
