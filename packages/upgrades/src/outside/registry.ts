import { createHash } from 'node:crypto'
import type { Clock } from '@windlass/core'
import { acceptedManifests, blobUrl, manifestUrl, type Pullspec } from '../validation/pullspec.ts'
import { type Answer, complaintOf, isWell, jsonOf, type Outcome } from './exchange.ts'
import { following } from './following.ts'
import { loginFor } from './registry-login.ts'
import type { Ways } from './ways.ts'

export interface RegistryOptions {
  readonly ways: Ways
  readonly clock: Clock
  readonly userAgent: string
  /** As it is written: `{"auths":{…}}`. Asked for when a registry wants to know who we are. */
  readonly pullSecret: (signal: AbortSignal) => Promise<string | undefined>
}

const limit = 20_000

/** An image registry, as far as a release image has to be read from it. It asks without credentials first; registries say what they want. */
export class Registry {
  readonly #image: Pullspec
  readonly #options: RegistryOptions
  /** What opened it last. */
  #authorization: string | undefined

  constructor(image: Pullspec, options: RegistryOptions) {
    this.#image = image
    this.#options = options
  }

  /** Errors: throws when it cannot be had, and when it is not what its digest says. */
  manifest(digest: string, signal: AbortSignal): Promise<unknown> {
    return this.#get(manifestUrl(this.#image, digest), digest, acceptedManifests, signal)
  }

  blob(digest: string, signal: AbortSignal): Promise<unknown> {
    return this.#get(blobUrl(this.#image, digest), digest, '*/*', signal)
  }

  async #get(url: string, digest: string, accept: string, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#answered(url, accept, signal)
    if (`sha256:${createHash('sha256').update(answer.body).digest('hex')}` !== digest) {
      throw new Error(`${url}: what came is not what the digest says`)
    }
    const value = jsonOf(answer)
    if (value === undefined) throw new Error(`${url}: what came is no JSON`)
    return value
  }

  async #answered(url: string, accept: string, signal: AbortSignal): Promise<Answer> {
    let outcome = await this.#ask(url, accept, signal)
    if ('status' in outcome && outcome.status === 401) {
      this.#authorization = await this.#login(outcome, signal)
      outcome = await this.#ask(url, accept, signal)
    }
    if ('problem' in outcome) throw new Error(`${url}: ${outcome.problem}`)
    if (isWell(outcome)) return outcome
    const remedy =
      outcome.status === 401 || outcome.status === 403 ? `; check the entry for ${this.#image.registry} in the pull secret` : ''
    throw new Error(`${url} was answered with status ${outcome.status}${complaintOf(outcome.body, 'message')}${remedy}`)
  }

  #ask(url: string, accept: string, signal: AbortSignal): Promise<Outcome> {
    const { ways, clock, userAgent } = this.#options
    const headers = {
      accept,
      'user-agent': userAgent,
      ...(this.#authorization === undefined ? {} : { authorization: this.#authorization }),
    }
    return following({ ways, clock, url, limit, headers }, signal)
  }

  /** What a registry wants to be shown: a name and a password, or a token that it gives for them elsewhere. */
  async #login({ headers }: Answer, signal: AbortSignal): Promise<string | undefined> {
    const { registry, repository } = this.#image
    const { ways, clock, userAgent, pullSecret } = this.#options
    const basic = loginFor(await pullSecret(signal), `${registry}/${repository}`)
    const challenge = headers['www-authenticate'] ?? ''
    if (!/^bearer\b/i.test(challenge)) return basic
    const parameters = Object.fromEntries(Array.from(challenge.matchAll(/(\w+)="([^"]*)"/g), ([, name = '', value = '']) => [name, value]))
    const { realm = '', service, scope = `repository:${repository}:pull` } = parameters
    if (!URL.canParse(realm) || new URL(realm).protocol !== 'https:') {
      throw new Error(`registry ${registry} wants a token of ${realm === '' ? 'nobody' : realm}: it must be an address of HTTPS`)
    }
    const url = new URL(realm)
    if (service !== undefined) url.searchParams.set('service', service)
    url.searchParams.set('scope', scope)
    const shown = { 'user-agent': userAgent, ...(basic === undefined ? {} : { authorization: basic }) }
    const outcome = await following({ ways, clock, url: url.href, limit, headers: shown }, signal)
    if ('problem' in outcome || !isWell(outcome)) {
      const why = 'problem' in outcome ? outcome.problem : `it answered with status ${outcome.status}`
      throw new Error(`registry ${registry} wants a token of ${url.host}: ${why}; check the entry for ${registry} in the pull secret`)
    }
    const answer = jsonOf(outcome)
    const token = fieldOf(answer, 'token') ?? fieldOf(answer, 'access_token')
    if (token === undefined) throw new Error(`registry ${registry} wants a token of ${url.host}, which gave none`)
    return `Bearer ${token}`
  }
}

function fieldOf(value: unknown, name: string): string | undefined {
  const field: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof field === 'string' && field !== '' ? field : undefined
}
