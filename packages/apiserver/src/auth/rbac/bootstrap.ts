import type { JsonObject } from '../../json.ts'
import { aggregateRules } from './aggregation.ts'
import { rbacGroup } from './objects.ts'

/** The roles and bindings that a new cluster starts with: those that people bind to, and those that requests need to pass at all. */

const read = ['get', 'list', 'watch'] as const
const write = ['create', 'update', 'patch', 'delete', 'deletecollection'] as const

interface Grant {
  readonly verbs: readonly string[]
  readonly groups: readonly string[]
  readonly resources: readonly string[]
}

const may = (verbs: readonly string[], group: string, resources: readonly string[]): Grant => ({ verbs, groups: [group], resources })

function resourceRule({ verbs, groups, resources }: Grant): JsonObject {
  return { verbs: [...verbs].sort(), apiGroups: [...groups].sort(), resources: [...resources].sort() }
}

function pathRule(verbs: readonly string[], paths: readonly string[]): JsonObject {
  return { verbs: [...verbs].sort(), nonResourceURLs: [...paths].sort() }
}

const viewGrants: readonly Grant[] = [
  may(read, '', ['configmaps', 'endpoints', 'persistentvolumeclaims', 'persistentvolumeclaims/status', 'pods', 'replicationcontrollers']),
  may(read, '', ['replicationcontrollers/scale', 'serviceaccounts', 'services', 'services/status']),
  may(read, '', ['bindings', 'events', 'limitranges', 'namespaces/status', 'pods/log', 'pods/status', 'replicationcontrollers/status']),
  may(read, '', ['resourcequotas', 'resourcequotas/status']),
  may(read, '', ['namespaces']),
  may(read, 'discovery.k8s.io', ['endpointslices']),
  may(read, 'apps', ['controllerrevisions', 'daemonsets', 'daemonsets/status', 'deployments', 'deployments/scale', 'deployments/status']),
  may(read, 'apps', ['replicasets', 'replicasets/scale', 'replicasets/status']),
  may(read, 'apps', ['statefulsets', 'statefulsets/scale', 'statefulsets/status']),
  may(read, 'autoscaling', ['horizontalpodautoscalers', 'horizontalpodautoscalers/status']),
  may(read, 'batch', ['cronjobs', 'cronjobs/status', 'jobs', 'jobs/status']),
  may(read, 'policy', ['poddisruptionbudgets', 'poddisruptionbudgets/status']),
  may(read, 'networking.k8s.io', ['ingresses', 'ingresses/status', 'networkpolicies']),
]

const editGrants: readonly Grant[] = [
  // Reading these lends the power of others, so viewers may not.
  may(read, '', ['pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy', 'secrets', 'services/proxy']),
  may(['impersonate'], '', ['serviceaccounts']),
  may(write, '', ['pods', 'pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy']),
  may(['create'], '', ['pods/eviction']),
  may(write, '', ['configmaps', 'events', 'persistentvolumeclaims', 'replicationcontrollers', 'replicationcontrollers/scale']),
  may(write, '', ['secrets', 'serviceaccounts', 'services', 'services/proxy']),
  may(['create'], '', ['serviceaccounts/token']),
  may(write, 'apps', ['daemonsets', 'deployments', 'deployments/rollback', 'deployments/scale', 'replicasets', 'replicasets/scale']),
  may(write, 'apps', ['statefulsets', 'statefulsets/scale']),
  may(write, 'autoscaling', ['horizontalpodautoscalers']),
  may(write, 'batch', ['cronjobs', 'jobs']),
  may(write, 'policy', ['poddisruptionbudgets']),
  may(write, 'networking.k8s.io', ['ingresses', 'networkpolicies']),
  may([...read, ...write], 'coordination.k8s.io', ['leases']),
]

const adminGrants: readonly Grant[] = [
  may(['create'], 'authorization.k8s.io', ['localsubjectaccessreviews']),
  may([...read, ...write], rbacGroup, ['rolebindings', 'roles']),
]

const health = ['/healthz', '/livez', '/readyz'] as const
const version = ['/version', '/version/'] as const

const plainRoles: Readonly<Record<string, readonly JsonObject[]>> = {
  'cluster-admin': [resourceRule(may(['*'], '*', ['*'])), pathRule(['*'], ['*'])],
  'system:auth-delegator': [
    resourceRule(may(['create'], 'authentication.k8s.io', ['tokenreviews'])),
    resourceRule(may(['create'], 'authorization.k8s.io', ['subjectaccessreviews'])),
  ],
  'system:basic-user': [
    resourceRule(may(['create'], 'authorization.k8s.io', ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'])),
    resourceRule(may(['create'], 'authentication.k8s.io', ['selfsubjectreviews'])),
  ],
  'system:discovery': [pathRule(['get'], [...health, ...version, '/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*'])],
  'system:monitoring': [pathRule(['get'], [...health, ...health.map((path) => `${path}/*`), '/metrics', '/metrics/slis'])],
  'system:public-info-viewer': [pathRule(['get'], [...health, ...version])],
}

const bindings: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['system:masters'],
  'system:basic-user': ['system:authenticated'],
  'system:discovery': ['system:authenticated'],
  'system:monitoring': ['system:monitoring'],
  'system:public-info-viewer': ['system:authenticated', 'system:unauthenticated'],
}

const apiVersion = `${rbacGroup}/v1`
const aggregateTo = (role: string): string => `${rbacGroup}/aggregate-to-${role}`

/** Marks what the server made itself. */
function metadata(name: string, labels: Readonly<Record<string, string>> = {}): JsonObject {
  return {
    name,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  }
}

function clusterRole(name: string, rules: readonly JsonObject[], labels?: Readonly<Record<string, string>>): JsonObject {
  return { apiVersion, kind: 'ClusterRole', metadata: metadata(name, labels), rules }
}

/** What `role` is made of, and the role itself; each of the three is part of the next stronger one. */
function aggregated(role: string, grants: readonly Grant[], partOf?: string): readonly [JsonObject, JsonObject] {
  const part = clusterRole(`system:aggregate-to-${role}`, grants.map(resourceRule), { [aggregateTo(role)]: 'true' })
  const whole: JsonObject = {
    ...clusterRole(role, [], partOf === undefined ? {} : { [aggregateTo(partOf)]: 'true' }),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregateTo(role)]: 'true' } }] },
  }
  return [part, whole]
}

function clusterRoleBinding(name: string, groups: readonly string[]): JsonObject {
  return {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: metadata(name),
    subjects: groups.map((group) => ({ kind: 'Group', apiGroup: rbacGroup, name: group })),
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name },
  }
}

const objects: readonly JsonObject[] = (() => {
  const roles = Object.entries(plainRoles).map(([name, rules]) => clusterRole(name, rules))
  const steps = [aggregated('view', viewGrants, 'edit'), aggregated('edit', editGrants, 'admin'), aggregated('admin', adminGrants)]
  for (const [part, whole] of steps) {
    roles.push(part)
    roles.push({ ...whole, rules: aggregateRules(whole, roles) })
  }
  return [...roles, ...Object.entries(bindings).map(([name, groups]) => clusterRoleBinding(name, groups))]
})()

/** Without uid, resourceVersion and times: whoever stores them gives those. The same objects on each call. */
export function bootstrapRbac(): readonly JsonObject[] {
  return objects
}
