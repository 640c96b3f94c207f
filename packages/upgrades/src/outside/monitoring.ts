import type { Clock } from '@windlass/core'
import type { Client, TransportRequest } from '@windlass/kube'
import { inAnHour, serviceAuthorities, type ServicePort, serviceUrl, type Whereabouts } from './cluster-services.ts'
import { exchange, type NoAnswer, type Outcome } from './exchange.ts'
import { Kept } from './kept.ts'
import { monitoringToken } from './monitoring-token.ts'
import type { Ways } from './ways.ts'

export interface MonitoringOptions {
  readonly client: Client
  readonly clock: Clock
  readonly ways: Ways
  readonly where: Whereabouts
  readonly userAgent: string
}

/** Where a service is, who vouches for it, and what opens it. */
interface Access {
  readonly server: string
  readonly ca: string | undefined
  readonly token: string
}

/**
 * A service of the cluster's monitoring, and how it is asked. Where it is and what opens it is read from the cluster and kept; after a failure it is read
 * anew, because services move and tokens and authorities are rotated in the middle of upgrades.
 */
export class MonitoringService {
  readonly #service: ServicePort
  readonly #options: MonitoringOptions
  readonly #access: Kept<Access>

  constructor(service: ServicePort, options: MonitoringOptions) {
    this.#service = service
    this.#options = options
    this.#access = new Kept(options.clock, (signal) => this.#look(signal))
  }

  /** Errors: none but the reason of the signal. */
  async ask(request: Omit<TransportRequest, 'signal' | 'headers'>, signal: AbortSignal): Promise<Outcome> {
    const first = await this.#try(request, signal)
    const isRefused = 'status' in first.outcome && (first.outcome.status === 401 || first.outcome.status === 403)
    if ('problem' in first.outcome || isRefused) this.#access.forget()
    if (!isRefused) return first.outcome
    // A token that was taken back is not offered twice.
    const second = await this.#try(request, signal, first.token)
    return second.outcome
  }

  async #try(
    request: Omit<TransportRequest, 'signal' | 'headers'>,
    signal: AbortSignal,
    refused?: string,
  ): Promise<{ readonly outcome: Outcome; readonly token?: string }> {
    let access: Access
    try {
      access = await this.#access.get(signal)
    } catch (error) {
      signal.throwIfAborted()
      return { outcome: this.#unreachable(error) }
    }
    const { server, ca, token } = access
    if (token === refused) return { outcome: this.#unwelcome(server) }
    const { ways, userAgent } = this.#options
    const way = ways.to(`${this.#service.namespace}/${this.#service.name}`, { server, ...(ca === undefined ? {} : { ca }) })
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      'user-agent': userAgent,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    return { outcome: await exchange(way, { ...request, headers }, signal), token }
  }

  async #look(signal: AbortSignal): Promise<{ readonly value: Access; readonly until: number }> {
    const { client, clock, where } = this.#options
    const server = await serviceUrl(client, this.#service, where, signal)
    const isRoute = where.usesRoutes === true && where.endpoints?.[`${this.#service.namespace}/${this.#service.name}`] === undefined
    const ca = server.startsWith('http:') || isRoute ? undefined : await serviceAuthorities(client, signal)
    const { value: token, until } = await monitoringToken(client, clock, signal)
    return { value: { server, ca, token }, until: Math.min(until, inAnHour(clock)) }
  }

  #unreachable(error: unknown): NoAnswer {
    const { namespace, name } = this.#service
    return { problem: `${namespace}/${name} was not asked: ${error instanceof Error ? error.message : String(error)}`, isUnsent: true }
  }

  #unwelcome(server: string): NoAnswer {
    return {
      problem: `${server} does not accept the token of ServiceAccount openshift-monitoring/prometheus-k8s: check that the account may view the cluster's monitoring`,
      isUnsent: true,
    }
  }
}
