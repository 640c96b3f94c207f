import { LogicalCluster, toCrd } from '@windlass/api'

export type Fields = Readonly<Record<string, unknown>>

/** One kind that requests are about: where it lives, and an object of it that is accepted. */
export interface Subject {
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly namespaced: boolean
  readonly subresources: readonly string[]
  readonly object: Fields
}

export const namespace = 'fuzz'
export const cluster = 'guest'
export const clusterPrefix = `/clusters/${cluster}`

/** The name of every object that is there at the start; whatever else appears was made by a request. */
export const name = 'a'

const labels = { app: 'a' }
const podTemplate = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const workload = { selector: { matchLabels: labels }, template: podTemplate }

function subject(apiVersion: string, kind: string, resource: string, rest: Fields, options: Partial<Subject> = {}): Subject {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  return {
    group,
    version,
    resource,
    namespaced: true,
    subresources: [],
    object: { apiVersion, kind, metadata: { name }, ...rest },
    ...options,
  }
}

const clusterWide = { namespaced: false }

const widgetSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer', minimum: 0, maximum: 100, default: 1 },
        arch: { type: 'string', enum: ['amd64', 'arm64'] },
        size: { 'x-kubernetes-int-or-string': true },
        tags: { type: 'array', items: { type: 'string', maxLength: 20 }, maxItems: 10, 'x-kubernetes-list-type': 'set' },
        ports: {
          type: 'array',
          items: {
            type: 'object',
            required: ['port'],
            properties: {
              port: { type: 'integer' },
              protocol: { type: 'string', default: 'TCP' },
              name: { type: 'string', pattern: '^[a-z]+$' },
            },
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
        },
        since: { type: 'string', format: 'date-time' },
        limits: { type: 'object', additionalProperties: { type: 'number' }, maxProperties: 5 },
        embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
        anything: { 'x-kubernetes-preserve-unknown-fields': true },
        choice: {
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
          oneOf: [{ required: ['a'] }, { required: ['b'] }],
        },
      },
      'x-kubernetes-validations': [
        { rule: "!has(self.arch) || self.arch != 'arm64' || self.replicas < 50", message: 'arm64 is scarce' },
        { rule: '!has(oldSelf.arch) || has(self.arch)', message: 'arch cannot be removed' },
      ],
    },
    status: {
      type: 'object',
      properties: { replicas: { type: 'integer' }, selector: { type: 'string' }, phase: { type: 'string' } },
    },
  },
}

const widgets = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['wd'] }

/** What the root cluster has from the start. */
export const logicalClusters: Fields = { ...toCrd(LogicalCluster) }

