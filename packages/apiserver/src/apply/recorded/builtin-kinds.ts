import { isArray, isObject, type Json, type JsonObject } from '../../json.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { RecordedKind } from './server.ts'

/** As much of some built-in kinds as the recorded scenarios touch. */
const string: JsonSchema = { type: 'string' }
const integer: JsonSchema = { type: 'integer' }
const either: JsonSchema = { 'x-kubernetes-int-or-string': true }
const strings: JsonSchema = { type: 'object', additionalProperties: string }
const struct = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties })
const atomic = (schema: JsonSchema): JsonSchema => ({ ...schema, 'x-kubernetes-map-type': 'atomic' })
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items, 'x-kubernetes-list-type': 'atomic' })
const named = (key: string, items: JsonSchema): JsonSchema => ({
  type: 'array',
  items,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': [key],
  'x-kubernetes-patch-strategy': 'merge',
  'x-kubernetes-patch-merge-key': key,
})
const time: JsonSchema = { type: 'string', format: 'date-time' }
const condition = (...times: string[]): JsonSchema =>
  struct({ type: string, status: string, reason: string, message: string, ...Object.fromEntries(times.map((name) => [name, time])) })
const reference = atomic(struct({ name: string }))
const selector = atomic(struct({ matchLabels: strings }))
const container = struct({
  name: string,
  image: string,
  imagePullPolicy: string,
  terminationMessagePath: string,
  terminationMessagePolicy: string,
  resources: struct({ requests: strings }),
})
const podSpec = struct({
  containers: named('name', container),
  volumes: named('name', struct({ name: string, emptyDir: struct({ medium: string }) })),
  tolerations: list(struct({ key: string, operator: string })),
  dnsPolicy: string,
  restartPolicy: string,
  schedulerName: string,
  securityContext: struct({ runAsUser: integer }),
  terminationGracePeriodSeconds: integer,
})

function kind(apiVersion: string, properties: Record<string, JsonSchema>, more: Partial<RecordedKind> = {}): RecordedKind {
  return { isCustom: false, hasStatus: Object.hasOwn(properties, 'status'), schemas: { [apiVersion]: struct(properties) }, ...more }
}

/** Sections of an object replaced by what `change` makes of them. */
function section(object: JsonObject, name: string, change: (value: JsonObject) => Json): JsonObject {
  const value = object[name]
  return { ...object, [name]: change(isObject(value) ? value : {}) }
}

const withTimes =
  (...times: string[]) =>
  (object: JsonObject): JsonObject =>
    section(object, 'status', (status) => {
      if (!isArray(status.conditions)) return status
      const missing = Object.fromEntries(times.map((name) => [name, null]))
      return { ...status, conditions: status.conditions.map((each) => (isObject(each) ? { ...missing, ...each } : each)) }
    })

function defaultDeployment(object: JsonObject): JsonObject {
  const preset = { image: '', imagePullPolicy: 'IfNotPresent', resources: {}, terminationMessagePath: '/dev/termination-log' }
  const complete = section(object, 'spec', (spec) => ({
    replicas: 1,
    progressDeadlineSeconds: 600,
    revisionHistoryLimit: 10,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    ...section(spec, 'template', (template) =>
      section(template, 'spec', (pod) => ({
        dnsPolicy: 'ClusterFirst',
        restartPolicy: 'Always',
        schedulerName: 'default-scheduler',
        securityContext: {},
        terminationGracePeriodSeconds: 30,
        ...pod,
        containers: (isArray(pod.containers) ? pod.containers : []).map((each) =>
          isObject(each) ? { ...preset, terminationMessagePolicy: 'File', ...each } : each,
        ),
      })),
    ),
  }))
  return withTimes('lastUpdateTime', 'lastTransitionTime')(complete)
}

function foldStringData({ stringData, ...object }: JsonObject): JsonObject {
  if (!isObject(stringData)) return { type: 'Opaque', ...object }
  const encoded = Object.entries(stringData).map(([key, value]) => [
    key,
    Buffer.from(typeof value === 'string' ? value : '').toString('base64'),
  ])
  return { type: 'Opaque', ...section(object, 'data', (data) => ({ ...data, ...Object.fromEntries(encoded) })) }
}

