import { ConnectionError, type Transport } from '@windlass/kube'
import { answerAsAlertmanager } from './alertmanager.ts'
import { answerAsPrometheus } from './prometheus.ts'
import { type MonitoringParts, type MonitoringRequest, reply } from './wire.ts'

export interface MonitoringTransportOptions extends MonitoringParts {
  /** In messages; `monitoring` unless told. */
  readonly host?: string
}

/** The way to the simulated Prometheus and Alertmanager of a cluster, which are one server here, without a network: requests are answered from the API of the cluster. */
export function monitoringTransport({ host = 'monitoring', ...parts }: MonitoringTransportOptions): Transport {
  return {
    host,
    async send({ method, path, headers = {}, body, signal }) {
      signal?.throwIfAborted()
      const text = typeof body === 'string' ? body : Buffer.from(body ?? []).toString('utf8')
      const request: MonitoringRequest = {
        method,
        url: new URL(path, 'http://monitoring'),
        body: text,
        ...(signal === undefined ? {} : { signal }),
      }
      const { status, body: answer } = isAuthorized(headers) ? await answered(parts, request, host) : reply(401, 'Unauthorized')
      return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(answer) }
    },
    stream: () => Promise.reject(new Error('monitoring has nothing that is streamed')),
    close: () => Promise.resolve(),
  }
}

/** Whose token it is does not matter: who has the cluster's API has its monitoring. */
function isAuthorized(headers: Readonly<Record<string, string>>): boolean {
  return /^Bearer \S+$/.test(headers['authorization'] ?? '')
}

async function answered(parts: MonitoringParts, request: MonitoringRequest, host: string) {
  try {
    const answer = (await answerAsPrometheus(parts, request)) ?? (await answerAsAlertmanager(parts, request))
    return answer ?? reply(404, `there is no ${request.method} ${request.url.pathname} here`)
  } catch (error) {
    request.signal?.throwIfAborted()
    const problem = error instanceof Error ? error.message : String(error)
    throw new ConnectionError(`${host} cannot answer without the API of its cluster: ${problem}`, '', { cause: error })
  }
}
