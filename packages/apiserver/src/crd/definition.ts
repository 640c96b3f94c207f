import { isObject, type JsonObject, type MutableObject } from '../json.ts'
import type { Behaviour, ResourceType, WriteContext } from '../registry/resource.ts'
import { definitionSchema } from './definition-schema.ts'
import { object, readDefinition, text } from './model.ts'
import { terminating } from './status.ts'
import { statusErrors, validateCrd } from './validate.ts'

/** Keeps a deleted definition until the last of its objects is gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

const behaviour: Behaviour = {
  names: 'subdomain',
  allowsUnconditionalUpdate: false,
  allowsCreateOnUpdate: false,
  hasGeneration: true,
  deleteAnswersObject: true,
  typed: true,
  normalize,
  prepareForCreate: (crd) => ({ ...crd, status: { acceptedNames: { plural: '', kind: '' }, storedVersions: withStorageVersion(crd, []) } }),
  prepareForUpdate,
  validate: (crd, old, { subresource }) => (subresource === 'status' ? statusErrors(crd) : validateCrd(crd, old)),
  markDeleted,
}

export const customResourceDefinitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  resource: 'customresourcedefinitions',
  singular: 'customresourcedefinition',
  kind: 'CustomResourceDefinition',
  listKind: 'CustomResourceDefinitionList',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  versions: [
    {
      name: 'v1',
      served: true,
      schema: definitionSchema,
      hasStatus: true,
      columns: [
        {
          name: 'Created At',
          type: 'date',
          description: 'The time at which the server created the object, in UTC.',
          priority: 0,
          cell: (crd) => text(object(crd.metadata).creationTimestamp),
        },
      ],
      selectableFields: [],
    },
  ],
  storageVersion: 'v1',
  isCustom: false,
  behaviour,
}

/** Fills in the names that follow from the kind, and that nothing is converted. */
function normalize(crd: JsonObject): JsonObject {
  if (!isObject(crd.spec)) return crd
  const names = withDefaultNames(object(crd.spec.names))
  const conversion = isObject(crd.spec.conversion) ? withServicePort(crd.spec.conversion) : { strategy: 'None' }
  if (names === crd.spec.names && conversion === crd.spec.conversion) return crd
  return { ...crd, spec: { ...crd.spec, names, conversion } }
}

function withDefaultNames(names: JsonObject): JsonObject {
  const kind = text(names.kind)
  const added: MutableObject = {}
  if (text(names.singular) === '' && kind !== '') added.singular = kind.toLowerCase()
  if (text(names.listKind) === '' && kind !== '') added.listKind = `${kind}List`
  return Object.keys(added).length === 0 ? names : { ...names, ...added }
}

function withServicePort(conversion: JsonObject): JsonObject {
  const webhook = object(conversion.webhook)
  const client = object(webhook.clientConfig)
  if (!isObject(client.service) || client.service.port !== undefined) return conversion
  const clientConfig = { ...client, service: { ...client.service, port: 443 } }
  return { ...conversion, webhook: { ...webhook, clientConfig } }
}

/** Objects are stored in one version; every version that ever was is remembered until somebody has migrated them. */
function withStorageVersion(crd: JsonObject, stored: readonly string[]): readonly string[] {
  const version = readDefinition(crd).versions.find(({ isStored }) => isStored)?.name
  return version === undefined || stored.includes(version) ? stored : [...stored, version]
}

function prepareForUpdate(crd: JsonObject, old: JsonObject, { subresource }: WriteContext): JsonObject {
  if (subresource === 'status') return { ...crd, spec: old.spec ?? {} }
  const status = object(old.status)
  const before = readDefinition(old).storedVersions
  const storedVersions = withStorageVersion(crd, before)
  return { ...crd, status: storedVersions === before ? status : { ...status, storedVersions } }
}

function markDeleted(crd: JsonObject, { now }: WriteContext): JsonObject {
  const metadata = object(crd.metadata)
  const finalizers = Array.isArray(metadata.finalizers) ? metadata.finalizers : []
  const kept = finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer]
  return { ...crd, metadata: { ...metadata, finalizers: kept }, status: terminating(object(crd.status), now) }
}
