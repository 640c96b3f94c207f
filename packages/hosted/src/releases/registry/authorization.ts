import type { Clock } from '@windlass/core'
import { type Repository, repositoryPath } from '../pullspec/index.ts'
import { LruMap } from '../lru-map.ts'
import { type Challenge, parseChallenges } from './challenge.ts'
import { connectionFailure, RegistryFailure } from './failure.ts'
import type { Credential } from './pull-secret.ts'
import { readWhole, type RegistryAnswer, type RegistryRequest } from './transport.ts'
import { isBusy, refusalDetail, retryAfterOf } from './refusal.ts'

export interface AuthorizationOptions {
  readonly clock: Clock
  /** Sends a request and gives any answer; fails with a `RegistryFailure` when there is none. */
  readonly send: (place: Repository, request: RegistryRequest) => Promise<RegistryAnswer>
  /** Whether this address may be spoken to without TLS. */
  readonly allowsPlainHttp: (url: URL) => boolean
}

export interface ChallengedRequest {
  readonly place: Repository
  readonly credential: Credential | undefined
  readonly signal: AbortSignal
}

/** A token that does not say how long it lives, lives so long: the token protocol's own default, in seconds. */
const usualLifetime = 60
const largestAnswer = 256 * 1024
const headersKept = 1000

/**
 * What registries want to see in the Authorization header. Learned from their challenges, and remembered for as long as it holds, so
 * that only the first request for a repository is made twice.
 */
export class Authorization {
  readonly #options: AuthorizationOptions
  readonly #headers = new LruMap<string, { readonly value: string; readonly until: number }>(headersKept)

  constructor(options: AuthorizationOptions) {
    this.#options = options
  }

  /** The header that worked last time. */
  known({ place, credential }: ChallengedRequest): string | undefined {
    const header = this.#headers.get(keyOf(place, credential))
    return header !== undefined && header.until > this.#options.clock.now() ? header.value : undefined
  }

  forget({ place, credential }: ChallengedRequest): void {
    this.#headers.delete(keyOf(place, credential))
  }

  /**
   * The header that a challenge (WWW-Authenticate) asks for.
   *
   * # Errors
   *
   * `RegistryFailure`: unauthorized when there is nothing to show or it is refused, unreachable when the token service is.
   */
  async answer(challenge: string | undefined, request: ChallengedRequest): Promise<string> {
    const { place, credential } = request
    const challenges = parseChallenges(challenge ?? '')
    const bearer = challenges.find(({ scheme }) => scheme === 'bearer')
    if (bearer !== undefined) {
      const { token, lifetime } =
        credential?.kind === 'bearer' ? { token: credential.token, lifetime: Infinity } : await this.#fetchToken(bearer, request)
      // A token that is about to expire is as good as none.
      return this.#remember(request, `Bearer ${token}`, lifetime * 900)
    }
    if (challenges.some(({ scheme }) => scheme === 'basic') && credential?.kind === 'password') {
      return this.#remember(request, basic(credential), Infinity)
    }
    throw new RegistryFailure('unauthorized', `${place.registry} wants credentials for ${place.repository}. ${whatWasShown(credential)}`)
  }

  #remember({ place, credential }: ChallengedRequest, value: string, milliseconds: number): string {
    this.#headers.set(keyOf(place, credential), { value, until: this.#options.clock.now() + milliseconds })
    return value
  }

  async #fetchToken(bearer: Challenge, request: ChallengedRequest): Promise<{ token: string; lifetime: number }> {
    const { place, credential, signal } = request
    const realm = this.#realm(bearer, place)
    const service = bearer.parameters.get('service')
    const scope = bearer.parameters.get('scope') ?? `repository:${place.repository}:pull`
    const answer = await this.#options.send(place, { ...tokenRequest(realm, service, scope, credential), signal })
    if (answer.status !== 200) throw await this.#refusal(answer, realm, request)
    const token = readToken(await readAnswer(answer, request))
    if (token === undefined) throw new RegistryFailure('unusable', `${realm.origin} gives no token for ${repositoryPath(place)}`)
    return token
  }

  #realm({ parameters }: Challenge, place: Repository): URL {
    const text = parameters.get('realm') ?? ''
    const realm = URL.parse(text)
    if (realm === null || !/^https?:$/.test(realm.protocol)) {
      throw new RegistryFailure('unusable', `${place.registry} sends for a token to "${text}", which is no address`)
    }
    if (realm.protocol === 'http:' && !this.#options.allowsPlainHttp(realm)) {
      throw new RegistryFailure(
        'unusable',
        `${place.registry} wants credentials to be sent to ${realm.origin} without TLS. If that is meant to be so, name ${realm.host} among the insecure registries.`,
      )
    }
    return realm
  }

  async #refusal(answer: RegistryAnswer, realm: URL, { place, credential }: ChallengedRequest): Promise<RegistryFailure> {
    const detail = await refusalDetail(answer)
    if (isBusy(answer.status)) {
      const retryAfter = retryAfterOf(answer, this.#options.clock.now())
      return new RegistryFailure('unreachable', `${realm.origin} gives no token now: ${detail}`, { retryAfter })
    }
    if (answer.status === 401 || answer.status === 403) {
      return new RegistryFailure(
        'unauthorized',
        `${realm.origin} gives no token for ${place.repository} (${detail}). ${whatWasShown(credential)}`,
      )
    }
    return new RegistryFailure('unusable', `${realm.origin} gives no token for ${repositoryPath(place)}: ${detail}`)
  }
}

/** What to say after that something cannot be had. */
export function whatWasShown(credential: Credential | undefined): string {
  if (credential === undefined) return 'The pull secret has no credentials for it: add an entry for this registry or repository.'
  const whose = credential.kind === 'password' ? ` of "${credential.username}"` : ''
  return `The credentials${whose} in the pull secret do not suffice: correct them, or allow them to pull this repository.`
}

function tokenRequest(
  realm: URL,
  service: string | undefined,
  scope: string,
  credential: Credential | undefined,
): Omit<RegistryRequest, 'signal'> {
  const parameters = { ...(service === undefined ? {} : { service }), scope }
  if (credential?.kind === 'identity') {
    const form = { ...parameters, grant_type: 'refresh_token', client_id: 'windlass', refresh_token: credential.token }
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
    return { method: 'POST', url: realm, headers, body: new URLSearchParams(form).toString() }
  }
  const url = new URL(realm)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const authorization = credential?.kind === 'password' ? { authorization: basic(credential) } : {}
  return { method: 'GET', url, headers: { accept: 'application/json', ...authorization } }
}

async function readAnswer({ body }: RegistryAnswer, { place, signal }: ChallengedRequest): Promise<Buffer | undefined> {
  try {
    return await readWhole(body, largestAnswer)
  } catch (error) {
    signal.throwIfAborted()
    throw connectionFailure(place, error)
  }
}

function readToken(body: Buffer | undefined): { token: string; lifetime: number } | undefined {
  try {
    const { token, access_token, expires_in } = JSON.parse(body?.toString() ?? '') as Readonly<Record<string, unknown>>
    const text = typeof token === 'string' && token !== '' ? token : access_token
    if (typeof text !== 'string' || text === '') return undefined
    return { token: text, lifetime: typeof expires_in === 'number' && expires_in > 0 ? expires_in : usualLifetime }
  } catch {
    return undefined
  }
}

function basic({ username, password }: Extract<Credential, { kind: 'password' }>): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

function keyOf(place: Repository, credential: Credential | undefined): string {
  return `${repositoryPath(place)} ${credential?.fingerprint ?? ''}`
}
