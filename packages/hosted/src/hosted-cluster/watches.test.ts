import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aHostedCluster, aSecret } from '@windlass/api/fixtures'
import { type CacheReader, keyOf } from '@windlass/kube'
import { secrets, servedKinds } from '../management/index.ts'
import { watchesOf } from './watches.ts'
import { Annotation } from './wire.ts'

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
