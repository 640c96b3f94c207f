import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom } from '@windlass/core'
import type { JsonObject } from '../json.ts'
import type { ResourceType, WriteContext } from '../registry/resource.ts'
import { builtinResources, decodeErrors, messageType, reviewKinds, subresourceKinds } from './index.ts'

function kind(resource: string, group?: string): ResourceType {
  const found = builtinResources.find((each) => each.resource === resource && (group === undefined || each.group === group))
  assert.ok(found !== undefined, resource)
  return found
}

const context: WriteContext = { now: Date.UTC(2026, 0, 1), random: seededRandom(1), subresource: '', user: 'admin' }
const hooks = (resource: string, group?: string): ResourceType['behaviour'] => kind(resource, group).behaviour
const label = (resource: string, object: JsonObject, name: string): string | undefined => hooks(resource).fieldLabels?.(object)[name]

const where = (test: (behaviour: ResourceType['behaviour']) => boolean): readonly string[] =>
  builtinResources.filter(({ behaviour }) => test(behaviour)).map(({ resource }) => resource)
const errors = (resource: string, object: JsonObject): unknown =>
  hooks(resource).validate?.(hooks(resource).normalize?.(object, context) ?? object, undefined, context)
const specIn = (object: JsonObject): JsonObject => object.spec as JsonObject

describe('built-in kinds in discovery', () => {
  const all = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
  const facts: readonly (readonly [
    resource: string,
    kind: string,
    singular: string,
    shortNames: readonly string[],
    categories: readonly string[],
    namespaced: boolean,
  ])[] = [
    ['configmaps', 'ConfigMap', 'configmap', ['cm'], [], true],
    ['secrets', 'Secret', 'secret', [], [], true],
    ['serviceaccounts', 'ServiceAccount', 'serviceaccount', ['sa'], [], true],
    ['events', 'Event', 'event', ['ev'], [], true],
    ['pods', 'Pod', 'pod', ['po'], ['all'], true],
    ['nodes', 'Node', 'node', ['no'], [], false],
    ['services', 'Service', 'service', ['svc'], ['all'], true],
    ['endpoints', 'Endpoints', 'endpoints', ['ep'], [], true],
    ['persistentvolumeclaims', 'PersistentVolumeClaim', 'persistentvolumeclaim', ['pvc'], [], true],
    ['leases', 'Lease', 'lease', [], [], true],
    ['roles', 'Role', 'role', [], [], true],
    ['rolebindings', 'RoleBinding', 'rolebinding', [], [], true],
    ['clusterroles', 'ClusterRole', 'clusterrole', [], [], false],
    ['clusterrolebindings', 'ClusterRoleBinding', 'clusterrolebinding', [], [], false],
    ['poddisruptionbudgets', 'PodDisruptionBudget', 'poddisruptionbudget', ['pdb'], [], true],
    ['deployments', 'Deployment', 'deployment', ['deploy'], ['all'], true],
    ['statefulsets', 'StatefulSet', 'statefulset', ['sts'], ['all'], true],
    ['daemonsets', 'DaemonSet', 'daemonset', ['ds'], ['all'], true],
    ['replicasets', 'ReplicaSet', 'replicaset', ['rs'], ['all'], true],
    ['jobs', 'Job', 'job', [], ['all'], true],
    ['cronjobs', 'CronJob', 'cronjob', ['cj'], ['all'], true],
    ['networkpolicies', 'NetworkPolicy', 'networkpolicy', ['netpol'], [], true],
  ]
  for (const [resource, name, singular, shortNames, categories, namespaced] of facts) {
    it(`DI-006 DI-007 ${resource}`, () => {
      const { verbs, ...type } = kind(resource)
      assert.deepEqual(
        [type.kind, type.singular, type.shortNames, type.categories, type.namespaced],
        [name, singular, shortNames, categories, namespaced],
      )
      assert.deepEqual(verbs.toSorted(), all)
      assert.equal(type.listKind, `${name}List`)
    })
  }

  it('DI-006 namespaces cannot be deleted as a collection', () => {
    assert.deepEqual(
      kind('namespaces').verbs.toSorted(),
      all.filter((verb) => verb !== 'deletecollection'),
    )
  })

  it('DI-012 subresources of the core group', () => {
    const names = (resource: string): readonly string[] => (kind(resource).extraSubresources ?? []).map(({ name }) => name)
    assert.deepEqual(names('pods'), [
      'attach',
      'binding',
      'ephemeralcontainers',
      'eviction',
      'exec',
      'log',
      'portforward',
      'proxy',
      'resize',
    ])
    assert.deepEqual(kind('serviceaccounts').extraSubresources, [
      { name: 'token', group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: ['create'] },
    ])
    assert.deepEqual(names('namespaces'), ['finalize'])
  })

  it('DI-007 the reviews', () => {
    assert.deepEqual(
      reviewKinds.map(({ resource, namespaced }) => [resource, namespaced]),
      [
        ['tokenreviews', false],
        ['selfsubjectreviews', false],
        ['subjectaccessreviews', false],
        ['localsubjectaccessreviews', true],
        ['selfsubjectaccessreviews', false],
        ['selfsubjectrulesreviews', false],
      ],
    )
    assert.deepEqual(
      subresourceKinds.map(({ kind: name }) => name),
      ['TokenRequest', 'Eviction', 'Binding', 'Scale'],
    )
  })

  it('which kinds keep a generation, overwrite without a revision, are created by an update, answer deletions with the object', () => {
    assert.deepEqual(
      where((each) => !each.allowsUnconditionalUpdate),
      ['validatingadmissionpolicies', 'validatingadmissionpolicybindings', 'leases', 'poddisruptionbudgets'],
    )
    assert.deepEqual(
      where((each) => each.allowsCreateOnUpdate),
      [
        'endpoints',
        'events',
        'limitranges',
        'services',
        'leases',
        'events',
        'clusterroles',
        'clusterrolebindings',
        'roles',
        'rolebindings',
      ],
    )
    assert.deepEqual(
      where((each) => each.deleteAnswersObject),
      ['namespaces', 'persistentvolumeclaims', 'pods', 'resourcequotas', 'serviceaccounts', 'services'],
    )
    assert.deepEqual(
      where((each) => each.hasGeneration),
      [
        'pods',
        'validatingadmissionpolicies',
        'validatingadmissionpolicybindings',
        'daemonsets',
        'deployments',
        'replicasets',
        'statefulsets',
        'cronjobs',
        'jobs',
        'networkpolicies',
        'poddisruptionbudgets',
      ],
    )
  })
})

