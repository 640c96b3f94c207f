import type { GroupVersion, ReviewKind, ServedType } from '../discovery/groups.ts'
import { isObject, type Json, type JsonObject, type MutableObject } from '../json.ts'
import type { ExtraSubresource } from '../registry/resource.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { componentName, metaName, reference, scaleName } from './names.ts'
import { sharedComponents, typeFields } from './shared-components.ts'

/** The component schemas of one group version: its kinds, their lists, what its subresources take, and what all share. */
export function componentsOf(served: GroupVersion): Readonly<Record<string, Json>> {
  const components: MutableObject = {}
  for (const each of served.types) {
    addKind(components, each)
    for (const extra of each.type.extraSubresources ?? []) addExtra(components, each, extra)
  }
  for (const review of served.reviews) addReview(components, review)
  const isScaled = served.types.some(({ version }) => version.scale !== undefined)
  for (const [name, schema] of Object.entries(sharedComponents)) if (name !== scaleName || isScaled) components[name] = schema
  return components
}

function addKind(components: MutableObject, { type, version }: ServedType): void {
  const name = componentName(type, version.name, type.kind)
  const gvk = { group: type.group, kind: type.kind, version: version.name }
  components[name] = objectComponent(components, name, version.schema, gvk)
  components[componentName(type, version.name, type.listKind)] = {
    type: 'object',
    description: `${type.listKind} is a list of ${type.kind}`,
    required: ['items'],
    properties: {
      ...typeFields,
      items: { type: 'array', items: reference(name), description: `List of ${type.resource}.` },
      metadata: { allOf: [reference(metaName('ListMeta'))], description: 'Standard list metadata.' },
    },
    'x-kubernetes-group-version-kind': [{ ...gvk, kind: type.listKind }],
  }
}

function addReview(components: MutableObject, { group, version, kind, schema }: ReviewKind): void {
  const name = componentName({ group, isCustom: false }, version, kind)
  components[name] = objectComponent(components, name, schema, { group, kind, version })
}

/** What a subresource takes beyond the kind itself (Eviction, TokenRequest): told by name, its content left open. */
function addExtra(components: MutableObject, { type, version }: ServedType, extra: ExtraSubresource): void {
  const isOwn = extra.group === type.group && extra.kind === type.kind
  const itsVersion = extra.version === '' ? version.name : extra.version
  const name = componentName({ group: extra.group, isCustom: type.isCustom && extra.group === type.group }, itsVersion, extra.kind)
  if (isOwn || name in components) return
  components[name] = {
    type: 'object',
    properties: { ...typeFields, metadata: metadataProperty },
    'x-kubernetes-preserve-unknown-fields': true,
    'x-kubernetes-group-version-kind': [{ group: extra.group, kind: extra.kind, version: itsVersion }],
  }
}

const metadataProperty: JsonObject = { allOf: [reference(metaName('ObjectMeta'))], default: {}, description: 'Standard object metadata.' }

function objectComponent(components: MutableObject, name: string, schema: JsonSchema, gvk: JsonObject): JsonObject {
  const published = new SchemaPublisher(components, name).publish(schema)
  const own = isObject(published.properties) ? published.properties : {}
  return {
    ...published,
    properties: { ...own, ...typeFields, metadata: metadataProperty },
    'x-kubernetes-group-version-kind': [gvk],
  }
}

/**
 * Writes a schema as a component. Schemas are JSON already, but those of built-in kinds may contain themselves (the schema of
 * schemas does): where one does, it becomes a component of its own and is referred to.
 */
class SchemaPublisher {
  readonly #components: MutableObject
  readonly #base: string
  readonly #open = new Set<JsonSchema>()
  readonly #recursive = new Map<JsonSchema, string>()
  #path: string[] = []

  constructor(components: MutableObject, base: string) {
    this.#components = components
    this.#base = base
  }

  publish(schema: JsonSchema): JsonObject {
    const known = this.#recursive.get(schema)
    if (known !== undefined) return reference(known)
    if (this.#open.has(schema)) {
      const name = [this.#base, ...this.#path].join('.')
      this.#recursive.set(schema, name)
      return reference(name)
    }
    this.#open.add(schema)
    const content = this.#content(schema)
    this.#open.delete(schema)
    const name = this.#recursive.get(schema)
    if (name === undefined) return content
    this.#components[name] = content
    return reference(name)
  }

  #content(schema: JsonSchema): JsonObject {
    const { properties, additionalProperties, items, allOf, anyOf, oneOf, not, 'x-kubernetes-validations': rules, ...plain } = schema
    const content: MutableObject = {}
    for (const [key, value] of Object.entries(plain)) content[key] = value
    if (properties !== undefined) {
      const published: MutableObject = {}
      for (const [key, property] of Object.entries(properties)) published[key] = this.#below(key, property)
      content.properties = published
    }
    if (additionalProperties !== undefined) {
      content.additionalProperties = typeof additionalProperties === 'boolean' ? additionalProperties : this.publish(additionalProperties)
    }
    if (items !== undefined) content.items = this.publish(items)
    for (const [key, alternatives] of Object.entries({ allOf, anyOf, oneOf })) {
      if (alternatives !== undefined) content[key] = alternatives.map((each) => this.publish(each))
    }
    if (rules !== undefined) content['x-kubernetes-validations'] = rules.map((rule) => ({ ...rule }))
    if (not !== undefined) content.not = this.publish(not)
    return content
  }

  #below(key: string, schema: JsonSchema): JsonObject {
    this.#path = [...this.#path, key]
    const published = this.publish(schema)
    this.#path = this.#path.slice(0, -1)
    return published
  }
}
