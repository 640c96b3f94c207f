import type { Clock, Random } from '@windlass/core'
import type { Log, TransportRequest } from '@windlass/kube'
import { authorization } from '../provider/credentials.ts'
import { agentRetries, ocmRetries, retryAfter } from '../provider/retry.ts'
import { isAgent, type OcmRoutes, routesFor } from '../provider/ocm-routes.ts'
import { complaintOf, exchange, type Outcome } from './exchange.ts'
import type { Kept } from './kept.ts'
import type { OcmAddress } from './types.ts'
import type { Ways } from './ways.ts'

export interface OcmOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly ways: Ways
  readonly token: Kept<string>
  readonly userAgent: string
}

export interface OcmQuestion {
  readonly method: 'GET' | 'PATCH' | 'POST'
  readonly route: (routes: OcmRoutes) => string
  readonly body?: object
}

/** What a question came to, and which way it went. */
export type OcmOutcome = Outcome & { readonly asked: string }

/**
 * Sends requests to OCM or to its agent, again where that can help, as somebody whom they know.
 *
 * Neither a message nor a log has a token in it, even if a server sends it back.
 */
export class OcmRequests {
  readonly #address: OcmAddress
  readonly #options: OcmOptions

  constructor(address: OcmAddress, options: OcmOptions) {
    this.#address = address
    this.#options = options
  }

  /** The first way that is not answered with 404. Errors: none but the reason of the signal. */
  async ask({ method, route, body }: OcmQuestion, signal: AbortSignal): Promise<OcmOutcome> {
    const paths = [...new Set(routesFor(this.#address.baseUrl).map(route))]
    let outcome: OcmOutcome = { problem: 'there is no way to ask', isUnsent: true, asked: '' }
    for (const path of paths) {
      outcome = {
        ...(await this.#untilFinal({ method, path, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }, signal)),
        asked: `${method} ${path}`,
      }
      if (!('status' in outcome) || outcome.status !== 404) return outcome
    }
    return outcome
  }

  /** In words, for people. */
  describe(outcome: OcmOutcome): string {
    if ('problem' in outcome) return outcome.problem
    const { status, body, asked, headers } = outcome
    const id = headers['x-operation-id']
    const complaint = complaintOf(body, 'reason', 'message')
    const remedy =
      status === 401 || status === 403 ? '; check that the entry of cloud.openshift.com in the pull secret is of this cluster' : ''
    return `${this.#address.baseUrl} answered ${asked} with status ${status}${complaint}${id === undefined ? '' : ` (operation ${id})`}${remedy}`
  }

  async #untilFinal(request: Pick<TransportRequest, 'method' | 'path' | 'body'>, signal: AbortSignal): Promise<Outcome> {
    const { clock, random } = this.#options
    const policy = isAgent(this.#address.baseUrl) ? agentRetries : ocmRetries
    for (let retry = 1; ; retry++) {
      const outcome = await this.#asSomebody(request, signal)
      const isRefused = 'isFinal' in outcome
      const wait = isRefused ? undefined : retryAfter(request.method, outcome, retry, policy, random)
      if (wait === undefined) return outcome
      await clock.sleep(wait, signal)
    }
  }

  /** Whoever is not known is asked for by another name, once: the pull secret may have been rotated. */
  async #asSomebody(
    request: Pick<TransportRequest, 'method' | 'path' | 'body'>,
    signal: AbortSignal,
  ): Promise<Outcome | (Outcome & { readonly isFinal: true })> {
    const { token } = this.#options
    let shown: string
    let outcome: Outcome
    try {
      shown = await token.get(signal)
      outcome = await this.#once(request, shown, signal)
      if (!('status' in outcome) || (outcome.status !== 401 && outcome.status !== 403)) return outcome
      token.forget()
      const another = await token.get(signal)
      return another === shown ? outcome : await this.#once(request, another, signal)
    } catch (error) {
      signal.throwIfAborted()
      const why = error instanceof Error ? error.message : String(error)
      return { problem: `${this.#address.baseUrl} was not asked: ${why}`, isUnsent: true, isFinal: true }
    }
  }

  async #once(request: Pick<TransportRequest, 'method' | 'path' | 'body'>, token: string, signal: AbortSignal): Promise<Outcome> {
    const { ways, userAgent, log } = this.#options
    const { baseUrl, clusterId } = this.#address
    const way = ways.to(`ocm ${baseUrl}`, { server: baseUrl, isDirect: isAgent(baseUrl) })
    const headers = {
      accept: 'application/json',
      authorization: authorization(clusterId, token),
      'user-agent': userAgent,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const outcome = withoutSecret(await exchange(way, { ...request, headers }, signal), token)
    const { method, path } = request
    if ('problem' in outcome) log.warn({ method, path, problem: outcome.problem }, 'OCM did not answer')
    else {
      const said = { method, path, status: outcome.status, operation: outcome.headers['x-operation-id'] }
      if (outcome.status < 400) log.debug(said, 'OCM answered')
      else log.warn(said, 'OCM refused')
    }
    return outcome
  }
}

function withoutSecret(outcome: Outcome, secret: string): Outcome {
  if ('problem' in outcome) return { ...outcome, problem: outcome.problem.replaceAll(secret, '<token>') }
  return outcome.body.includes(secret) ? { ...outcome, body: outcome.body.replaceAll(secret, '<token>') } : outcome
}
