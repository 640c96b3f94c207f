import { isObject, type JsonObject } from '../json.ts'
import type { Behaviour, PathColumn, ResourceType, ResourceVersion, ScalePaths, Verb } from '../registry/resource.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { readDefinition, text, type Column, type Definition, type Names, type Version } from './model.ts'
import { byPriority } from './priority.ts'

/** In the order in which servers list them for custom resources. */
const verbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

const behaviour: Behaviour = {
  names: 'subdomain',
  allowsUnconditionalUpdate: false,
  allowsCreateOnUpdate: false,
  hasGeneration: true,
  deleteAnswersObject: false,
  typed: false,
}

const known = new WeakMap<JsonObject, ResourceType>()

/** What an established definition serves. The same definition always gives the same type, so that what others keep about it stays valid. */
export function toResourceType(crd: JsonObject): ResourceType {
  const found = known.get(crd)
  if (found !== undefined) return found
  const type = build(readDefinition(crd))
  known.set(crd, type)
  return type
}

function build(definition: Definition): ResourceType {
  const names = servedNames(definition)
  const versions = definition.versions.toSorted((x, y) => byPriority(x.name, y.name))
  return {
    group: definition.group,
    resource: names.plural,
    singular: names.singular,
    kind: names.kind,
    listKind: names.listKind,
    shortNames: names.shortNames,
    categories: names.categories,
    namespaced: definition.scope === 'Namespaced',
    verbs,
    versions: versions.map((version) => servedVersion(version, definition)),
    storageVersion: definition.versions.find(({ isStored }) => isStored)?.name ?? '',
    isCustom: true,
    behaviour,
  }
}

/** The names that were accepted; before that, those that were asked for. */
function servedNames({ names, accepted }: Definition): Names {
  return accepted.plural === '' || accepted.kind === '' ? names : accepted
}

const anything: JsonSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

function servedVersion(version: Version, definition: Definition): ResourceVersion {
  const { name, isServed, schema, subresources, columns, selectablePaths } = version
  const scale = scalePaths(subresources)
  const deprecationWarning = version.isDeprecated ? (version.deprecationWarning ?? standardWarning(name, definition)) : undefined
  return {
    name,
    served: isServed,
    schema: schema ?? anything,
    hasStatus: isObject(subresources?.status),
    ...(scale === undefined ? {} : { scale }),
    columns: columns.length === 0 ? [age] : columns.map(toColumn),
    selectableFields: selectablePaths,
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
  }
}

function scalePaths(subresources: JsonObject | undefined): ScalePaths | undefined {
  const scale = subresources?.scale
  if (!isObject(scale)) return undefined
  const labelSelectorPath = text(scale.labelSelectorPath)
  return {
    specReplicasPath: text(scale.specReplicasPath),
    statusReplicasPath: text(scale.statusReplicasPath),
    ...(labelSelectorPath === '' ? {} : { labelSelectorPath }),
  }
}

/** Shown when a definition declares no columns. */
const age: PathColumn = {
  name: 'Age',
  type: 'date',
  description: 'The time at which the server created the object, in UTC.',
  priority: 0,
  jsonPath: '.metadata.creationTimestamp',
}

function toColumn({ name, type, format, description, priority, jsonPath }: Column): PathColumn {
  return {
    name,
    type,
    ...(format === '' ? {} : { format }),
    description: description === '' ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description,
    priority,
    jsonPath,
  }
}

/** `example.com/v1beta1 Thing is deprecated; use example.com/v1 Thing`. */
function standardWarning(version: string, { group, names, versions }: Definition): string {
  const better = versions
    .filter(({ name, isServed, isDeprecated }) => isServed && !isDeprecated && byPriority(name, version) < 0)
    .map(({ name }) => name)
    .toSorted(byPriority)
  const base = `${group}/${version} ${names.kind} is deprecated`
  return better[0] === undefined ? base : `${base}; use ${group}/${better[0]} ${names.kind}`
}