describe('field labels', () => {
  it('RD-035 of Secrets, Namespaces and Events', () => {
    assert.equal(label('secrets', { type: 'example.com/own' }, 'type'), 'example.com/own')
    assert.equal(label('namespaces', { status: { phase: 'Active' } }, 'status.phase'), 'Active')
    const event = {
      apiVersion: 'v1',
      involvedObject: { kind: 'Pod', uid: 'u-1' },
      reason: 'Started',
      source: { component: 'kubelet' },
      reportingComponent: 'k',
    }
    assert.equal(label('events', event, 'involvedObject.kind'), 'Pod')
    assert.equal(label('events', event, 'involvedObject.fieldPath'), '')
    assert.equal(label('events', event, 'source'), 'kubelet')
    assert.equal(label('events', { ...event, source: {} }, 'source'), 'k')
    assert.equal(hooks('events', 'events.k8s.io').fieldLabels?.(event)['regarding.uid'], 'u-1')
  })

  it('RD-036 of Pods and Nodes', () => {
    const pod = { spec: { nodeName: 'n1', restartPolicy: 'Never', schedulerName: 's' }, status: { phase: 'Pending' } }
    assert.deepEqual(hooks('pods').fieldLabels?.(pod), {
      'spec.nodeName': 'n1',
      'spec.restartPolicy': 'Never',
      'spec.schedulerName': 's',
      'spec.serviceAccountName': '',
      'spec.hostNetwork': 'false',
      'status.phase': 'Pending',
      'status.podIP': '',
      'status.nominatedNodeName': '',
    })
    assert.equal(label('nodes', { spec: { unschedulable: true } }, 'spec.unschedulable'), 'true')
    assert.equal(hooks('deployments').fieldLabels, undefined)
  })
})

