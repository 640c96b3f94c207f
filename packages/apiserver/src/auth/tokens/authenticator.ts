import type { KeyObject } from 'node:crypto'
import type { Instant } from '@windlass/core'
import { certificateUser, type ClientCertificate } from '../certificates/peer.ts'
import { unauthorized } from '../refusal.ts'
import { anonymous, authenticated, type User } from '../user.ts'
import { assertCluster, assertTimely, commonAudiences, TokenError } from './claims.ts'
import { clusterClaims, clusterUserOf, type ClusterTokenRequest, type ClusterUid } from './cluster-token.ts'
import { JwtKey } from './jwt.ts'
import { serviceAccountClaims, serviceAccountOf, type ObjectLookup, type ServiceAccountTokenRequest } from './service-account-token.ts'
import type { StaticToken } from './token-file.ts'

export interface AuthenticatorOptions {
  readonly tokens?: readonly StaticToken[]
  /** Signs and verifies ServiceAccount tokens and tokens of logical clusters. */
  readonly tokenKey: KeyObject
  /** Finds ServiceAccounts and the objects that tokens are bound to. */
  readonly lookup: ObjectLookup
  readonly clusterUid?: ClusterUid
  readonly issuer?: string
  /** Whom tokens are for when a request does not say; a token for anybody else does not authenticate here. */
  readonly audiences?: readonly string[]
}

/** What a request shows about who sends it. */
export interface Presented {
  /** The Authorization header. */
  readonly authorization?: string
  readonly certificate?: ClientCertificate
  /** The logical cluster that is asked. */
  readonly cluster: string
  readonly now: Instant
}

export type TokenResult =
  | { readonly authenticated: true; readonly user: User; readonly audiences: readonly string[] }
  | { readonly authenticated: false; readonly error: string }

const defaultIssuer = 'https://kubernetes.default.svc'

/** Turns credentials into users: client certificates, then bearer tokens, then nobody in particular. */
export class Authenticator {
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly #key: JwtKey
  readonly #lookup: ObjectLookup
  readonly #clusterUid: ClusterUid
  /** A map compares texts only when their hashes are the same, with a seed that nobody outside knows: the time of a lookup does not tell how close a guess was. */
  readonly #tokens = new Map<string, StaticToken>()

  constructor({ tokens = [], tokenKey, lookup, clusterUid = () => undefined, issuer = defaultIssuer, audiences }: AuthenticatorOptions) {
    this.issuer = issuer
    this.audiences = audiences ?? [issuer]
    this.#key = new JwtKey(tokenKey, issuer)
    this.#lookup = lookup
    this.#clusterUid = clusterUid
    for (const each of tokens) this.#tokens.set(each.token, { ...each, user: authenticated(each.user) })
  }

  /** The user behind a request. Throws a 401 for credentials that are wrong, even where no credentials would have done. */
  authenticate({ authorization, certificate, cluster, now }: Presented): User {
    if (certificate !== undefined && isGoodIn(certificate, cluster)) return authenticated(certificateUser(certificate))
    const token = bearerToken(authorization)
    if (token !== undefined) {
      const result = this.authenticateToken(token, { cluster, now })
      if (result.authenticated) return result.user
      throw unauthorized()
    }
    if (certificate !== undefined) throw unauthorized()
    return anonymous
  }

  /** Judges one bearer token. `audiences` are the ones that it must be for; without them, this server's own. */
  authenticateToken(
    token: string,
    { cluster, now, audiences = [] }: { cluster: string; now: Instant; audiences?: readonly string[] },
  ): TokenResult {
    const wanted = audiences.length === 0 ? this.audiences : audiences
    const known = this.#tokens.get(token)
    if (known !== undefined) return this.#judgeStatic(known, cluster, wanted)
    try {
      const verified = this.#key.verify(token)
      if (verified === undefined) return wrong()
      if ('problem' in verified) return wrong(verified.problem)
      const { claims } = verified
      const common = commonAudiences(claims, wanted)
      assertTimely(claims, now)
      assertCluster(claims, cluster)
      const user =
        claims['kubernetes.io'] === undefined
          ? clusterUserOf(claims, cluster, this.#clusterUid)
          : serviceAccountOf(claims, { cluster, now, lookup: this.#lookup })
      return { authenticated: true, user: authenticated(user), audiences: common }
    } catch (error) {
      if (error instanceof TokenError) return wrong(error.message)
      throw error
    }
  }

  /** A new token for a ServiceAccount. Who may have one is for the caller to check. */
  issueServiceAccountToken(request: ServiceAccountTokenRequest): string {
    return this.#key.sign(serviceAccountClaims(request))
  }

  /** A new token for the kubeconfig of one logical cluster, valid there alone. */
  issueClusterToken(request: Omit<ClusterTokenRequest, 'audiences'>): string {
    return this.#key.sign(clusterClaims({ ...request, audiences: this.audiences }))
  }

  /** Tokens from a file know no audiences: they are good for this server's own. */
  #judgeStatic(known: StaticToken, cluster: string, wanted: readonly string[]): TokenResult {
    if (known.cluster !== undefined && known.cluster !== cluster) return wrong()
    const common = wanted.filter((audience) => this.audiences.includes(audience))
    return common.length === 0 ? wrong() : { authenticated: true, user: known.user, audiences: common }
  }
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  return new Authenticator(options)
}

/** The user of the token that `ensureCredentials` makes. */
export function adminToken(token: string): StaticToken {
  return { token, user: { name: 'admin', uid: 'admin', groups: ['system:masters'], extra: {} } }
}

/**
 * The token of an Authorization header; undefined for other schemes, which count as no credential at all. WebSocket clients in
 * browsers cannot set headers: for those, see `bearerFromProtocols`.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const [scheme = '', token = ''] = authorization.trim().split(' ', 2)
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined
}

const protocolPrefix = 'base64url.bearer.authorization.k8s.io.'

/** The Authorization header that a `Sec-WebSocket-Protocol` header stands for; undefined when it carries no token. */
export function bearerFromProtocols(protocols: string | undefined): string | undefined {
  const protocol = protocols?.split(',').find((each) => each.trim().startsWith(protocolPrefix))
  if (protocol === undefined) return undefined
  return `Bearer ${Buffer.from(protocol.trim().slice(protocolPrefix.length), 'base64url').toString('utf8')}`
}

function isGoodIn(certificate: ClientCertificate, cluster: string): boolean {
  return certificate.trusted !== false && (certificate.cluster === undefined || certificate.cluster === cluster)
}

function wrong(problem?: string): TokenResult {
  const error = 'invalid bearer token'
  return { authenticated: false, error: problem === undefined ? error : `[${error}, ${problem}]` }
}
