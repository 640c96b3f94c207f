import { type FieldError, forbidden, GoText, invalid, required, tooLong } from '../errors/field-error.ts'
import { equalJson, isArray, isObject, type Json, type JsonObject, type MutableObject } from '../json.ts'
import { labelValueProblems, nameProblems, qualifiedNameProblems } from './names.ts'
import type { ResourceType } from './resource.ts'

/** Rules for `metadata` that hold for every kind. */

const annotationsLimit = 262_144
const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion'])

export function metadataOf(object: JsonObject): JsonObject {
  return isObject(object.metadata) ? object.metadata : {}
}

export function withMetadata(object: JsonObject, metadata: JsonObject): JsonObject {
  return object.metadata === metadata ? object : { ...object, metadata }
}

export function nameOf(object: JsonObject): string {
  return text(metadataOf(object).name)
}

export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

export function strings(value: Json | undefined): readonly string[] {
  return isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

export function isBeingDeleted(object: JsonObject): boolean {
  return metadataOf(object).deletionTimestamp !== undefined && metadataOf(object).deletionTimestamp !== null
}

/** `metadata` with some fields replaced; `undefined` removes one. */
export function changeMetadata(object: JsonObject, changes: Readonly<Record<string, Json | undefined>>): JsonObject {
  const next: MutableObject = { ...metadataOf(object) }
  for (const [field, value] of Object.entries(changes)) {
    if (value === undefined) delete next[field]
    else next[field] = value
  }
  return { ...object, metadata: next }
}

/** What is wrong with the metadata of any object, new or changed. */
export function metadataErrors(type: ResourceType, metadata: JsonObject, names: ResourceType['behaviour']['names']): readonly FieldError[] {
  const errors: FieldError[] = []
  const generateName = text(metadata.generateName)
  if (generateName !== '') {
    errors.push(...nameProblems(names, generateName, true).map((problem) => invalid('metadata.generateName', generateName, problem)))
  }
  const name = text(metadata.name)
  if (name === '') errors.push(required('metadata.name', 'name or generateName is required'))
  else errors.push(...nameProblems(names, name).map((problem) => invalid('metadata.name', name, problem)))
  const namespace = text(metadata.namespace)
  if (type.namespaced) {
    if (namespace === '') errors.push(required('metadata.namespace'))
    else errors.push(...nameProblems('label', namespace).map((problem) => invalid('metadata.namespace', namespace, problem)))
  }
  errors.push(...labelErrors(metadata.labels, 'metadata.labels'), ...annotationErrors(metadata.annotations))
  errors.push(...ownerErrors(metadata.ownerReferences), ...finalizerErrors(type, metadata.finalizers))
  return errors
}

export function labelErrors(labels: Json | undefined, field: string): readonly FieldError[] {
  if (!isObject(labels)) return []
  const errors: FieldError[] = []
  for (const [key, value] of Object.entries(labels)) {
    errors.push(...qualifiedNameProblems(key).map((problem) => invalid(field, key, problem)))
    errors.push(...labelValueProblems(text(value)).map((problem) => invalid(field, value, problem)))
  }
  return errors
}

function annotationErrors(annotations: Json | undefined): readonly FieldError[] {
  if (!isObject(annotations)) return []
  const errors: FieldError[] = []
  let size = 0
  for (const [key, value] of Object.entries(annotations)) {
    // Keys may be written in upper case here, unlike those of labels.
    errors.push(...qualifiedNameProblems(key.toLowerCase()).map((problem) => invalid('metadata.annotations', key, problem)))
    size += Buffer.byteLength(key) + Buffer.byteLength(text(value))
  }
  if (size > annotationsLimit) errors.push(tooLong('metadata.annotations', annotationsLimit))
  return errors
}

function ownerErrors(owners: Json | undefined): readonly FieldError[] {
  if (!isArray(owners)) return []
  const errors: FieldError[] = []
  const controllers: string[] = []
  for (const owner of owners) {
    if (!isObject(owner)) continue
    const apiVersion = text(owner.apiVersion)
    const field = 'metadata.ownerReferences'
    const version = apiVersion.split('/').length > 2 ? '' : (apiVersion.split('/').at(-1) ?? '')
    if (version === '') errors.push(invalid(`${field}.apiVersion`, apiVersion, 'version must not be empty'))
    for (const part of ['kind', 'name', 'uid']) {
      if (text(owner[part]) === '') errors.push(invalid(`${field}.${part}`, text(owner[part]), `${part} must not be empty`))
    }
    if (owner.kind === 'Event' && (apiVersion === 'v1' || apiVersion.startsWith('events.k8s.io/'))) {
      const group = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`
      errors.push(invalid(field, owner, `${group}, Kind=Event is disallowed from being an owner`))
    }
    if (owner.controller === true) controllers.push(`${text(owner.kind)}/${text(owner.name)}`)
  }
  if (controllers.length > 1) {
    const [first, second] = controllers
    const why = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`
    errors.push(invalid('metadata.ownerReferences', owners, why))
  }
  return errors
}

function finalizerErrors(type: ResourceType, finalizers: Json | undefined): readonly FieldError[] {
  const errors: FieldError[] = []
  const names = strings(finalizers)
  for (const name of names) {
    errors.push(...qualifiedNameProblems(name).map((problem) => invalid('metadata.finalizers', name, problem)))
  }
  if (names.includes('orphan') && names.includes('foregroundDeletion')) {
    errors.push(invalid('metadata.finalizers', names, 'finalizer orphan and foregroundDeletion cannot be both set'))
  }
  if (type.isCustom) return errors
  for (const [index, name] of names.entries()) {
    if (name.includes('/') || standardFinalizers.has(name)) continue
    errors.push(invalid(`metadata.finalizers[${index}]`, name, 'name is neither a standard finalizer name nor is it fully qualified'))
  }
  return errors
}

/** What a change of metadata may not do. */
export function metadataChangeErrors(next: JsonObject, old: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = []
  if (old.deletionTimestamp !== undefined) {
    const before = new Set(strings(old.finalizers))
    const added = strings(next.finalizers).filter((name) => !before.has(name))
    if (added.length > 0) {
      const list = added.map((name) => JSON.stringify(name)).join(', ')
      errors.push(
        forbidden(
          'metadata.finalizers',
          `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
        ),
      )
    }
  }
  const immutable = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds']
  for (const field of immutable) {
    if (equalJson(next[field], old[field])) continue
    errors.push(invalid(`metadata.${field}`, immutableValue(field, next[field]), 'field is immutable'))
  }
  errors.push(...labelErrors(next.labels, 'metadata.labels'), ...annotationErrors(next.annotations), ...ownerErrors(next.ownerReferences))
  return errors
}

function immutableValue(field: string, value: Json | undefined): Json | GoText {
  if (value === undefined || value === null) return new GoText('null')
  if (!field.endsWith('Timestamp')) return value
  return new GoText(`${text(value).replace('T', ' ').replace('Z', '')} +0000 UTC`)
}

/** Advice about finalizers of custom resources that no domain protects from collisions. */
export function finalizerWarnings(object: JsonObject, old: JsonObject | undefined): readonly string[] {
  const before = new Set(old === undefined ? [] : strings(metadataOf(old).finalizers))
  return strings(metadataOf(object).finalizers)
    .filter((name) => !name.includes('/') && !standardFinalizers.has(name) && !before.has(name))
    .map(
      (name) =>
        `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    )
}

/** Each owner once, with a warning for clients that name one twice. */
export function withUniqueOwners(object: JsonObject, warn: (text: string) => void): JsonObject {
  const owners = metadataOf(object).ownerReferences
  if (!isArray(owners) || owners.length < 2) return object
  const kept: Json[] = []
  const repeated = new Set<string>()
  for (const owner of owners) {
    if (kept.some((other) => equalJson(other, owner))) repeated.add(isObject(owner) ? text(owner.uid) : '')
    else kept.push(owner)
  }
  if (repeated.size === 0) return object
  warn(
    '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests ' +
      `as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...repeated].join(', ')}`,
  )
  return changeMetadata(object, { ownerReferences: kept })
}