describe('limits and lifetimes', () => {
  it('NE-022 a ConfigMap and a Secret hold at most 1 MiB', () => {
    const tooMuch = { type: 'TooLong', detail: 'may not be more than 1048576 bytes' }
    assert.deepEqual(errors('configmaps', { data: { k: 'x'.repeat(1_048_577) } }), [{ ...tooMuch, field: '[]' }])
    assert.deepEqual(errors('configmaps', { data: { k: 'x'.repeat(1_048_576) } }), [])
    assert.deepEqual(errors('secrets', { stringData: { k: 'x'.repeat(1_048_577) } }), [{ ...tooMuch, field: 'data' }])
  })

  it('events live for an hour', () => assert.equal(hooks('events').timeToLive, 3600))

  it('DE-029 a Pod that was never placed needs no time to end, a running one as long as it says', () => {
    const { gracePeriod } = hooks('pods')
    const placed = { spec: { nodeName: 'n1', terminationGracePeriodSeconds: 30 }, status: { phase: 'Running' } }
    assert.equal(gracePeriod?.({ spec: { terminationGracePeriodSeconds: 30 } }, undefined), 0)
    assert.equal(gracePeriod?.(placed, undefined), 30)
    assert.equal(gracePeriod?.(placed, 5), 5)
    assert.equal(gracePeriod?.({ ...placed, status: { phase: 'Failed' } }, 5), 0)
  })

  it('NS-004 FV-030 a deleted namespace is terminating, held by its finalizers, and has no grace period', () => {
    const { markDeleted, isHeld } = hooks('namespaces')
    const marked = markDeleted?.(
      { metadata: { name: 'a', deletionGracePeriodSeconds: 0 }, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } },
      context,
    )
    assert.deepEqual(marked, { metadata: { name: 'a' }, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Terminating' } })
    assert.equal(isHeld?.(marked ?? {}), true)
    assert.equal(isHeld?.({ spec: {} }), false)
  })
})

describe('updates of services', () => {
  const { normalize, prepareForCreate, prepareForUpdate, validate } = hooks('services')
  const make = (spec: JsonObject): JsonObject =>
    prepareForCreate?.(normalize?.({ metadata: { name: 'a' }, spec }, context) ?? {}, context) ?? {}
  const change = (old: JsonObject, spec: JsonObject): JsonObject =>
    prepareForUpdate?.(normalize?.({ metadata: { name: 'a' }, spec }, context) ?? {}, old, context) ?? {}

  it('a PUT that says nothing about addresses keeps them', () => {
    const old = make({ type: 'NodePort', ports: [{ port: 80 }] })
    const next = change(old, { type: 'NodePort', ports: [{ port: 80 }], selector: { a: 'b' } })
    assert.deepEqual({ ...specIn(next), selector: null }, { ...specIn(old), selector: null })
    assert.deepEqual(validate?.(next, old, context), [])
  })

  it('addresses come from the range of services, ports from that of nodes', () => {
    for (let round = 0; round < 50; round++) {
      const { clusterIP, ports } = specIn(make({ type: 'NodePort', ports: [{ port: 80 }] })) as {
        clusterIP: string
        ports: readonly { nodePort: number }[]
      }
      const [first, second] = clusterIP.split('.').map(Number)
      assert.ok(first === 10 && second !== undefined && second >= 96 && second <= 111, clusterIP)
      const nodePort = ports[0]?.nodePort ?? 0
      assert.ok(nodePort >= 30_000 && nodePort <= 32_767)
    }
  })

  it('a service that becomes ExternalName gives its address back', () => {
    const old = make({ ports: [{ port: 80 }] })
    const { ports, selector, ...kept } = specIn(old)
    const next = change(old, { ...kept, type: 'ExternalName', externalName: 'example.com' })
    assert.deepEqual(specIn(next), { type: 'ExternalName', sessionAffinity: 'None', externalName: 'example.com' })
    assert.ok(ports !== undefined && selector === undefined)
  })
})

describe('decoding', () => {
  it('CR-029 tells why a body is not of its kind', () => {
    assert.equal(
      decodeErrors(kind('configmaps'), { data: { k: 1 } }),
      'json: cannot unmarshal number into Go struct field .data.k of type string',
    )
    assert.equal(
      decodeErrors(kind('configmaps'), { metadata: { name: 3 } }),
      'json: cannot unmarshal number into Go struct field .metadata.name of type string',
    )
    assert.equal(decodeErrors(kind('secrets'), { data: { k: '***' } }), 'illegal base64 data at input byte 0')
    assert.equal(decodeErrors(kind('configmaps'), { data: { k: 'v' } }), undefined)
  })

  it('every kind has a declaration for protobuf readers', () => {
    for (const { group, kind: name } of [...builtinResources, ...reviewKinds, ...subresourceKinds]) {
      assert.ok(messageType(group === '' ? 'v1' : `${group}/v1`, name) !== undefined, name)
    }
    assert.ok(messageType('apps/v1', 'DeleteOptions') !== undefined)
    assert.equal(messageType('apps/v1', 'ControllerRevision'), undefined)
  })
})
