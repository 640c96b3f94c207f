import type { JsonObject } from '../json.ts'
import { encodeJson } from '../wire/json-encode.ts'
import { aggregatedContentType, aggregatedDiscovery } from './aggregated.ts'
import { contentHash, etagOf } from './etag.ts'
import { type ApiGroup, apiGroups, type GroupVersion, type ServedKinds } from './groups.ts'
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts'

/** A document ready to be sent. */
export interface DiscoveryDocument {
  readonly contentType: string
  readonly bytes: Buffer
  /** Only aggregated documents have one. */
  readonly etag?: string
}

/**
 * How one logical cluster describes its resources. Made anew when the kinds change; each document is written when it is first
 * asked for and kept.
 */
export class Discovery {
  readonly groups: readonly ApiGroup[]
  readonly #documents = new Map<string, DiscoveryDocument>()

  constructor(kinds: ServedKinds) {
    this.groups = apiGroups(kinds)
  }

  /** `/api`. */
  versions(serverAddress: string): DiscoveryDocument {
    return this.#document(`api ${serverAddress}`, () => apiVersions(serverAddress))
  }

  /** `/apis`. */
  groupList(): DiscoveryDocument {
    return this.#document('apis', () => apiGroupList(this.groups))
  }

  /** `/apis/<group>`; undefined when nothing is served in it. */
  group(name: string): DiscoveryDocument | undefined {
    const group = this.groups.find((each) => each.name === name)
    return group === undefined || name === '' ? undefined : this.#document(`group ${name}`, () => apiGroup(group))
  }

  /** `/api/v1` (group empty) and `/apis/<group>/<version>`; undefined when nothing is served in it. */
  resources(group: string, version: string): DiscoveryDocument | undefined {
    const served = this.find(group, version)
    return served === undefined ? undefined : this.#document(`resources ${group} ${version}`, () => apiResourceList(served))
  }

  find(group: string, version: string): GroupVersion | undefined {
    return this.groups.find((each) => each.name === group)?.versions.find((each) => each.version === version)
  }

  /** `/api` (core) and `/apis` for clients that take all of it at once. */
  aggregated(which: 'core' | 'groups'): DiscoveryDocument {
    return this.#document(
      `aggregated ${which}`,
      () => aggregatedDiscovery(this.groups.filter(({ name }) => (name === '') === (which === 'core'))),
      true,
    )
  }

  /** Paths of the groups and versions, for the list at `/`. */
  paths(): readonly string[] {
    return this.groups.flatMap(({ name, versions }) => {
      const root = name === '' ? '/api' : `/apis/${name}`
      return [root, ...versions.map(({ version }) => `${root}/${version}`)]
    })
  }

  #document(key: string, write: () => JsonObject, isAggregated = false): DiscoveryDocument {
    const known = this.#documents.get(key)
    if (known !== undefined) return known
    const bytes = encodeJson(write())
    const document: DiscoveryDocument = isAggregated
      ? { contentType: aggregatedContentType, bytes, etag: etagOf(contentHash(bytes)) }
      : { contentType: 'application/json', bytes }
    this.#documents.set(key, document)
    return document
  }
}
