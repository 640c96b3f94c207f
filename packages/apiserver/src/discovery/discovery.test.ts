import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import { aggregatedContentType } from './aggregated.ts'
import { Discovery, type DiscoveryDocument } from './discovery.ts'
import { matchesEtag } from './etag.ts'
import { compareVersions, storageVersionHash } from './groups.ts'
import { aBuiltInType, aCustomType, aVersion } from './sample-types.ts'

const everyVerb = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }

const widgets = aCustomType({
  shortNames: ['wd'],
  categories: ['windlass-tests'],
  versions: [aVersion({ hasStatus: true, scale })],
})
const gadgets = aCustomType({ resource: 'gadgets', singular: 'gadget', kind: 'Gadget', namespaced: false })
const multis = aCustomType({
  resource: 'multis',
  singular: 'multi',
  kind: 'Multi',
  shortNames: ['mu'],
  versions: [
    aVersion({ name: 'v1alpha1' }),
    aVersion({ name: 'v1', hasStatus: true }),
    aVersion({ name: 'v1beta1', hasStatus: true }),
    aVersion({ name: 'v2', served: false }),
  ],
})
const namespaces = aBuiltInType({
  resource: 'namespaces',
  singular: 'namespace',
  kind: 'Namespace',
  namespaced: false,
  shortNames: ['ns'],
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  versions: [aVersion({ hasStatus: true })],
  extraSubresources: [{ name: 'finalize', group: '', version: 'v1', kind: 'Namespace', verbs: ['update'] }],
})
const pods = aBuiltInType({
  resource: 'pods',
  singular: 'pod',
  kind: 'Pod',
  extraSubresources: [
    { name: 'eviction', group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
    { name: 'binding', group: '', version: 'v1', kind: 'Binding', verbs: ['create'] },
  ],
})
const deployments = aBuiltInType({
  group: 'apps',
  resource: 'deployments',
  singular: 'deployment',
  kind: 'Deployment',
  categories: ['all'],
  shortNames: ['deploy'],
  versions: [aVersion({ hasStatus: true, scale })],
})
const leases = aBuiltInType({ group: 'coordination.k8s.io', resource: 'leases', singular: 'lease', kind: 'Lease' })
const review = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'localsubjectaccessreviews',
  kind: 'LocalSubjectAccessReview',
  namespaced: true,
  schema: { type: 'object' },
}

const discovery = new Discovery({ types: [widgets, leases, multis, namespaces, gadgets, pods, deployments], reviews: [review] })

function read(document: DiscoveryDocument | undefined): JsonObject {
  assert.ok(document)
  return JSON.parse(document.bytes.toString())
}

function entry(list: unknown, key: string, value: string): unknown {
  return Array.isArray(list) ? list.find((each) => each[key] === value) : undefined
}

test('DI-001 /api', () => {
  assert.deepEqual(read(discovery.versions('127.0.0.1:6443')), {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
  })
})

test('DI-002 /apis lists groups with versions and the preferred one, built-in ones first', () => {
  const { kind, apiVersion, groups } = read(discovery.groupList())
  assert.deepEqual([kind, apiVersion], ['APIGroupList', 'v1'])
  assert.deepEqual(Array.isArray(groups) && groups.map(({ name }) => name), [
    'apps',
    'authorization.k8s.io',
    'coordination.k8s.io',
    'test.windlass.dev',
  ])
  assert.deepEqual(entry(groups, 'name', 'test.windlass.dev'), {
    name: 'test.windlass.dev',
    versions: [
      { groupVersion: 'test.windlass.dev/v1', version: 'v1' },
      { groupVersion: 'test.windlass.dev/v1beta1', version: 'v1beta1' },
      { groupVersion: 'test.windlass.dev/v1alpha1', version: 'v1alpha1' },
    ],
    preferredVersion: { groupVersion: 'test.windlass.dev/v1', version: 'v1' },
  })
  assert.equal(read(discovery.group('apps')).kind, 'APIGroup')
})

