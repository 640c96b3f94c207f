import { badRequest } from '../errors/api-error.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { ResourceType, ResourceVersion } from '../registry/resource.ts'
import { compilePath } from '../table/json-path.ts'
import { type FieldRequirement, parseFieldSelector } from './field-parser.ts'

export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[]
  /** Set when only the object of this name can match: it can be read by its key. */
  readonly name?: string
  /** Set when only objects of this namespace can match. */
  readonly namespace?: string
  readonly matches: (object: JsonObject) => boolean
}

/** The value of one field label of an object; empty when it has none, which is what selectors compare with. */
type Reader = (object: JsonObject) => string

interface Labels {
  readonly readers: ReadonlyMap<string, Reader>
  readonly refuse: (label: string) => string
}

const labelsOf = new WeakMap<ResourceVersion, Labels>()

const metadataText =
  (field: 'name' | 'namespace'): Reader =>
  (object) =>
    isObject(object.metadata) ? text(object.metadata[field]) : ''

/**
 * The field selector of a request, for objects of one type in one version.
 *
 * Errors: 400 for an unreadable text and for labels the type does not know; the words depend on what kind of type it is.
 */
export function fieldSelector(type: ResourceType, versionName: string, selector: string): FieldSelector {
  const requirements = parseFieldSelector(selector)
  const { readers, refuse } = supportedLabels(type, versionName)
  const tests = requirements.map(({ label, operator, value }) => {
    const read = readers.get(label)
    if (read === undefined) throw badRequest(refuse(label))
    return (object: JsonObject): boolean => (read(object) === value) === (operator === '=')
  })
  const name = requirements.find(({ label, operator }) => label === 'metadata.name' && operator === '=')?.value
  const namespace = requirements.find(({ label, operator }) => label === 'metadata.namespace' && operator === '=')?.value
  return {
    requirements,
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    matches: (object) => tests.every((test) => test(object)),
  }
}

function supportedLabels(type: ResourceType, versionName: string): Labels {
  const version = type.versions.find(({ name }) => name === versionName)
  if (version === undefined) return readLabels(type, undefined)
  const known = labelsOf.get(version)
  if (known !== undefined) return known
  const labels = readLabels(type, version)
  labelsOf.set(version, labels)
  return labels
}

function readLabels(type: ResourceType, version: ResourceVersion | undefined): Labels {
  const readers = new Map<string, Reader>([['metadata.name', metadataText('name')]])
  const { fieldLabels } = type.behaviour
  const isPlainBuiltIn = !type.isCustom && fieldLabels === undefined
  if (type.namespaced || isPlainBuiltIn) readers.set('metadata.namespace', metadataText('namespace'))
  if (fieldLabels !== undefined) {
    const names = type.behaviour.fieldLabelNames ?? Object.keys(fieldLabels({}))
    for (const name of names) if (!readers.has(name)) readers.set(name, (object) => fieldLabels(object)[name] ?? '')
  }
  for (const path of version?.selectableFields ?? []) {
    const find = compilePath(path)
    readers.set(path.replace(/^\./, ''), (object) => text(find(object)[0]))
  }
  return { readers, refuse: isPlainBuiltIn ? refusePlain : refuseOwn }
}

function refusePlain(label: string): string {
  return `${JSON.stringify(label)} is not a known field selector: only "metadata.name", "metadata.namespace"`
}

function refuseOwn(label: string): string {
  return `field label not supported: ${label}`
}

function text(value: Json | undefined): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : ''
}
