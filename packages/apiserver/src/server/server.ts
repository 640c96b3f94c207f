import type { Clock, Random } from '@windlass/core'
import {
  assertAllowed,
  Authenticator,
  type AuthenticatorOptions,
  impersonate,
  type ObjectLookup,
  rbacGroup,
  readImpersonation,
  type Review,
  reviews,
  type User,
} from '../auth/index.ts'
import { builtinResources } from '../builtin/index.ts'
import type { Cluster } from '../clusters/cluster.ts'
import { Clusters, rootCluster } from '../clusters/clusters.ts'
import { ControllerSet } from '../controllers/index.ts'
import { customResourceDefinitions } from '../crd/index.ts'
import { ApiError, methodNotAllowed, notFound } from '../errors/api-error.ts'
import type { JsonObject } from '../json.ts'
import { builtinAdmission } from '../admission/index.ts'
import { clusterOfHash } from '../openapi/index.ts'
import { AdmissionChain, type AdmissionPlugin } from '../registry/admission.ts'
import { Catalog } from '../registry/catalog.ts'
import { keyFor, parseStored } from '../registry/stored.ts'
import { resourcePrefix } from '../storage/keys.ts'
import { type Change, type Store, StoreError } from '../storage/store.ts'
import { WatchHub } from '../watch/hub.ts'
import { decodeJson, encodeJson, negotiate, wantsPretty, warningHeaders } from '../wire/index.ts'
import { jsonAnswer } from './answer.ts'
import { bootstrap, installDefinitions } from './bootstrap.ts'
import { readObject } from './body.ts'
import { Documents } from './documents.ts'
import { type HealthCheck, healthAnswer, text } from './health.ts'
import { Limiter } from './limiter.ts'
import { ServerMetrics } from './metrics.ts'
import { parsePath, type ResourcePath, splitCluster } from './path.ts'
import type { ApiRequest, ApiResponse } from './request.ts'
import { findServed, handleResource, noSuchPage, noSuchResource } from './resources.ts'
import { attributesOf, verbOf } from './route.ts'
import { checkTimeout } from './timeout.ts'

export interface ApiServerOptions {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  /** Who may come in, and the key that signs tokens. */
  readonly authentication: Pick<AuthenticatorOptions, 'tokens' | 'tokenKey'>
  /** Of the program around it; shown in `/version`. */
  readonly version: string
  /** CustomResourceDefinitions that the root cluster has from the start. */
  readonly definitions?: readonly JsonObject[]
  /** Own links of the admission chain, after the built-in ones. */
  readonly admission?: readonly AdmissionPlugin[]
  /** How long the past is kept for watches and old reads: both must have passed before a revision is forgotten. */
  readonly history?: { readonly milliseconds: number; readonly revisions: number }
  readonly limits?: { readonly reads: number; readonly writes: number }
  /** How clients get into a logical cluster; without it they exist, but no kubeconfig is issued for them. */
  readonly access?: (cluster: string, uid: string) => { readonly url: string; readonly kubeconfig: string } | undefined
  readonly onProblem?: (problem: string, error: unknown) => void
}

const defaultHistory = { milliseconds: 300_000, revisions: 100_000 }
const defaultLimits = { reads: 400, writes: 200 }
/** A list counts as this many reads. */
const listWeight = 10

/**
 * The API server without its sockets: takes requests as values and gives answers as values. The HTTP layer and the in-process
 * transport are both thin shells around `handle`.
 */
export class ApiServer {
  readonly store: Store
  readonly clusters: Clusters
  readonly hub: WatchHub
  readonly authenticator: Authenticator
  readonly #options: ApiServerOptions
  readonly #documents: Documents
  readonly #controllers: ControllerSet
  readonly #metrics: ServerMetrics
  readonly #reads: Limiter
  readonly #lists: Limiter
  readonly #writes: Limiter
  readonly #lookup: ObjectLookup
  readonly #reviews: ReadonlyMap<string, Review>
  readonly #shownRoles = new WeakMap<Cluster, Promise<void>>()
  #state: 'starting' | 'ready' | 'stopping' = 'starting'