/** A kind with everything that a schema can have; the other one is as plain as can be. */
export const definitions: readonly Fields[] = [
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.fuzz.windlass.dev' },
    spec: {
      group: 'fuzz.windlass.dev',
      scope: 'Namespaced',
      names: widgets,
      versions: ['v1', 'v2'].map((version) => ({
        name: version,
        served: true,
        storage: version === 'v1',
        schema: { openAPIV3Schema: widgetSchema },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
        },
        selectableFields: [{ jsonPath: '.spec.arch' }],
        additionalPrinterColumns: [{ name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' }],
      })),
    },
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.fuzz.windlass.dev' },
    spec: {
      group: 'fuzz.windlass.dev',
      scope: 'Cluster',
      names: { plural: 'gadgets', kind: 'Gadget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  },
]

export const subjects: readonly Subject[] = [
  subject(
    'fuzz.windlass.dev/v1',
    'Widget',
    'widgets',
    {
      spec: {
        replicas: 2,
        arch: 'amd64',
        size: '10%',
        tags: ['x', 'y'],
        ports: [{ port: 80, name: 'http' }],
        since: '2026-01-01T00:00:00Z',
        limits: { cpu: 1.5 },
        embedded: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'inner' } },
        anything: { deep: [1, { two: null }] },
        choice: { a: 'x' },
      },
    },
    { subresources: ['status', 'scale'] },
  ),
  subject('fuzz.windlass.dev/v1', 'Gadget', 'gadgets', { spec: { a: [1, 2, { b: 'c' }] } }, clusterWide),
  subject('v1', 'ConfigMap', 'configmaps', { data: { key: 'value' }, binaryData: { more: 'AAAA' } }),
  subject('v1', 'Secret', 'secrets', { type: 'Opaque', data: { key: 'dmFsdWU=' }, stringData: { other: 'text' } }),
  subject('v1', 'ServiceAccount', 'serviceaccounts', { secrets: [{ name: 's' }] }),
  subject('v1', 'Event', 'events', {
    involvedObject: { kind: 'ConfigMap', namespace, name },
    reason: 'Testing',
    message: 'text',
    type: 'Normal',
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:00Z',
    count: 1,
  }),
  subject(
    'v1',
    'Service',
    'services',
    { spec: { selector: labels, ports: [{ port: 80, targetPort: 'http' }] } },
    { subresources: ['status'] },
  ),
  subject('v1', 'Endpoints', 'endpoints', { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] }),
  subject(
    'v1',
    'PersistentVolumeClaim',
    'persistentvolumeclaims',
    {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
    { subresources: ['status'] },
  ),
  subject('v1', 'Pod', 'pods', { metadata: { name, labels }, spec: podTemplate.spec }, { subresources: ['status', 'eviction', 'binding'] }),
  subject('v1', 'Node', 'nodes', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }, { ...clusterWide, subresources: ['status'] }),
  subject('v1', 'ResourceQuota', 'resourcequotas', { spec: { hard: { pods: '10' } } }),
  subject('v1', 'LimitRange', 'limitranges', { spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] } }),
  subject('events.k8s.io/v1', 'Event', 'events', {
    metadata: { name: 'b' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'example.com/x',
    reportingInstance: 'x-1',
    action: 'Test',
    reason: 'Testing',
    regarding: { kind: 'ConfigMap', namespace, name },
    note: 'text',
    type: 'Normal',
  }),
  subject('coordination.k8s.io/v1', 'Lease', 'leases', {
    spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' },
  }),
  subject('apps/v1', 'Deployment', 'deployments', { spec: { replicas: 2, ...workload } }, { subresources: ['status', 'scale'] }),
  subject('apps/v1', 'StatefulSet', 'statefulsets', { spec: { serviceName: 's', ...workload } }, { subresources: ['status', 'scale'] }),
  subject('apps/v1', 'DaemonSet', 'daemonsets', { spec: workload }, { subresources: ['status'] }),
  subject('apps/v1', 'ReplicaSet', 'replicasets', { spec: workload }, { subresources: ['status', 'scale'] }),
  subject(
    'batch/v1',
    'Job',
    'jobs',
    {
      spec: { template: { spec: { ...podTemplate.spec, restartPolicy: 'Never' } } },
    },
    { subresources: ['status'] },
  ),
  subject(
    'batch/v1',
    'CronJob',
    'cronjobs',
    {
      spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: { spec: { ...podTemplate.spec, restartPolicy: 'Never' } } } } },
    },
    { subresources: ['status'] },
  ),
  subject(
    'policy/v1',
    'PodDisruptionBudget',
    'poddisruptionbudgets',
    {
      spec: { maxUnavailable: '50%', selector: { matchLabels: labels } },
    },
    { subresources: ['status'] },
  ),
  subject('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies', {
    spec: { podSelector: { matchLabels: labels }, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] }] },
  }),
  subject('rbac.authorization.k8s.io/v1', 'Role', 'roles', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }),
  subject('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'absent' },
    subjects: [{ kind: 'ServiceAccount', name: 'default', namespace }],
  }),
  subject(
    'rbac.authorization.k8s.io/v1',
    'ClusterRole',
    'clusterroles',
    {
      rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }],
    },
    clusterWide,
  ),
  subject(
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    'clusterrolebindings',
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'absent' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'somebody' }],
    },
    clusterWide,
  ),
  // Without a binding it decides nothing, but its expressions are compiled.
  subject(
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy',
    'validatingadmissionpolicies',
    {
      spec: {
        matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }] },
        validations: [{ expression: "object.metadata.name != 'x'", message: 'no' }],
      },
    },
    clusterWide,
  ),
]

export function collectionOf({ group, version, resource, namespaced }: Subject): string {
  return `${group === '' ? '/api/' : `/apis/${group}/`}${version}${namespaced ? `/namespaces/${namespace}` : ''}/${resource}`
}

export function nameOf(object: Fields): string {
  return (object['metadata'] as { name: string }).name
}
