import { clusterPrefix, collectionOf, definitions, type Fields, name, nameOf, namespace, type Subject, subjects } from './subjects.ts'

/** A request that a server answers well, with its body still as a value. */
export interface Template {
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly type?: string
  readonly body?: unknown
}

const merge = 'application/merge-patch+json'
const json = 'application/json-patch+json'
const strategic = 'application/strategic-merge-patch+json'
const apply = 'application/apply-patch+yaml'

const jsonPatch = [
  { op: 'add', path: '/metadata/labels', value: { a: 'b' } },
  { op: 'copy', from: '/metadata/labels', path: '/metadata/annotations' },
  { op: 'test', path: '/metadata/labels/a', value: 'b' },
  { op: 'replace', path: '/metadata/labels/a', value: 'c' },
  { op: 'move', from: '/metadata/labels/a', path: '/metadata/labels/d' },
  { op: 'remove', path: '/metadata/annotations/a' },
]

const labelled = { metadata: { labels: { a: 'b' }, annotations: { note: 'x' }, finalizers: [] } }

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json'
const partials = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json'

function* crud(subject: Subject): Iterable<Template> {
  const collection = collectionOf(subject)
  const path = `${collection}/${nameOf(subject.object)}`
  const { object } = subject
  const fresh = { ...object, metadata: { generateName: 'made-', labels: { a: 'b' }, ownerReferences: [] } }
  yield { method: 'GET', path }
  yield { method: 'GET', path, headers: { accept: table } }
  yield { method: 'GET', path, headers: { accept: partial } }
  yield { method: 'GET', path: collection, query: { limit: '2', labelSelector: 'a=b,c!=d', fieldSelector: `metadata.name=${name}` } }
  yield { method: 'GET', path: collection, query: { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' } }
  yield { method: 'GET', path: collection, headers: { accept: table }, query: { includeObject: 'Object' } }
  yield { method: 'GET', path: collection, headers: { accept: partials } }
  yield {
    method: 'GET',
    path: collection,
    query: { watch: 'true', timeoutSeconds: '1', allowWatchBookmarks: 'true', resourceVersion: '0' },
  }
  yield {
    method: 'GET',
    path: collection,
    query: {
      watch: 'true',
      timeoutSeconds: '1',
      allowWatchBookmarks: 'true',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
    },
  }
  yield { method: 'POST', path: collection, body: fresh, query: { fieldManager: 'me', fieldValidation: 'Strict' } }
  yield { method: 'POST', path: collection, body: fresh, query: { dryRun: 'All' } }
  yield { method: 'POST', path: collection, body: fresh, type: 'application/yaml' }
  yield { method: 'PUT', path, body: object, query: { fieldManager: 'me' } }
  yield { method: 'PUT', path, body: { ...object, metadata: { name: nameOf(object), resourceVersion: '1' } } }
  yield { method: 'PATCH', path, type: merge, body: labelled }
  yield { method: 'PATCH', path, type: merge, body: object }
  yield { method: 'PATCH', path, type: json, body: jsonPatch }
  yield { method: 'PATCH', path, type: strategic, body: object }
  yield { method: 'PATCH', path, type: apply, body: object, query: { fieldManager: 'applier', force: 'true' } }
  yield {
    method: 'DELETE',
    path,
    body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'none' } },
    query: { dryRun: 'All' },
  }
  yield { method: 'DELETE', path: `${collection}/absent`, query: { propagationPolicy: 'Foreground', gracePeriodSeconds: '0' } }
  yield { method: 'DELETE', path: collection, query: { labelSelector: 'a=never', dryRun: 'All' } }
  for (const subresource of subject.subresources) yield* below(subject, `${path}/${subresource}`, subresource)
}

const statuses: Readonly<Record<string, Fields>> = {
  widgets: { replicas: 1, phase: 'Running' },
  services: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } },
  persistentvolumeclaims: { phase: 'Bound', capacity: { storage: '1Gi' } },
  pods: { phase: 'Running', podIP: '10.0.0.1', conditions: [{ type: 'Ready', status: 'True' }] },
  nodes: { capacity: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }], addresses: [{ type: 'Hostname', address: 'a' }] },
  deployments: { replicas: 1, observedGeneration: 1, conditions: [{ type: 'Available', status: 'True' }] },
  statefulsets: { replicas: 1 },
  daemonsets: { currentNumberScheduled: 1, numberMisscheduled: 0, desiredNumberScheduled: 1, numberReady: 1 },
  replicasets: { replicas: 1 },
  jobs: { active: 1 },
  cronjobs: { lastScheduleTime: '2026-01-01T00:00:00Z' },
  poddisruptionbudgets: { disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
}

function* below(subject: Subject, path: string, subresource: string): Iterable<Template> {
  if (subresource === 'eviction') {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions: { dryRun: ['All'] } }
    yield { method: 'POST', path, body: eviction }
    return
  }
  if (subresource === 'binding') {
    yield { method: 'POST', path, body: { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name } } }
    return
  }
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name, namespace }, spec: { replicas: 3 } }
  const status = { ...subject.object, status: statuses[subject.resource] ?? {} }
  const body: Fields = subresource === 'scale' ? scale : status
  yield { method: 'GET', path }
  yield { method: 'PUT', path, body }
  yield { method: 'PATCH', path, type: merge, body }
  yield { method: 'PATCH', path, type: json, body: [{ op: 'replace', path: '/metadata/labels', value: {} }] }
  yield { method: 'PATCH', path, type: apply, body, query: { fieldManager: 'status', force: 'true' } }
}