test('DI-004 resources of a CRD group', () => {
  const { resources, ...rest } = read(discovery.resources('test.windlass.dev', 'v1'))
  assert.deepEqual(rest, { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'test.windlass.dev/v1' })
  assert.deepEqual(Array.isArray(resources) && resources.map(({ name }) => name), [
    'gadgets',
    'multis',
    'multis/status',
    'widgets',
    'widgets/status',
    'widgets/scale',
  ])
  assert.deepEqual(entry(resources, 'name', 'widgets'), {
    name: 'widgets',
    singularName: 'widget',
    namespaced: true,
    kind: 'Widget',
    verbs: everyVerb,
    shortNames: ['wd'],
    categories: ['windlass-tests'],
    storageVersionHash: storageVersionHash(widgets),
  })
  const subresource = { singularName: '', namespaced: true, verbs: ['get', 'patch', 'update'] }
  assert.deepEqual(entry(resources, 'name', 'widgets/status'), { name: 'widgets/status', kind: 'Widget', ...subresource })
  assert.deepEqual(entry(resources, 'name', 'widgets/scale'), {
    name: 'widgets/scale',
    group: 'autoscaling',
    version: 'v1',
    kind: 'Scale',
    ...subresource,
  })
  const { resources: alpha } = read(discovery.resources('test.windlass.dev', 'v1alpha1'))
  assert.deepEqual(Array.isArray(alpha) && alpha.map(({ name }) => name), ['multis'])
})

test('DI-005 a group version that is not there', () => {
  assert.equal(discovery.resources('test.windlass.dev', 'v2'), undefined)
  assert.equal(discovery.resources('nope.example', 'v1'), undefined)
  assert.equal(discovery.group('nope.example'), undefined)
})

test('DI-006 DI-007 built-in kinds: subresources by name, their group only where it is another', () => {
  const { resources } = read(discovery.resources('', 'v1'))
  assert.deepEqual(entry(resources, 'name', 'namespaces'), {
    name: 'namespaces',
    singularName: 'namespace',
    namespaced: false,
    kind: 'Namespace',
    verbs: namespaces.verbs,
    shortNames: ['ns'],
    storageVersionHash: storageVersionHash(namespaces),
  })
  assert.deepEqual(entry(resources, 'name', 'pods/binding'), {
    name: 'pods/binding',
    singularName: '',
    namespaced: true,
    kind: 'Binding',
    verbs: ['create'],
  })
  assert.deepEqual(entry(resources, 'name', 'pods/eviction'), {
    name: 'pods/eviction',
    singularName: '',
    namespaced: true,
    group: 'policy',
    version: 'v1',
    kind: 'Eviction',
    verbs: ['create'],
  })
  const { resources: reviews } = read(discovery.resources('authorization.k8s.io', 'v1'))
  assert.deepEqual(reviews, [
    {
      name: 'localsubjectaccessreviews',
      singularName: 'localsubjectaccessreview',
      namespaced: true,
      kind: 'LocalSubjectAccessReview',
      verbs: ['create'],
    },
  ])
})

