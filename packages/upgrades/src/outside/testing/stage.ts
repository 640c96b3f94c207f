import { rootCertificates } from 'node:tls'
import { ConfigMap, Namespace, Secret, Service, ServiceAccount } from '@windlass/api'
import { seededRandom, type VirtualClock } from '@windlass/core'
import {
  type Client,
  ConnectionError,
  createClient,
  type Handle,
  inProcessTransport,
  type InProcessUser,
  type Log,
  type Transport,
  type TransportOptions,
  type TransportRequest,
} from '@windlass/kube'
import { createOutside, type OpenOutside, type OutsideOptions } from '../outside.ts'

/** What a server does about a request: an answer, or a code such as `ECONNREFUSED`, perhaps after a time. */
export interface FakeAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly after?: number
}
export type FakeServer = (request: TransportRequest) => FakeAnswer | string

export const token = 's3cret-token'

/** A cluster without anything in it, in virtual time. */
export interface Base {
  readonly client: Client
  readonly clock: VirtualClock
}

export function aClient(handle: Handle, user: InProcessUser, clock: VirtualClock): Client {
  const transport = inProcessTransport(handle, { user })
  return createClient({ transport, clock, random: seededRandom('client'), userAgent: 'test', fieldManager: 'test' })
}

export interface StageOptions extends Base {
  /** By origin. Nobody is at other addresses. */
  readonly servers?: Readonly<Record<string, FakeServer>>
  readonly outside?: Partial<OutsideOptions>
}

export interface Stage {
  readonly outside: OpenOutside
  readonly client: Client
  /** `GET https://…` and the rest, in order. */
  readonly asked: readonly string[]
  /** Headers of each request. */
  readonly headers: readonly Readonly<Record<string, string>>[]
  /** With which options ways were opened. */
  readonly opened: readonly TransportOptions[]
  readonly logged: readonly string[]
  /** The result, with time passing for as long as it takes. How much passed is in `waited`. */
  wait<T>(result: Promise<T>): Promise<T>
  readonly waited: () => number
  readonly signal: AbortSignal
}

/** A cluster with a monitoring and a pull secret, and somebody in it who talks to others. */
export async function aStage({ client, clock, servers = {}, outside: more = {} }: StageOptions): Promise<Stage> {
  await furnish(client)
  const asked: string[] = []
  const headers: Readonly<Record<string, string>>[] = []
  const opened: TransportOptions[] = []
  const logged: string[] = []
  const say = (fields: object, message: string): void => void logged.push(`${message} ${JSON.stringify(fields)}`)
  const log: Log = { debug: say, info: say, warn: say, error: say, child: () => log }
  const connect = (options: TransportOptions): Transport => {
    opened.push(options)
    const { origin, host } = new URL(options.server)
    return {
      host,
      async send(request) {
        asked.push(`${request.method} ${origin}${request.path}`)
        headers.push(request.headers ?? {})
        const answer = servers[origin]?.(request) ?? 'ECONNREFUSED'
        if (typeof answer === 'string') throw new ConnectionError(`${origin} cannot be reached (${answer})`, answer)
        await clock.sleep(answer.after ?? 0, request.signal)
        return { status: answer.status, headers: answer.headers ?? {}, body: Buffer.from(answer.body ?? '') }
      },
      stream: () => Promise.reject(new Error('nothing is streamed')),
      close: () => Promise.resolve(),
    }
  }
  const outside = createOutside({ client, clock, random: seededRandom('outside'), log, userAgent: 'test', connect, ...more })
  const start = clock.monotonic()
  return {
    outside,
    client,
    asked,
    headers,
    opened,
    logged,
    async wait(result) {
      let isOver = false
      const over = result.then(
        () => (isOver = true),
        () => (isOver = true),
      )
      for (let steps = 0; steps < 1000; steps++) {
        await clock.settle()
        if (isOver) break
        await clock.step()
      }
      await over
      return result
    },
    waited: () => clock.monotonic() - start,
    signal: new AbortController().signal,
  }
}

async function furnish(client: Client): Promise<void> {
  for (const name of ['openshift-monitoring', 'openshift-config', 'openshift-deployment-validation-operator']) {
    await client.create(Namespace, { metadata: { name } })
  }
  const monitoring = { namespace: 'openshift-monitoring' }
  for (const [name, port] of [
    ['prometheus-k8s', 9091],
    ['alertmanager-main', 9094],
  ] as const) {
    await client.create(Service, { metadata: { ...monitoring, name }, spec: { ports: [{ name: 'web', port, protocol: 'TCP' }] } })
  }
  await client.create(ServiceAccount, { metadata: { ...monitoring, name: 'prometheus-k8s' } })
  const data = { 'service-ca.crt': rootCertificates[0] ?? '' }
  await client.create(ConfigMap, { metadata: { ...monitoring, name: 'serving-certs-ca-bundle' }, data })
  await client.create(Secret, { metadata: { ...monitoring, name: 'prometheus-k8s-token-x7k2p' }, stringData: { token } })
  const auths = { 'cloud.openshift.com': { auth: token }, 'registry.example.com': { auth: Buffer.from('me:pw').toString('base64') } }
  await client.create(Secret, {
    metadata: { namespace: 'openshift-config', name: 'pull-secret' },
    type: 'kubernetes.io/dockerconfigjson',
    stringData: { '.dockerconfigjson': JSON.stringify({ auths }) },
  })
}
