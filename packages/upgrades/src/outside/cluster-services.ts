import { X509Certificate } from 'node:crypto'
import { getCACertificates } from 'node:tls'
import { ConfigMap, Route, Service } from '@windlass/api'
import type { Clock } from '@windlass/core'
import { type Client, isNotFound } from '@windlass/kube'

/** A port of a Service of the cluster, by name. */
export interface ServicePort {
  readonly namespace: string
  readonly name: string
  readonly port: string
  readonly scheme: 'http' | 'https'
}

/** Where to look for services, when not where they are for everybody in the cluster. */
export interface Whereabouts {
  /** `<namespace>/<service>` to a URL: for programs that run outside of the cluster. */
  readonly endpoints?: Readonly<Record<string, string>>
  /** Through the Route of the same name. */
  readonly usesRoutes?: boolean
}

/** Thrown when a service has no address. That it does not exist is another matter, see `isAbsent`. */
export class NoAddressError extends Error {
  readonly isAbsent: boolean

  constructor(message: string, isAbsent = false) {
    super(message)
    this.name = 'NoAddressError'
    this.isAbsent = isAbsent
  }
}

/** The address of a service: `https://prometheus-k8s.openshift-monitoring.svc.cluster.local:9091`. */
export async function serviceUrl(client: Client, service: ServicePort, where: Whereabouts, signal: AbortSignal): Promise<string> {
  const { namespace, name, port, scheme } = service
  const override = where.endpoints?.[`${namespace}/${name}`]
  if (override !== undefined) return override
  if (where.usesRoutes === true) return routeUrl(client, service, signal)
  const { spec } = await found(client.get(Service, { namespace, name }, { signal }), `Service ${namespace}/${name}`)
  const number = spec.ports?.find((each) => each.name === port)?.port
  if (number === undefined) throw new NoAddressError(`Service ${namespace}/${name} has no port with the name ${port}`)
  return `${scheme}://${name}.${namespace}.svc.cluster.local:${number}`
}

async function routeUrl(client: Client, { namespace, name }: ServicePort, signal: AbortSignal): Promise<string> {
  const { spec } = await found(client.get(Route, { namespace, name }, { signal }), `Route ${namespace}/${name}`)
  const host = spec.host ?? ''
  if (host === '') throw new NoAddressError(`Route ${namespace}/${name} has no host`)
  return `https://${host}`
}

async function found<T>(reading: Promise<T>, what: string): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (isNotFound(error)) throw new NoAddressError(`${what} does not exist`, true)
    throw error
  }
}

const bundle = { namespace: 'openshift-monitoring', name: 'serving-certs-ca-bundle' } as const
const bundleKey = 'service-ca.crt'

/**
 * PEM of everybody who may vouch for services of the cluster: the system's authorities, and the one that signs for services.
 *
 * Errors: when there is no such authority, or what is there is no certificate. To talk to whoever answers would hand a token to anybody.
 */
export async function serviceAuthorities(client: Client, signal: AbortSignal): Promise<string> {
  const what = `ConfigMap ${bundle.namespace}/${bundle.name}`
  const { data } = await found(client.get(ConfigMap, bundle, { signal }), what)
  const pem = data?.[bundleKey]?.trim() ?? ''
  if (pem === '') throw new Error(`${what} has nothing under the key ${bundleKey}: the certificates of services cannot be checked`)
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0 || !blocks.every(isCertificate)) {
    throw new Error(`${what}, key ${bundleKey}: it is no list of PEM certificates, so that those of services cannot be checked`)
  }
  return [...getCACertificates('default'), pem].join('\n')
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}

/** How long an address and authorities are good for. */
export function inAnHour(clock: Clock): number {
  return clock.now() + 60 * 60_000
}
