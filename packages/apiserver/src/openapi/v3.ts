import { contentHash, etagOf } from '../discovery/etag.ts'
import type { ApiGroup, GroupVersion } from '../discovery/groups.ts'
import type { JsonObject } from '../json.ts'
import { encodeJson } from '../wire/json-encode.ts'
import { componentsOf } from './components.ts'
import { documentKey } from './names.ts'
import { pathsOf } from './operations.ts'

/** A document ready to be sent. Its hash goes into the URL under which clients keep it forever. */
export interface OpenApiDocument {
  readonly contentType: string
  readonly bytes: Buffer
  readonly hash: string
  readonly etag: string
}

/** What OpenAPI says about the server itself. */
export const serverInfo: JsonObject = { title: 'Kubernetes', version: 'v1.35.0' }

/** The OpenAPI v3 description of one group version, as a value. */
export function describeGroupVersion(served: GroupVersion): JsonObject {
  return { openapi: '3.0.0', info: serverInfo, paths: { ...pathsOf(served) }, components: { schemas: { ...componentsOf(served) } } }
}

interface Kept {
  readonly served: GroupVersion
  readonly document: OpenApiDocument
}

/** Documents by the first of the things they describe; logical clusters with the same kinds share them. */
const kept = new WeakMap<object, Kept[]>()

/** The document of one group version: written once for the same kinds, by identity, and forgotten with them. */
export function groupVersionDocument(served: GroupVersion): OpenApiDocument {
  const anchor = served.types[0]?.version ?? served.reviews[0]
  const candidates = anchor === undefined ? [] : (kept.get(anchor) ?? [])
  const known = candidates.find((each) => describesSame(each.served, served))
  if (known !== undefined) return known.document
  const document = openApiDocument(describeGroupVersion(served))
  if (anchor !== undefined) kept.set(anchor, [...candidates, { served, document }])
  return document
}

function describesSame(a: GroupVersion, b: GroupVersion): boolean {
  return (
    a.types.length === b.types.length &&
    a.reviews.length === b.reviews.length &&
    a.types.every(({ type, version }, index) => type === b.types[index]?.type && version === b.types[index].version) &&
    a.reviews.every((review, index) => review === b.reviews[index])
  )
}

/** `/openapi/v3`: where the documents are, each with its hash. `suffix` comes behind every hash. */
export function openApiIndex(groups: readonly ApiGroup[], suffix = ''): OpenApiDocument {
  const entries = groups
    .flatMap(({ versions }) => versions)
    .map((served) => [documentKey(served.group, served.version), { serverRelativeURL: documentUrl(served, suffix) }] as const)
  return openApiDocument({ paths: Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))) })
}

/** Where the present document of a group version is; requests with another hash are sent here (301). */
export function documentUrl(served: GroupVersion, suffix = ''): string {
  return `/openapi/v3/${documentKey(served.group, served.version)}?hash=${groupVersionDocument(served).hash}${suffix}`
}

export function openApiDocument(value: JsonObject, contentType = 'application/json', bytes: Buffer = encodeJson(value)): OpenApiDocument {
  const hash = contentHash(bytes)
  return { contentType, bytes, hash, etag: etagOf(hash) }
}
