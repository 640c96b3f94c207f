import { reviewKinds } from '../builtin/index.ts'
import type { Cluster } from '../clusters/cluster.ts'
import { rootCluster } from '../clusters/clusters.ts'
import { Discovery, type DiscoveryDocument, matchesEtag } from '../discovery/index.ts'
import { methodNotAllowed } from '../errors/api-error.ts'
import { OpenApi, type OpenApiDocument } from '../openapi/index.ts'
import { encodeJson, negotiate, negotiateDiscovery } from '../wire/index.ts'
import { jsonAnswer } from './answer.ts'
import type { ApiRequest, ApiResponse } from './request.ts'
import { noSuchPage, noSuchResource } from './resources.ts'

/** What the server says about itself, derived from a catalogue and kept until it changes. */
interface Derived {
  readonly generation: number
  readonly discovery: Discovery
  readonly openapi: OpenApi
}

/** Minor version of Kubernetes that clients should take this server for. */
const kubernetesMinor = '35'

/** Discovery, OpenAPI and version: the paths that are no resources. */
export class Documents {
  readonly #derived = new WeakMap<Cluster, Derived>()
  readonly #version: Buffer

  constructor(version: string) {
    this.#version = encodeJson({
      major: '1',
      minor: kubernetesMinor,
      gitVersion: `v1.${kubernetesMinor}.0+windlass.${version}`,
      gitCommit: '',
      gitTreeState: 'clean',
      buildDate: '1970-01-01T00:00:00Z',
      goVersion: `node ${process.versions.node}`,
      compiler: 'v8',
      platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
    })
  }

  /** The answer to a path that is no resource; `address` is how the client reached the server. */
  answer(cluster: Cluster, path: string, query: URLSearchParams, request: ApiRequest): ApiResponse {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed()
    const segments = path.split('/').slice(1)
    if (segments.at(-1) === '') segments.pop()
    const [root, first = '', second = ''] = segments
    switch (root) {
      case undefined:
        return jsonAnswer(200, { paths: this.#paths(cluster) })
      case 'version':
        return jsonAnswer(200, this.#version)
      case 'api':
        if (segments.length === 1) return this.#groups(cluster, request, 'core')
        return resourceList(this.#of(cluster).discovery.resources('', first), request, true)
      case 'apis':
        if (segments.length === 1) return this.#groups(cluster, request, 'groups')
        if (segments.length === 2) return found(this.#of(cluster).discovery.group(first), request)
        return resourceList(this.#of(cluster).discovery.resources(first, second), request)
      case 'openapi':
        return openApiAnswer(this.#of(cluster).openapi, segments.slice(1), query, request)
      default:
        return noSuchPage()
    }
  }

  discovery(cluster: Cluster): Discovery {
    return this.#of(cluster).discovery
  }

  #groups(cluster: Cluster, request: ApiRequest, which: 'core' | 'groups'): ApiResponse {
    const { discovery } = this.#of(cluster)
    const form = negotiateDiscovery(request.headers.accept)
    const legacy = which === 'core' ? discovery.versions(request.headers.host ?? '127.0.0.1') : discovery.groupList()
    return found(form === 'aggregated' ? discovery.aggregated(which) : legacy, request)
  }

  #of(cluster: Cluster): Derived {
    const known = this.#derived.get(cluster)
    if (known !== undefined && known.generation === cluster.catalog.generation) return known
    const kinds = { types: [...cluster.catalog.types()], reviews: reviewKinds }
    const discovery = new Discovery(kinds)
    const derived = {
      generation: cluster.catalog.generation,
      discovery,
      openapi: new OpenApi(discovery, cluster.cluster === rootCluster ? undefined : cluster.cluster),
    }
    this.#derived.set(cluster, derived)
    return derived
  }

  #paths(cluster: Cluster): readonly string[] {
    const fixed = ['/api', '/apis', '/healthz', '/livez', '/metrics', '/openapi/v2', '/openapi/v3', '/readyz', '/version']
    return [...new Set([...fixed, ...this.#of(cluster).discovery.paths()])].toSorted()
  }
}

/** These lists are no objects: they cannot be printed as Tables. */
function resourceList(document: DiscoveryDocument | undefined, request: ApiRequest, isCore = false): ApiResponse {
  negotiate(request.headers.accept, { shape: 'other', isCustom: true })
  return found(document, request, isCore)
}

function found(document: DiscoveryDocument | undefined, request: ApiRequest, isCore = false): ApiResponse {
  if (document === undefined) {
    if (isCore) throw noSuchResource()
    return noSuchPage()
  }
  const headers = {
    'content-type': document.contentType,
    vary: 'Accept',
    ...(document.etag === undefined ? {} : { etag: document.etag }),
  }
  if (document.etag !== undefined && matchesEtag(request.headers['if-none-match'], document.etag)) return { status: 304, headers }
  return { status: 200, headers, body: document.bytes }
}

function openApiAnswer(openapi: OpenApi, [version, ...rest]: readonly string[], query: URLSearchParams, request: ApiRequest): ApiResponse {
  if (version === 'v2' && rest.length === 0) return openApiDocument(openapi.v2(request.headers.accept), request, false)
  if (version !== 'v3') return noSuchPage()
  if (rest.length === 0) return openApiDocument(openapi.index(), request, false)
  const answer = openapi.groupVersion(rest.join('/'), query.get('hash') ?? undefined)
  if (answer.type === 'missing') return noSuchPage()
  if (answer.type === 'moved') return { status: 301, headers: { location: answer.location } }
  return openApiDocument(answer.document, request, answer.isImmutable)
}

function openApiDocument(document: OpenApiDocument, request: ApiRequest, isImmutable: boolean): ApiResponse {
  const headers = {
    'content-type': document.contentType,
    etag: document.etag,
    vary: 'Accept',
    // A document that is asked for by its hash never changes.
    ...(isImmutable ? { 'cache-control': 'public, max-age=31536000, immutable' } : {}),
  }
  return matchesEtag(request.headers['if-none-match'], document.etag)
    ? { status: 304, headers }
    : { status: 200, headers, body: document.bytes }
}
