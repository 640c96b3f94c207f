import type { JsonObject } from '../json.ts'

/**
 * How objects of built-in kinds look when nothing is set: real servers keep them in structures whose inner structures always exist. It
 * shows in field ownership only: whoever creates a Deployment owns `spec.replicas`, but not `spec` itself.
 */
const podTemplate: JsonObject = { metadata: { creationTimestamp: null }, spec: { containers: null } }
const jobSpec: JsonObject = { template: podTemplate }
const reference: JsonObject = {}
const names: JsonObject = { plural: '', kind: '' }

const nodeInfo: JsonObject = Object.fromEntries(
  [
    'machineID',
    'systemUUID',
    'bootID',
    'kernelVersion',
    'osImage',
    'containerRuntimeVersion',
    'kubeletVersion',
    'kubeProxyVersion',
    'operatingSystem',
    'architecture',
  ].map((name) => [name, '']),
)

const emptyObjects: Readonly<Record<string, JsonObject>> = {
  Namespace: { spec: {}, status: {} },
  Node: { spec: {}, status: { daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo } },
  Pod: { spec: { containers: null }, status: {} },
  Service: { spec: {}, status: { loadBalancer: {} } },
  PersistentVolumeClaim: { spec: { resources: {} }, status: {} },
  PersistentVolume: { spec: {}, status: {} },
  ResourceQuota: { spec: {}, status: {} },
  LimitRange: { spec: { limits: null } },
  Event: {
    involvedObject: reference,
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  },
  'Event.events.k8s.io': {
    regarding: reference,
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
    eventTime: null,
  },
  'Deployment.apps': { spec: { selector: null, template: podTemplate, strategy: {} }, status: {} },
  'ReplicaSet.apps': { spec: { selector: null, template: podTemplate }, status: { replicas: 0 } },
  'StatefulSet.apps': {
    spec: { selector: null, template: podTemplate, serviceName: '', updateStrategy: {} },
    status: { replicas: 0, availableReplicas: 0 },
  },
  'DaemonSet.apps': {
    spec: { selector: null, template: podTemplate, updateStrategy: {} },
    status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  },
  'Job.batch': { spec: jobSpec, status: {} },
  'CronJob.batch': { spec: { schedule: '', jobTemplate: { metadata: { creationTimestamp: null }, spec: jobSpec } }, status: {} },
  'PodDisruptionBudget.policy': {
    spec: {},
    status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  },
  'NetworkPolicy.networking.k8s.io': { spec: { podSelector: {} } },
  'Lease.coordination.k8s.io': { spec: {} },
  'Scale.autoscaling': { spec: {}, status: { replicas: 0 } },
  'Role.rbac.authorization.k8s.io': { rules: null },
  'ClusterRole.rbac.authorization.k8s.io': { rules: null },
  'RoleBinding.rbac.authorization.k8s.io': { roleRef: { apiGroup: '', kind: '', name: '' } },
  'ClusterRoleBinding.rbac.authorization.k8s.io': { roleRef: { apiGroup: '', kind: '', name: '' } },
  'CustomResourceDefinition.apiextensions.k8s.io': {
    spec: { group: '', names, scope: '', versions: null },
    status: { conditions: null, acceptedNames: names, storedVersions: null },
  },
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io': { spec: {}, status: {} },
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io': { spec: {} },
}

const nothing: JsonObject = {}

/** The empty form of an object's kind; without any section for kinds that have none. */
export function emptyObjectOf({ apiVersion, kind }: JsonObject): JsonObject {
  const group = typeof apiVersion === 'string' && apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : ''
  const name = `${typeof kind === 'string' ? kind : ''}${group}`
  return (Object.hasOwn(emptyObjects, name) ? emptyObjects[name] : undefined) ?? nothing
}