function review(group: string, kind: string, spec: Fields): Template {
  const path = `/apis/${group}/v1/${kind === 'LocalSubjectAccessReview' ? `namespaces/${namespace}/` : ''}${kind.toLowerCase()}s`
  return { method: 'POST', path, body: { apiVersion: `${group}/v1`, kind, spec } }
}

const access = { verb: 'get', group: '', resource: 'pods', namespace, name }
const authorization = 'authorization.k8s.io'

const reviews: readonly Template[] = [
  review(authorization, 'SelfSubjectAccessReview', { resourceAttributes: access }),
  review(authorization, 'SelfSubjectAccessReview', { nonResourceAttributes: { path: '/x', verb: 'get' } }),
  review(authorization, 'SubjectAccessReview', { user: 'x', groups: ['g'], uid: 'u', extra: { k: ['v'] }, resourceAttributes: access }),
  review(authorization, 'LocalSubjectAccessReview', { user: 'x', resourceAttributes: access }),
  review(authorization, 'SelfSubjectRulesReview', { namespace }),
  review('authentication.k8s.io', 'SelfSubjectReview', {}),
  review('authentication.k8s.io', 'TokenReview', { token: 'x.y.z', audiences: ['a'] }),
  {
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: ['a'], expirationSeconds: 3600 } },
  },
]

const namespaces: readonly Template[] = [
  { method: 'GET', path: '/api/v1/namespaces', query: { fieldSelector: 'status.phase=Active' } },
  { method: 'GET', path: `/api/v1/namespaces/${namespace}/status` },
  {
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } },
    query: { dryRun: 'All' },
  },
  {
    method: 'PUT',
    path: `/api/v1/namespaces/${namespace}/finalize`,
    body: { metadata: { name: namespace }, spec: { finalizers: ['kubernetes'] } },
  },
  { method: 'PATCH', path: `/api/v1/namespaces/${namespace}`, type: strategic, body: labelled },
  { method: 'DELETE', path: '/api/v1/namespaces/absent' },
]

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

function* definitionRequests(): Iterable<Template> {
  for (const definition of definitions) {
    const path = `${crds}/${nameOf(definition)}`
    const spec = definition['spec'] as Fields
    const names = { plural: 'others', kind: 'Other' }
    const other = { ...definition, metadata: { name: 'others.fuzz.windlass.dev' }, spec: { ...spec, names } }
    yield { method: 'GET', path }
    yield { method: 'POST', path: crds, body: other, query: { dryRun: 'All' } }
    yield { method: 'POST', path: crds, body: other, query: { dryRun: 'All' }, type: 'application/yaml' }
    yield { method: 'PUT', path, body: { ...definition, metadata: { name: nameOf(definition), resourceVersion: '1' } } }
    yield { method: 'PATCH', path, type: merge, body: { ...definition, ...labelled }, query: { dryRun: 'All' } }
    yield { method: 'PATCH', path, type: apply, body: definition, query: { fieldManager: 'me', force: 'true', dryRun: 'All' } }
    yield { method: 'PATCH', path: `${path}/status`, type: merge, body: { status: { conditions: [] } }, query: { dryRun: 'All' } }
    yield { method: 'GET', path: crds, headers: { accept: table } }
  }
}

const documents: readonly Template[] = [
  '/',
  '/api',
  '/apis',
  '/api/v1',
  '/apis/apps',
  '/apis/apps/v1',
  '/apis/fuzz.windlass.dev/v2',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/openapi/v3/apis/fuzz.windlass.dev/v1',
  '/version',
  '/healthz',
  '/livez/ping',
  '/readyz',
  '/metrics',
  '/clusters',
  '/clusters/',
  clusterPrefix,
  '/clusters/absent/api/v1/pods',
  '/clusters/root/api/v1/namespaces',
  '/.well-known/openid-configuration',
].map((path) => ({ method: 'GET', path }))

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'

const logicalClusters = '/apis/windlass.dev/v1alpha1/logicalclusters'
const others: readonly Template[] = [
  { method: 'GET', path: '/apis', headers: { accept: aggregated } },
  { method: 'GET', path: '/api', headers: { accept: aggregated } },
  { method: 'GET', path: '/apis', headers: { 'if-none-match': '"x"', 'accept-encoding': 'gzip' } },
  { method: 'GET', path: '/openapi/v2', headers: { accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf' } },
  { method: 'GET', path: '/readyz', query: { verbose: '', exclude: 'ping' } },
  { method: 'GET', path: logicalClusters, headers: { accept: table } },
  {
    method: 'POST',
    path: logicalClusters,
    query: { dryRun: 'All' },
    body: { apiVersion: 'windlass.dev/v1alpha1', kind: 'LogicalCluster', metadata: { name: 'new' }, spec: { template: 'root' } },
  },
  { method: 'PATCH', path: `${logicalClusters}/guest`, type: merge, body: { ...labelled, spec: {} }, query: { dryRun: 'All' } },
  { method: 'GET', path: '/api/v1/watch/namespaces/default/configmaps', query: { timeoutSeconds: '1' } },
  {
    method: 'GET',
    path: '/api/v1/namespaces',
    headers: { 'impersonate-user': 'x', 'impersonate-group': 'system:masters', 'impersonate-extra-a': 'b' },
  },
]

/** Every kind of request there is. */
export const templates: readonly Template[] = [
  ...subjects.flatMap((subject) => [...crud(subject)]),
  ...reviews,
  ...namespaces,
  ...definitionRequests(),
  ...documents,
  ...others,
]
