import { type FieldError, forbidden, invalid, notSupported, required } from '../../errors/field-error.ts'
import { equalJson, type JsonObject } from '../../json.ts'
import { ageColumn, column, wide } from '../columns.ts'
import { dnsSubdomain, immutable, labelSelectorErrors, oneOfIfSet } from '../checks.ts'
import { compareQuantities, isNegativeQuantity } from '../dsl/index.ts'
import { persistentVolumeClaimSpec, persistentVolumeClaimStatus } from '../fields/claims.ts'
import { defineKind } from '../kind.ts'
import { change, fill, isAbsent, metadataOf, objectIn, put, specOf, statusOf, textIn, textsIn } from '../tree.ts'

export const persistentVolumeClaim = defineKind({
  group: '',
  kind: 'PersistentVolumeClaim',
  resource: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  fields: { spec: persistentVolumeClaimSpec, status: persistentVolumeClaimStatus },
  hasStatus: true,
  columns: [
    column('Status', 'Whether the claim is bound.', phaseText),
    column('Volume', 'The volume it is bound to.', (object) => textIn(specOf(object).volumeName)),
    column('Capacity', 'How much the volume holds.', (object) =>
      isBound(object) ? textIn(objectIn(statusOf(object).capacity).storage) : '',
    ),
    column('Access Modes', 'How the volume may be mounted.', (object) =>
      isBound(object) ? modesText(textsIn(statusOf(object).accessModes)) : '',
    ),
    column('StorageClass', 'The class it asks for.', (object) => textIn(specOf(object).storageClassName)),
    column(
      'VolumeAttributesClass',
      'The class of attributes it asks for.',
      (object) => textIn(specOf(object).volumeAttributesClassName) || '<unset>',
    ),
    ageColumn,
    wide('VolumeMode', 'File system or block device.', (object) => textIn(specOf(object).volumeMode) || '<unset>'),
  ],
  defaults: completeClaim,
  behaviour: {
    deleteAnswersObject: true,
    prepareForCreate: (object) => put(object, 'status', { phase: 'Pending' }),
    prepareForUpdate: (object, old, { subresource }) =>
      subresource === 'status' ? put(object, 'spec', old.spec) : put(object, 'status', old.status),
    validate: (object, old, { subresource }) => {
      if (subresource === 'status') return []
      return [...claimSpecErrors(specOf(object), 'spec'), ...(old === undefined ? [] : changeErrors(object, old))]
    },
  },
})

/** What claims may leave out; templates of claims too. */
export function completeClaim(claim: JsonObject): JsonObject {
  const withMode = change(claim, 'spec', (spec) => fill(sameSource(spec), { volumeMode: 'Filesystem' }))
  return change(withMode, 'status', (status) => fill(status, { phase: 'Pending' }))
}

/** The newer way to name a data source also says what the older one says, and the other way round. */
function sameSource(spec: JsonObject): JsonObject {
  const { dataSource, dataSourceRef } = spec
  if (!isAbsent(dataSource) && isAbsent(dataSourceRef)) return put(spec, 'dataSourceRef', dataSource)
  if (isAbsent(dataSource) && !isAbsent(dataSourceRef) && isAbsent(objectIn(dataSourceRef).namespace))
    return put(spec, 'dataSource', dataSourceRef)
  return spec
}

const isBound = (object: JsonObject): boolean => textIn(specOf(object).volumeName) !== ''

function phaseText(object: JsonObject): string {
  return isAbsent(metadataOf(object).deletionTimestamp) ? textIn(statusOf(object).phase) : 'Terminating'
}

const shortModes: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
]
const supportedModes = shortModes.map(([mode]) => mode).toSorted()

function modesText(modes: readonly string[]): string {
  return shortModes
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',')
}

export function claimSpecErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const modes = textsIn(spec.accessModes)
  const storage = objectIn(objectIn(spec.resources).requests).storage
  const place = `${field}.resources[storage]`
  const errors: FieldError[] = []
  if (modes.length === 0) errors.push(required(`${field}.accessModes`, 'at least 1 access mode is required'))
  errors.push(...labelSelectorErrors(spec.selector, `${field}.selector`))
  errors.push(
    ...modes.filter((mode) => !supportedModes.includes(mode)).map((mode) => notSupported(`${field}.accessModes`, mode, supportedModes)),
  )
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod' && supportedModes.includes(mode))) {
    errors.push(forbidden(`${field}.accessModes`, 'may not use ReadWriteOncePod with other access modes'))
  }
  if (isAbsent(storage)) errors.push(required(place))
  else if (isNegativeQuantity(textIn(storage)) || textIn(storage) === '0') errors.push(invalid(place, storage, 'must be greater than zero'))
  if (textIn(spec.storageClassName) !== '') errors.push(...dnsSubdomain(textIn(spec.storageClassName), `${field}.storageClassName`))
  return [...errors, ...oneOfIfSet(spec.volumeMode, `${field}.volumeMode`, ['Block', 'Filesystem'])]
}

function changeErrors(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [next, before] = [specOf(object), specOf(old)]
  const errors: FieldError[] = []
  if (!equalJson(withFreedom(next, before, object), before)) {
    errors.push(
      forbidden('spec', 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'),
    )
  }
  const [size, oldSize] = [next, before].map((spec) => textIn(objectIn(objectIn(spec.resources).requests).storage) || '0')
  const held = textIn(objectIn(statusOf(old).capacity).storage) || '0'
  if (compareQuantities(size ?? '0', oldSize ?? '0') < 0 && compareQuantities(size ?? '0', held) <= 0) {
    errors.push(forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'))
  }
  return [...errors, ...immutable(next.volumeMode, before.volumeMode, 'volumeMode')]
}

/** The new spec with those fields taken back that may change. */
function withFreedom(next: JsonObject, before: JsonObject, object: JsonObject): JsonObject {
  let spec = next
  if (textIn(before.volumeName) === '') spec = put(spec, 'volumeName', before.volumeName)
  if (isAbsent(before.storageClassName)) spec = put(spec, 'storageClassName', before.storageClassName)
  if (textIn(statusOf(object).phase) !== 'Bound') return spec
  const storage = objectIn(objectIn(before.resources).requests).storage
  spec = change(spec, 'resources', (resources) => change(resources, 'requests', (requests) => put(requests, 'storage', storage)))
  return isAbsent(next.volumeAttributesClassName) ? spec : put(spec, 'volumeAttributesClassName', before.volumeAttributesClassName)
}