  private constructor(options: ApiServerOptions) {
    const { store, clock, random, limits = defaultLimits } = options
    this.#options = options
    this.store = store
    const builtin = new Catalog()
    for (const type of [...builtinResources, customResourceDefinitions]) builtin.set(type)
    const admission = new AdmissionChain([...builtinAdmission((name) => this.clusters.get(name)), ...(options.admission ?? [])])
    this.clusters = new Clusters({ store, clock, random, admission }, builtin, (cluster) => this.#controllers.load(cluster.cluster))
    // Before the watchers: whoever sees a CustomResourceDefinition established can use it.
    store.subscribe((changes) => {
      for (const change of changes) this.#follow(change)
    })
    this.hub = new WatchHub(store, clock)
    this.#lookup = (cluster, resource, namespace, name) => {
      const type = this.clusters.get(cluster)?.catalog.type('', resource)
      const entry = type === undefined ? undefined : store.get(keyFor(cluster, type, namespace, name))
      return entry === undefined ? undefined : parseStored(entry.bytes)
    }
    this.authenticator = new Authenticator({
      ...options.authentication,
      lookup: this.#lookup,
      clusterUid: (name) => this.clusters.uid(name),
    })
    this.#documents = new Documents(options.version)
    this.#controllers = new ControllerSet({
      store,
      clock,
      clusters: this.clusters,
      hub: this.hub,
      history: options.history ?? defaultHistory,
      logicalClusters: {
        access: options.access ?? (() => undefined),
        bootstrap: async (name) => {
          const cluster = this.clusters.get(name)
          if (cluster !== undefined) await bootstrap(cluster, { rbac: false })
        },
      },
      onProblem: options.onProblem ?? (() => {}),
    })
    this.#reads = new Limiter(limits.reads)
    this.#lists = new Limiter(Math.ceil(limits.reads / listWeight))
    this.#writes = new Limiter(limits.writes)
    this.#reviews = new Map(reviews.map((review) => [`${review.group}/${review.version}/${review.resource}`, review]))
    this.#metrics = new ServerMetrics({
      runningReads: () => this.#reads.running + this.#lists.running,
      runningWrites: () => this.#writes.running,
      watches: () => this.hub.size,
      watchEvents: () => this.hub.delivered,
      objects: () => this.#objectCounts(),
    })
  }

  /** Resolves when the server answers requests. */
  static async start(options: ApiServerOptions): Promise<ApiServer> {
    const server = new ApiServer(options)
    server.clusters.root.load()
    server.#controllers.start()
    await bootstrap(server.clusters.root, { rbac: true })
    await installDefinitions(server.clusters.root, options.definitions ?? [])
    server.#state = 'ready'
    return server
  }

  /** The port is open: logical clusters that were waiting for an address get their kubeconfigs. */
  reachable(): void {
    this.#controllers.reachable()
  }

  /** Ends watches and controllers, then closes the store. Requests that still come are refused. */
  async stop(): Promise<void> {
    this.#state = 'stopping'
    this.hub.close()
    await this.#controllers.stop()
    await this.store.close()
  }

  #follow(change: Change): void {
    try {
      this.clusters.observe(change)
    } catch (error) {
      this.#options.onProblem?.(`what follows from ${change.key} could not be worked out`, error)
    }
  }

  /** From now on `/readyz` fails, watches end and new requests are refused, while running ones finish: the first half of a graceful stop. */
  drain(): void {
    this.#state = 'stopping'
    this.hub.close()
  }

  /** Forgets everything but the present: watches and lists from older revisions get 410. */
  compact(): Promise<void> {
    return this.store.compact(this.store.revision())
  }

  /** Never throws: every failure is an answer. */
  async handle(request: ApiRequest): Promise<ApiResponse> {
    const warnings: string[] = []
    const started = this.#options.clock.monotonic()
    const auditId = auditIdOf(request) ?? this.#options.random.uuid()
    let response: ApiResponse
    let labels = unknownLabels
    try {
      const parsed = this.#parse(request)
      labels = labelsOf(request, parsed, this.#isKnown(parsed))
      response = await this.#answer(request, parsed, warnings)
    } catch (error) {
      response = this.refuse(error, auditId)
    }
    this.#metrics.record(labels, response.status, (this.#options.clock.monotonic() - started) / 1000, response.watch !== undefined)
    return withCommonHeaders(pretty(request, response), auditId, warnings)
  }

  /** A failure as an answer. What nobody foresaw is logged, and the client gets an id to find it by. */
  refuse(error: unknown, id: string = this.#options.random.uuid()): ApiResponse {
    if (error instanceof ApiError) {
      const { retryAfterSeconds } = error.status.details ?? {}
      const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
      const body = encodeJson(error.status)
      return { status: error.code, headers: { 'content-type': 'application/json', ...headers }, body }
    }
    if (error instanceof StoreError) return this.refuse(new ApiError(503, 'ServiceUnavailable', error.message))
    this.#options.onProblem?.(`request ${id} failed`, error)
    return this.refuse(new ApiError(500, 'InternalError', `Internal error occurred: see the server's log for ${id}`))
  }

  /** Whether the path names a resource that there is; metrics of any others would let clients make up new ones without end. */
  #isKnown({ cluster, target }: Parsed): boolean {
    if (target.kind === 'other') return false
    const { group, version, resource } = target.resource
    if (this.#reviews.has(`${group}/${version}/${resource}`)) return true
    return this.clusters.loaded(cluster)?.catalog.find(group, version, resource) !== undefined
  }

  #parse(request: ApiRequest): Parsed {
    const mark = request.url.indexOf('?')
    const raw = mark < 0 ? request.url : request.url.slice(0, mark)
    const split = splitCluster(raw)
    const query = mark < 0 ? noQuery : new URLSearchParams(request.url.slice(mark + 1))
    const cluster = split.path.startsWith('/openapi/v3/') ? (clusterOfHash(query.get('hash') ?? '') ?? split.cluster) : split.cluster
    return { cluster, path: split.path, target: parsePath(split.path), query }
  }

  async #answer(request: ApiRequest, { cluster: name, path, target, query }: Parsed, warnings: string[]): Promise<ApiResponse> {
    const cluster = this.clusters.isOpen(name) ? this.clusters.get(name) : undefined
    const user = this.#identify(request, name, cluster)
    if (cluster === undefined) throw notFound({ group: 'windlass.dev', resource: 'logicalclusters' }, name)
    const attributes = attributesOf(request, target, query)
    assertAllowed(cluster.authorizer.authorize, user, attributes)
    if (target.kind === 'other') return this.#other(cluster, path, query, request)
    if (this.#state === 'stopping') throw stopping()
    checkTimeout(query)
    const limiter = this.#limiterOf(request, target.resource)
    const turn = limiter.enter(user.name)
    if (turn !== undefined) await turn
    let response: ApiResponse | undefined
    try {
      response = await this.#resource(cluster, target.resource, query, request, user, (warning) => warnings.push(warning))
    } finally {
      if (response?.release === undefined) limiter.leave()
    }
    return response.release === undefined ? response : { ...response, release: once(response.release, () => limiter.leave()) }
  }

  /** Lists have seats of their own, and keep them until they are sent: a flood of them does not hold up reads of single objects. */
  #limiterOf({ method }: ApiRequest, path: ResourcePath): Limiter {
    if (method !== 'GET' && method !== 'HEAD') return this.#writes
    return path.name === '' ? this.#lists : this.#reads
  }

  #identify(request: ApiRequest, name: string, cluster: Cluster | undefined): User {
    const { authorization } = request.headers
    const user =
      request.user ??
      this.authenticator.authenticate({
        cluster: name,
        now: this.#options.clock.now(),
        ...(authorization === undefined ? {} : { authorization }),
        ...(request.certificate === undefined ? {} : { certificate: request.certificate }),
      })
    const wanted = readImpersonation(request.rawHeaders ?? Object.entries(request.headers).flatMap(([key, value]) => [key, value ?? '']))
    return wanted === undefined || cluster === undefined ? user : impersonate(user, wanted, cluster.authorizer.authorize)
  }

  async #resource(
    cluster: Cluster,
    path: ResourcePath,
    query: URLSearchParams,
    request: ApiRequest,
    user: User,
    warn: (text: string) => void,
  ): Promise<ApiResponse> {
    const review = this.#reviews.get(`${path.group}/${path.version}/${path.resource}`)
    if (review !== undefined) return this.#review(review, cluster, path, request, user)
    if (path.group === rbacGroup) await this.#showDefaultRoles(cluster)
    const served = findServed(cluster.catalog, path)
    if (served === undefined) {
      const group = this.#documents.discovery(cluster).find(path.group, path.version)
      if (group === undefined || group.types.some(({ type }) => type.isCustom)) return noSuchPage()
      throw noSuchResource()
    }
    if (served.version.deprecationWarning !== undefined) warn(served.version.deprecationWarning)
    return handleResource(
      { cluster, hub: this.hub, served, path, request, query, user, warn },
      { authenticator: this.authenticator, lookup: this.#lookup },
    )
  }

  /**
   * Logical clusters share the default roles, which would be most of what an empty one stores. They become objects of its own when
   * somebody first looks.
   */
  async #showDefaultRoles(cluster: Cluster): Promise<void> {
    if (cluster.cluster === rootCluster) return
    const known = this.#shownRoles.get(cluster) ?? bootstrap(cluster, { rbac: true })
    this.#shownRoles.set(cluster, known)
    await known
  }

  #review(review: Review, cluster: Cluster, path: ResourcePath, request: ApiRequest, user: User): ApiResponse {
    if (request.method !== 'POST' || path.name !== '') throw methodNotAllowed()
    negotiate(request.headers.accept, { shape: 'other', isCustom: false })
    const { value } = readObject(request, review.kind, false)
    const answer = review.answer(value, {
      user,
      cluster: cluster.cluster,
      namespace: path.namespace,
      now: this.#options.clock.now(),
      authorize: cluster.authorizer.authorize,
      rulesFor: (who, namespace) => cluster.authorizer.rulesFor(who, namespace),
      authenticateToken: (token, options) => this.authenticator.authenticateToken(token, options),
    })
    return jsonAnswer(201, answer)
  }

  #other(cluster: Cluster, path: string, query: URLSearchParams, request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const [, first = ''] = path.split('/')
    if (first === 'livez' || first === 'readyz' || first === 'healthz') {
      return healthAnswer(path, query, this.#checks(first)) ?? noSuchPage()
    }
    if (path === '/metrics') return this.#metrics.text().then((body) => text(200, body))
    // History is one for all clusters: only who may do it in the root may do it at all.
    if (path === '/windlass/compact' && request.method === 'POST' && cluster.cluster === rootCluster) return this.#compactRequest()
    return this.#documents.answer(cluster, path, query, request)
  }

  async #compactRequest(): Promise<ApiResponse> {
    await this.compact()
    return jsonAnswer(200, { compactedRevision: String(this.store.compacted()) })
  }

  #checks(endpoint: string): readonly HealthCheck[] {
    const checks: HealthCheck[] = [
      { name: 'ping', problem: () => undefined },
      { name: 'storage', problem: () => (this.store.revision() > 0 ? undefined : 'the store has no revision') },
    ]
    if (endpoint !== 'livez')
      checks.push({ name: 'shutdown', problem: () => (this.#state === 'ready' ? undefined : `the server is ${this.#state}`) })
    return checks
  }

  *#objectCounts(): Iterable<readonly [string, number]> {
    const { root } = this.clusters
    for (const type of root.catalog.types()) {
      if (type.storedAs !== undefined) continue
      const name = type.group === '' ? type.resource : `${type.resource}.${type.group}`
      yield [name, this.store.count(resourcePrefix(root.cluster, type.group, type.resource))]
    }
  }
}

