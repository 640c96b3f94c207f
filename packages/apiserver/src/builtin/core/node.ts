import { type FieldError, duplicate, forbidden, invalid, required } from '../../errors/field-error.ts'
import { equalJson, isObject, type JsonObject } from '../../json.ts'
import { ageColumn, column, orNone, wide } from '../columns.ts'
import { labelValueProblems } from '../../registry/names.ts'
import { oneOf, qualifiedName } from '../checks.ts'
import { nodeSpec, nodeStatus } from '../fields/nodes.ts'
import { defineKind } from '../kind.ts'
import { change, itemsIn, metadataOf, objectIn, objectsIn, put, specOf, statusOf, textIn } from '../tree.ts'
import { cidrErrors } from './addresses.ts'

const known = (text: string): string => (text === '' ? '<unknown>' : text)
const info = (object: JsonObject, field: string): string => textIn(objectIn(statusOf(object).nodeInfo)[field])

export const node = defineKind({
  group: '',
  kind: 'Node',
  resource: 'nodes',
  shortNames: ['no'],
  isClusterScoped: true,
  fields: { spec: nodeSpec, status: nodeStatus },
  hasStatus: true,
  columns: [
    column('Status', 'Whether the node is ready and takes new Pods.', readiness),
    column('Roles', 'What the node is for.', (object) => orNone(roles(object).join(','))),
    ageColumn,
    column('Version', 'Version of the kubelet.', (object) => info(object, 'kubeletVersion')),
    wide('Internal-IP', 'Address inside the cluster.', (object) => address(object, 'InternalIP')),
    wide('External-IP', 'Address outside the cluster.', (object) => address(object, 'ExternalIP')),
    wide('OS-Image', 'Operating system of the node.', (object) => known(info(object, 'osImage'))),
    wide('Kernel-Version', 'Version of its kernel.', (object) => known(info(object, 'kernelVersion'))),
    wide('Container-Runtime', 'What runs its containers.', (object) => known(info(object, 'containerRuntimeVersion'))),
  ],
  // A node that does not say otherwise offers all it has.
  defaults: (object) =>
    change(object, 'status', (status) =>
      isObject(status.capacity) && status.allocatable === undefined ? put(status, 'allocatable', status.capacity) : status,
    ),
  behaviour: {
    prepareForUpdate: (object, old, { subresource }) =>
      subresource === 'status' ? put(object, 'spec', old.spec) : put(object, 'status', old.status),
    validate: (object, old) => [
      ...taintErrors(object),
      ...cidrListErrors(object),
      ...(old === undefined ? [] : changeErrors(object, old)),
      ...addressListErrors(object),
    ],
    fieldLabelNames: ['spec.unschedulable'],
    fieldLabels: (object) => ({ 'spec.unschedulable': String(specOf(object).unschedulable === true) }),
  },
})

function readiness(object: JsonObject): string {
  const ready = objectsIn(statusOf(object).conditions).find(({ type }) => type === 'Ready')
  const status = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return specOf(object).unschedulable === true ? `${status},SchedulingDisabled` : status
}

const rolePrefix = 'node-role.kubernetes.io/'

function roles(object: JsonObject): readonly string[] {
  const found = Object.entries(objectIn(metadataOf(object).labels)).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)]
    return key === 'kubernetes.io/role' ? [textIn(value)] : []
  })
  return [...new Set(found)].filter((role) => role !== '').toSorted()
}

function address(object: JsonObject, type: string): string {
  return orNone(textIn(objectsIn(statusOf(object).addresses).find((entry) => entry.type === type)?.address))
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

function taintErrors(object: JsonObject): readonly FieldError[] {
  const seen = new Set<string>()
  return objectsIn(specOf(object).taints).flatMap((taint, index) => {
    const field = `metadata.taints[${index}]`
    const identity = `${textIn(taint.key)}:${textIn(taint.effect)}`
    const again = seen.has(identity) ? [duplicate(field, taint)] : []
    seen.add(identity)
    return [
      ...(textIn(taint.key) === '' ? [required(`${field}.key`)] : qualifiedName(textIn(taint.key), `${field}.key`)),
      ...labelValueProblems(textIn(taint.value)).map((problem) => invalid(`${field}.value`, textIn(taint.value), problem)),
      ...oneOf(taint.effect, `${field}.effect`, effects),
      ...again,
    ]
  })
}

function cidrListErrors(object: JsonObject): readonly FieldError[] {
  return itemsIn(specOf(object).podCIDRs).flatMap((cidr, index) => cidrErrors(textIn(cidr), `spec.podCIDRs[${index}]`))
}

function addressListErrors(object: JsonObject): readonly FieldError[] {
  const seen = new Set<string>()
  return objectsIn(statusOf(object).addresses).flatMap((entry, index) => {
    const identity = JSON.stringify([entry.type, entry.address])
    const errors = seen.has(identity) ? [duplicate(`status.addresses[${index}]`, entry)] : []
    seen.add(identity)
    return errors
  })
}

/** What a cloud or a network gave to a node once stays. */
function changeErrors(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [next, before] = [specOf(object), specOf(old)]
  const errors: FieldError[] = []
  if (itemsIn(before.podCIDRs).length > 0 && !equalJson(next.podCIDRs, before.podCIDRs)) {
    errors.push(forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'))
  }
  if (textIn(before.providerID) !== '' && next.providerID !== before.providerID) {
    errors.push(forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'))
  }
  return errors
}
