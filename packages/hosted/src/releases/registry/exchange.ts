import type { Clock } from '@windlass/core'
import type { Repository } from '../pullspec/index.ts'
import { Authorization, type ChallengedRequest, whatWasShown } from './authorization.ts'
import { connectionFailure, type FailureKind, RegistryFailure } from './failure.ts'
import { isBusy, refusalDetail, retryAfterOf } from './refusal.ts'
import type { RegistryAnswer, RegistryRequest, RegistryTransport } from './transport.ts'

export interface ExchangeOptions {
  readonly transport: RegistryTransport
  readonly clock: Clock
  readonly insecureRegistries: ReadonlySet<string>
  /** Milliseconds until the headers of an answer must be there. */
  readonly answerTimeout: number
}

export interface Question extends ChallengedRequest {
  readonly method: 'GET' | 'HEAD'
  /** Below `/v2/<repository>/`: `manifests/latest`. */
  readonly path: string
  readonly accept?: string
  /** How people call what is asked for. */
  readonly what: string
  /** What it means when the registry does not have it. */
  readonly absence: FailureKind
}

const mostRedirects = 5

/** The default registry's API has another name than its images. */
const apiHosts: ReadonlyMap<string, string> = new Map([['docker.io', 'registry-1.docker.io']])

/** One question to a registry, with everything it takes to get it answered: credentials when they are asked for, redirects, a time limit. */
export class Exchange {
  readonly #options: ExchangeOptions
  readonly #authorization: Authorization

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#authorization = new Authorization({
      clock: options.clock,
      send: (place, request) => this.#send(place, request),
      allowsPlainHttp: (url) => this.#allowsPlainHttp(url),
    })
  }

  /** The address of a registry's API: `https://example.com/v2/`. */
  base(registry: string): URL {
    const scheme = this.#options.insecureRegistries.has(registry) ? 'http' : 'https'
    return new URL(`${scheme}://${apiHosts.get(registry) ?? registry}/v2/`)
  }

  /** An answer of any status to a question that needs no credentials. */
  async probe(registry: string, signal: AbortSignal): Promise<number> {
    const place = { registry, repository: '' }
    const answer = await this.#send(place, { method: 'GET', url: this.base(registry), headers: {}, signal })
    await answer.discard()
    return answer.status
  }

  /**
   * An answer of status 200.
   *
   * # Errors
   *
   * `RegistryFailure`, or the signal's reason.
   */
  async ask(question: Question): Promise<RegistryAnswer> {
    const start = new URL(`${question.place.repository}/${question.path}`, this.base(question.place.registry))
    const known = this.#authorization.known(question)
    const first = await this.#follow(question, start, known)
    if (first.answer.status !== 401 || first.isElsewhere) return this.#accepted(question, first)
    await first.answer.discard()
    this.#authorization.forget(question)
    const header = await this.#authorization.answer(first.answer.headers['www-authenticate'], question)
    // A token may have run out; a password that was refused will be refused again.
    if (header === known) throw this.#unauthorized(question, 'status 401')
    return this.#accepted(question, await this.#follow(question, start, header))
  }

  async #follow(question: Question, start: URL, header: string | undefined): Promise<Followed> {
    let url = start
    for (let redirects = 0; ; redirects++) {
      const isElsewhere = url.origin !== start.origin
      const headers = {
        ...(question.accept === undefined ? {} : { accept: question.accept }),
        // Whoever stores the blobs has no business with the credentials.
        ...(header === undefined || isElsewhere ? {} : { authorization: header }),
      }
      const answer = await this.#send(question.place, { method: question.method, url, headers, signal: question.signal })
      const location = answer.headers['location']
      if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return { answer, url, isElsewhere }
      await answer.discard()
      if (redirects === mostRedirects)
        throw new RegistryFailure('unusable', `${question.place.registry} redirects more than ${mostRedirects} times`)
      url = this.#redirected(question.place, url, location)
    }
  }

  #redirected({ registry }: Repository, from: URL, location: string): URL {
    const url = URL.parse(location, from.href)
    if (url === null || !/^https?:$/.test(url.protocol)) {
      throw new RegistryFailure('unusable', `${registry} redirects to something that is no address`)
    }
    if (url.protocol === 'http:' && from.protocol === 'https:' && !this.#allowsPlainHttp(url)) {
      throw new RegistryFailure(
        'unusable',
        `${registry} redirects to ${url.host} without TLS. If that is meant to be so, name ${url.host} among the insecure registries.`,
      )
    }
    return url
  }

  async #accepted(question: Question, { answer, url, isElsewhere }: Followed): Promise<RegistryAnswer> {
    const { status } = answer
    if (status === 200) return answer
    const { registry } = question.place
    const detail = await refusalDetail(answer)
    if (isBusy(status)) {
      const retryAfter = retryAfterOf(answer, this.#options.clock.now())
      throw new RegistryFailure('unreachable', `${registry} is busy or out of order: ${detail}`, { retryAfter })
    }
    if (isElsewhere) throw new RegistryFailure('unusable', `${registry} redirects to ${url.host}, which refuses: ${detail}`)
    if (status === 404) throw new RegistryFailure(question.absence, `${registry} has no ${question.what} (${detail})`)
    if (status === 401 || status === 403) throw this.#unauthorized(question, detail)
    throw new RegistryFailure('unusable', `${registry} does not answer ${question.method} ${question.path} as a registry should: ${detail}`)
  }

  #unauthorized({ place, credential }: Question, detail: string): RegistryFailure {
    return new RegistryFailure(
      'unauthorized',
      `${place.registry} does not give ${place.repository} (${detail}). ${whatWasShown(credential)}`,
    )
  }

  #allowsPlainHttp(url: URL): boolean {
    return this.#options.insecureRegistries.has(url.host)
  }

  async #send(place: Pick<Repository, 'registry'>, request: RegistryRequest): Promise<RegistryAnswer> {
    const { clock, transport, answerTimeout } = this.#options
    request.signal.throwIfAborted()
    const limit = new AbortController()
    const late = new RegistryFailure('unreachable', `${request.url.host} does not answer within ${answerTimeout / 1000} s`)
    const cancel = clock.after(answerTimeout, () => limit.abort(late))
    try {
      const headers = { 'user-agent': 'windlass', ...request.headers }
      return await transport.send({ ...request, headers, signal: AbortSignal.any([request.signal, limit.signal]) })
    } catch (error) {
      request.signal.throwIfAborted()
      throw connectionFailure({ registry: place.registry }, limit.signal.aborted ? late : error)
    } finally {
      cancel()
    }
  }
}

interface Followed {
  readonly answer: RegistryAnswer
  readonly url: URL
  /** Whether it comes from somebody else than was asked. */
  readonly isElsewhere: boolean
}