test('DI-009 aggregated discovery of custom resources tells group and version of every kind', () => {
  const group = entry(read(discovery.aggregated('groups')).items, 'metadata', '') ?? undefined
  assert.equal(group, undefined)
  const { items } = read(discovery.aggregated('groups'))
  const own = Array.isArray(items) ? items.find(({ metadata }) => metadata.name === 'test.windlass.dev') : undefined
  assert.deepEqual(
    own.versions.map(({ version, freshness }: JsonObject) => [version, freshness]),
    [
      ['v1', 'Current'],
      ['v1beta1', 'Current'],
      ['v1alpha1', 'Current'],
    ],
  )
  assert.deepEqual(entry(own.versions[0].resources, 'resource', 'widgets'), {
    resource: 'widgets',
    responseKind: { group: 'test.windlass.dev', version: 'v1', kind: 'Widget' },
    scope: 'Namespaced',
    singularResource: 'widget',
    verbs: everyVerb,
    shortNames: ['wd'],
    categories: ['windlass-tests'],
    subresources: [
      {
        subresource: 'status',
        responseKind: { group: 'test.windlass.dev', version: 'v1', kind: 'Widget' },
        verbs: ['get', 'patch', 'update'],
      },
      { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get', 'patch', 'update'] },
    ],
  })
  assert.deepEqual(entry(own.versions[0].resources, 'resource', 'gadgets'), {
    resource: 'gadgets',
    responseKind: { group: 'test.windlass.dev', version: 'v1', kind: 'Gadget' },
    scope: 'Cluster',
    singularResource: 'gadget',
    verbs: everyVerb,
  })
})

test('DI-010 aggregated discovery of built-in kinds leaves their group and version empty', () => {
  const { items } = read(discovery.aggregated('groups'))
  const apps = Array.isArray(items) ? items[0] : undefined
  assert.deepEqual(apps.versions[0].resources, [
    {
      resource: 'deployments',
      responseKind: { group: '', version: '', kind: 'Deployment' },
      scope: 'Namespaced',
      singularResource: 'deployment',
      verbs: everyVerb,
      shortNames: ['deploy'],
      categories: ['all'],
      subresources: [
        { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get', 'patch', 'update'] },
        { subresource: 'status', responseKind: { group: '', version: '', kind: 'Deployment' }, verbs: ['get', 'patch', 'update'] },
      ],
    },
  ])
})

test('DI-012 aggregated discovery of the core group', () => {
  const document = discovery.aggregated('core')
  assert.equal(document.contentType, aggregatedContentType)
  const { kind, apiVersion, items } = read(document)
  assert.deepEqual([kind, apiVersion], ['APIGroupDiscoveryList', 'apidiscovery.k8s.io/v2'])
  const core = Array.isArray(items) ? items[0] : undefined
  assert.deepEqual(core.metadata, {})
  const pod = core.versions[0].resources.find(({ resource }: JsonObject) => resource === 'pods')
  assert.deepEqual(pod.subresources, [
    { subresource: 'binding', responseKind: { group: '', version: '', kind: 'Binding' }, verbs: ['create'] },
    { subresource: 'eviction', responseKind: { group: 'policy', version: 'v1', kind: 'Eviction' }, verbs: ['create'] },
  ])
})

test('DI-014 the ETag names the content', () => {
  const { etag } = discovery.aggregated('groups')
  assert.ok(etag)
  assert.equal(matchesEtag(etag, etag), true)
  assert.equal(matchesEtag('"nonsense"', etag), false)
  assert.equal(matchesEtag(undefined, etag), false)
  assert.notEqual(new Discovery({ types: [widgets], reviews: [] }).aggregated('groups').etag, etag)
})

test('DI-030 paths of groups and versions', () => {
  const paths = discovery.paths()
  for (const path of ['/api', '/api/v1', '/apis/test.windlass.dev', '/apis/test.windlass.dev/v1beta1'])
    assert.ok(paths.includes(path), path)
})

test('versions go from the most to the least stable, then from new to old', () => {
  const versions = ['v1alpha1', 'foo', 'v1', 'v10beta3', 'v2', 'v11alpha2', 'v3beta1', 'bar', 'v10']
  assert.deepEqual(versions.toSorted(compareVersions), ['v10', 'v2', 'v1', 'v10beta3', 'v3beta1', 'v11alpha2', 'v1alpha1', 'bar', 'foo'])
})

test('the storage version hash is that of a real server', () => {
  assert.equal(storageVersionHash(pods), 'xPOwRZ+Yhw8=')
  assert.equal(storageVersionHash(deployments), '8aSe+NMegvE=')
})
