import { compileSchema, type CompiledSchema } from '../schema/index.ts'
import type { ResourceType, ResourceVersion } from './resource.ts'

/** A resource in one of its versions, as a URL names it. */
export interface Served {
  readonly type: ResourceType
  readonly version: ResourceVersion
  /** `group/version`, or just the version in the core group. */
  readonly apiVersion: string
  readonly schema: CompiledSchema
  /** Of the version that is stored. */
  readonly storageSchema: CompiledSchema
  /** Bytes written before this revision may not be what the schema demands now: they are pruned and defaulted when read. */
  readonly since: number
}

export function groupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`
}

/**
 * The resources of one logical cluster. It may stand on another catalogue (the built-in kinds, a template's CRDs) whose entries it
 * shares without copying them.
 */
export class Catalog {
  readonly #base: Catalog | undefined
  readonly #types = new Map<string, { type: ResourceType; versions: Map<string, Served> }>()
  #generation = 0

  constructor(base?: Catalog) {
    this.#base = base
  }

  /** Grows with every change, here or below: what was derived from the catalogue is stale when it has moved. */
  get generation(): number {
    return this.#generation + (this.#base?.generation ?? 0)
  }

  set(type: ResourceType, since = 0): void {
    const versions = new Map<string, Served>()
    const stored = type.versions.find(({ name }) => name === type.storageVersion)
    for (const version of type.versions) {
      if (!version.served && version.name !== type.storageVersion) continue
      const apiVersion = groupVersion(type.group, version.name)
      const schema = compileSchema(version.schema)
      versions.set(version.name, {
        type,
        version,
        apiVersion,
        schema,
        storageSchema: stored === undefined ? schema : compileSchema(stored.schema),
        since,
      })
    }
    this.#types.set(keyOf(type.group, type.resource), { type, versions })
    this.#generation++
  }

  delete(group: string, resource: string): void {
    if (this.#types.delete(keyOf(group, resource))) this.#generation++
  }

  /** The resource a URL names, if that version of it is served. */
  find(group: string, version: string, resource: string): Served | undefined {
    const served = this.#types.get(keyOf(group, resource))?.versions.get(version)
    if (served === undefined) return this.#base?.find(group, version, resource)
    return served.version.served ? served : undefined
  }

  type(group: string, resource: string): ResourceType | undefined {
    return this.#types.get(keyOf(group, resource))?.type ?? this.#base?.type(group, resource)
  }

  /** A resource in the version its objects are stored in, served or not. */
  stored(group: string, resource: string): Served | undefined {
    const found = this.#types.get(keyOf(group, resource))
    return found === undefined ? this.#base?.stored(group, resource) : found.versions.get(found.type.storageVersion)
  }

  *types(): Iterable<ResourceType> {
    if (this.#base !== undefined) yield* this.#base.types()
    for (const { type } of this.#types.values()) yield type
  }
}

function keyOf(group: string, resource: string): string {
  return `${group}/${resource}`
}
