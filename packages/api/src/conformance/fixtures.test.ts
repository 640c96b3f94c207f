import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crdName, toCrd } from '../crd.ts'
import * as fixtures from '../fixtures/index.ts'
import { allKinds } from '../kinds.ts'
import type { KubernetesObject } from '../meta/object-meta.ts'
import { schemaChecker } from './closed-schema.ts'
import { noUpstream, upstreamOf } from './upstream.ts'

/** Every fixture, as a test gets it that says nothing. */
const objects: readonly KubernetesObject[] = Object.entries(fixtures)
  .filter(([name]) => !['aCondition', 'aReleaseDigest', 'aReleaseImage', 'aControlPlaneVersion', 'aVersionStatus'].includes(name))
  .map(([, fixture]) => (fixture as () => KubernetesObject)())

const objectsOf = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): KubernetesObject[] =>
  objects.filter((object) => object.apiVersion === apiVersion && object.kind === kind)

describe('fixtures', () => {
  for (const kind of allKinds) {
    it(`${crdName(kind)}: there is one, and our schema accepts it`, () => {
      assert.ok(objectsOf(kind).length > 0)
      const check = schemaChecker(toCrd(kind).spec.versions[0]?.schema.openAPIV3Schema ?? {})
      for (const object of objectsOf(kind)) assert.deepEqual(check(object), [])
    })

    it(`${crdName(kind)}: upstream's schema accepts it`, { skip: noUpstream }, () => {
      const upstream = upstreamOf(kind)
      if (upstream === undefined) return
      const check = schemaChecker(upstream.version.schema.openAPIV3Schema)
      for (const object of objectsOf(kind)) assert.deepEqual(check(object), [])
    })
  }

  it('are told apart by uid, and are the same every time', () => {
    assert.equal(new Set(objects.map((object) => object.metadata.uid)).size, objects.length)
    assert.deepEqual(fixtures.aNodePool(), fixtures.aNodePool())
  })

  it('take what a test is about and keep the rest', () => {
    const pool = fixtures.aNodePool({ name: 'infra', release: '4.20.1', spec: { replicas: 5 }, metadata: { generation: 3 } })
    assert.equal(pool.metadata.name, 'infra')
    assert.equal(pool.metadata.namespace, 'clusters')
    assert.equal(pool.metadata.generation, 3)
    assert.equal(pool.spec.replicas, 5)
    assert.equal(pool.spec.release.image, fixtures.aReleaseImage('4.20.1'))
    assert.equal(pool.spec.clusterName, 'prod')
    assert.equal(pool.status?.version, '4.20.1')
  })
})

describe('a schema check', () => {
  const check = schemaChecker(
    toCrd(allKinds.find((kind) => kind.kind === 'NodePool') ?? assert.fail()).spec.versions[0]?.schema.openAPIV3Schema ?? {},
  )

  it('accepts the fixture', () => assert.deepEqual(check(fixtures.aNodePool()), []))

  it('refuses a wrong type, a word that is not known and a field that would be dropped', () => {
    const pool = fixtures.aNodePool()
    for (const spec of [
      { ...pool.spec, replicas: '3' },
      { ...pool.spec, arch: 'riscv' },
      { ...pool.spec, replica: 3 },
    ]) {
      const broken: KubernetesObject = Object.assign({ ...pool }, { spec })
      assert.notDeepEqual(check(broken), [])
    }
  })
})