function nameLabel(object: JsonObject): JsonObject {
  return section(object, 'metadata', (metadata) =>
    section(metadata, 'labels', (labels) => ({ ...labels, 'kubernetes.io/metadata.name': metadata.name ?? '' })),
  )
}

const zeroNode: JsonObject = Object.fromEntries(
  'machineID systemUUID bootID kernelVersion osImage containerRuntimeVersion kubeletVersion kubeProxyVersion operatingSystem architecture'
    .split(' ')
    .map((name) => [name, '']),
)
const zeroBudget = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }
const rbac = 'rbac.authorization.k8s.io/v1'

export const builtinKinds: Readonly<Record<string, RecordedKind>> = {
  ConfigMap: kind('v1', { data: strings, binaryData: strings }),
  Secret: kind('v1', { data: strings, stringData: strings, type: string }, { normalize: foldStringData }),
  Namespace: kind(
    'v1',
    { spec: struct({ finalizers: list(string) }), status: struct({ phase: string }) },
    { normalize: nameLabel, prepare: (object) => ({ ...object, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }) },
  ),
  ServiceAccount: kind('v1', { secrets: named('name', reference), imagePullSecrets: list(reference) }),
  Pod: kind(
    'v1',
    {
      spec: podSpec,
      status: struct({
        phase: string,
        podIP: string,
        podIPs: named('ip', struct({ ip: string })),
        conditions: named('type', condition('lastProbeTime', 'lastTransitionTime')),
      }),
    },
    { normalize: withTimes('lastProbeTime', 'lastTransitionTime') },
  ),
  Node: kind(
    'v1',
    {
      spec: struct({ taints: list(struct({ key: string, effect: string })) }),
      status: struct({
        conditions: named('type', condition('lastHeartbeatTime', 'lastTransitionTime')),
        daemonEndpoints: struct({ kubeletEndpoint: struct({ Port: integer }) }),
        nodeInfo: struct(Object.fromEntries(Object.keys(zeroNode).map((name) => [name, string]))),
      }),
    },
    {
      normalize: (object) =>
        withTimes(
          'lastHeartbeatTime',
          'lastTransitionTime',
        )(section(object, 'status', (status) => ({ daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo: zeroNode, ...status }))),
    },
  ),
  Deployment: kind(
    'apps/v1',
    {
      spec: struct({
        replicas: integer,
        progressDeadlineSeconds: integer,
        revisionHistoryLimit: integer,
        selector,
        strategy: struct({ type: string, rollingUpdate: struct({ maxSurge: either, maxUnavailable: either }) }),
        template: struct({ metadata: struct({ labels: strings }), spec: podSpec }),
      }),
      status: struct({ replicas: integer, conditions: named('type', condition('lastUpdateTime', 'lastTransitionTime')) }),
    },
    { normalize: defaultDeployment },
  ),
  Lease: kind('coordination.k8s.io/v1', { spec: struct({ holderIdentity: string, leaseDurationSeconds: integer, renewTime: time }) }),
  Role: kind(rbac, { rules: list(struct({ apiGroups: list(string), resources: list(string), verbs: list(string) })) }),
  RoleBinding: kind(rbac, {
    roleRef: atomic(struct({ apiGroup: string, kind: string, name: string })),
    subjects: list(struct({ apiGroup: string, kind: string, name: string })),
  }),
  PodDisruptionBudget: kind(
    'policy/v1',
    {
      spec: struct({ minAvailable: either, selector }),
      status: struct({
        disruptionsAllowed: integer,
        currentHealthy: integer,
        desiredHealthy: integer,
        expectedPods: integer,
        observedGeneration: integer,
        conditions: named('type', condition('lastTransitionTime')),
      }),
    },
    { normalize: (object) => section(object, 'status', (status) => ({ ...zeroBudget, ...status })) },
  ),
  CustomResourceDefinition: kind(
    'apiextensions.k8s.io/v1',
    {
      spec: struct({
        group: string,
        scope: string,
        names: struct({ plural: string, kind: string, singular: string, listKind: string }),
        versions: list({ type: 'object' }),
      }),
    },
    {
      normalize: (object) =>
        section(object, 'spec', (spec) => section(spec, 'names', (names) => ({ singular: 'thing', listKind: 'ThingList', ...names }))),
    },
  ),
}
