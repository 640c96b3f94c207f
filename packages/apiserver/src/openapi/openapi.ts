import type { Discovery } from '../discovery/discovery.ts'
import type { GroupVersion } from '../discovery/groups.ts'
import type { JsonObject } from '../json.ts'
import { parseAccept } from '../wire/accept.ts'
import { encodeV2 } from './v2-protobuf.ts'
import { describeAsV2 } from './v2.ts'
import { documentUrl, groupVersionDocument, type OpenApiDocument, openApiDocument, openApiIndex } from './v3.ts'

/** The answer to a request below `/openapi/v3`. */
export type OpenApiAnswer =
  | { readonly type: 'document'; readonly document: OpenApiDocument; readonly isImmutable: boolean }
  /** 301: the client asked for a hash that is no longer, or never was, the present one. */
  | { readonly type: 'moved'; readonly location: string }
  | { readonly type: 'missing' }

/** What v2 in protobuf is called in answers; requests write `@` for the second-last dot. */
const protobufContentType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

/**
 * The API of one logical cluster in OpenAPI. Made anew when the kinds change, from what discovery knows; documents are written
 * when first asked for, and those of v3 are shared between clusters that serve the same kinds.
 */
export class OpenApi {
  readonly #discovery: Discovery
  readonly #suffix: string
  #index: OpenApiDocument | undefined
  #v2: JsonObject | undefined
  readonly #v2Documents = new Map<string, OpenApiDocument>()

  /**
   * `cluster` is set for logical clusters. Clients ask for a document at the root of the server, whatever path they came by, so its hash
   * says which cluster is meant.
   */
  constructor(discovery: Discovery, cluster?: string) {
    this.#discovery = discovery
    this.#suffix = cluster === undefined ? '' : `.${cluster}`
  }

  /** `/openapi/v3`. */
  index(): OpenApiDocument {
    this.#index ??= openApiIndex(this.#discovery.groups, this.#suffix)
    return this.#index
  }

  /** `/openapi/v3/<path>?hash=<hash>`, the path being `api/v1` or `apis/<group>/<version>`. */
  groupVersion(path: string, hash: string | undefined): OpenApiAnswer {
    const served = this.#find(path)
    if (served === undefined) return { type: 'missing' }
    const document = groupVersionDocument(served)
    if (hash === undefined || hash === '') return { type: 'document', document, isImmutable: false }
    if (hash !== document.hash + this.#suffix) return { type: 'moved', location: documentUrl(served, this.#suffix) }
    return { type: 'document', document, isImmutable: true }
  }

  /** `/openapi/v2`: protobuf for clients that ask for it first (kubectl does), JSON for all others. */
  v2(accept: string | undefined): OpenApiDocument {
    const isProtobuf = parseAccept(accept)[0]?.subtype.startsWith('com.github.proto-openapi.spec.v2') === true
    const contentType = isProtobuf ? protobufContentType : 'application/json'
    const known = this.#v2Documents.get(contentType)
    if (known !== undefined) return known
    this.#v2 ??= describeAsV2(this.#discovery.groups)
    const document = isProtobuf ? openApiDocument(this.#v2, contentType, encodeV2(this.#v2)) : openApiDocument(this.#v2)
    this.#v2Documents.set(contentType, document)
    return document
  }

  #find(path: string): GroupVersion | undefined {
    const [root, group, version, ...more] = path.split('/')
    if (root === 'api' && version === undefined) return this.#discovery.find('', group ?? '')
    if (root !== 'apis' || group === undefined || version === undefined || more.length > 0) return undefined
    return this.#discovery.find(group, version)
  }
}

/** The logical cluster that the hash of a document belongs to; undefined for the root. */
export function clusterOfHash(hash: string): string | undefined {
  const dot = hash.indexOf('.')
  return dot < 0 ? undefined : hash.slice(dot + 1)
}