function stopping(): ApiError {
  return new ApiError(503, 'ServiceUnavailable', 'the server is shutting down, please try again later', {
    details: { retryAfterSeconds: 1 },
  })
}

/** Calls both, but only the first time. */
function once(...calls: readonly (() => void)[]): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    for (const call of calls) call()
  }
}

interface Parsed {
  readonly cluster: string
  readonly path: string
  readonly target: ReturnType<typeof parsePath>
  readonly query: URLSearchParams
}

const noQuery = new URLSearchParams()

const unknownLabels = { verb: '', group: '', version: '', resource: '', subresource: '', scope: '' }

/** An id that the client gave the request is kept, if it is one. */
function auditIdOf({ headers }: ApiRequest): string | undefined {
  const given = headers['audit-id']
  return given !== undefined && /^[\x21-\x7e]{1,64}$/.test(given) ? given : undefined
}

const subresources: ReadonlySet<string> = new Set(['', 'status', 'scale', 'finalize', 'token', 'eviction', 'binding'])

function labelsOf(request: ApiRequest, { target, query }: Parsed, isKnown: boolean): typeof unknownLabels {
  if (target.kind === 'other' || !isKnown) return { ...unknownLabels, verb: request.method }
  const { group, version, resource, namespace, name } = target.resource
  const subresource = subresources.has(target.resource.subresource) ? target.resource.subresource : 'other'
  const scope = name !== '' ? 'resource' : namespace !== '' ? 'namespace' : 'cluster'
  return { verb: verbOf(request, target.resource, query).toUpperCase(), group, version, resource, subresource, scope }
}

/** Indented for people: when they ask for it, or look with a browser or from a shell. */
function pretty(request: ApiRequest, response: ApiResponse): ApiResponse {
  const { body, headers } = response
  const mark = request.url.indexOf('pretty=')
  if (mark < 0 && !readsByEye.test(request.headers['user-agent'] ?? '')) return response
  const asked = mark < 0 ? undefined : (new URLSearchParams(request.url.slice(request.url.indexOf('?') + 1)).get('pretty') ?? undefined)
  if (!Buffer.isBuffer(body) || headers['content-type'] !== 'application/json' || !wantsPretty(asked, request.headers['user-agent']))
    return response
  const { value } = decodeJson(body)
  return { ...response, body: Buffer.concat([encodeJson(value, '  '), Buffer.from('\n')]) }
}

const readsByEye = /^(?:curl|Wget|Mozilla\/)/

function withCommonHeaders(response: ApiResponse, auditId: string, warnings: readonly string[]): ApiResponse {
  const common = { 'audit-id': auditId, 'cache-control': 'no-cache, private', ...response.headers }
  return { ...response, headers: warnings.length === 0 ? common : { ...common, warning: warningHeaders(warnings) } }
}
