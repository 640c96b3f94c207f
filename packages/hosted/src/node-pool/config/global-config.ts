import type { HostedCluster, JsonObject } from '@windlass/api'
import { normalisedMinor, type Version } from '@windlass/core'
import { canonicalJson } from '../../components/hash.ts'
import { encode } from './documents.ts'

/** From here on nodes take the TLS profile of the API server too. */
const firstMinorWithTlsProfile = 23

/** Addresses of a cloud's own services, which no proxy leads to. */
const withoutProxyOn: Readonly<Record<string, (region: string | undefined) => readonly string[]>> = {
  AWS: (region) => [
    '169.254.169.254',
    ...(region === undefined ? [] : [region === 'us-east-1' ? '.ec2.internal' : `.${region}.compute.internal`]),
  ],
  Azure: () => ['168.63.129.16', '169.254.169.254'],
}

/**
 * Configuration of the whole cluster that nodes are made with: the proxy, where images come from, and TLS. As a text, since all that matters is
 * whether it changes.
 */
export function globalConfig(cluster: HostedCluster, version: Version): string {
  const { spec } = cluster
  const objects = written.get(spec) ?? proxyAndImage(cluster)
  written.set(spec, objects)
  const profile = takesTlsProfile(version) ? `${canonicalJson(spec.configuration?.apiServer?.tlsSecurityProfile ?? null)}\n` : ''
  return `${objects}\n${profile}`
}

/** Specs are immutable values, and most passes of a pool find the one that they know. */
const written = new WeakMap<HostedCluster['spec'], string>()

function proxyAndImage(cluster: HostedCluster): string {
  const { image } = cluster.spec.configuration ?? {}
  const objects = [proxyObject(cluster), { apiVersion, kind: 'Image', metadata: { name: 'cluster' }, spec: imageSpec(image) }]
  return objects.map(encode).join('\n')
}

/** What goes without the proxy: what the user says, and everything inside of the cluster. Sorted. Undefined without a proxy. */
export function noProxyOf(cluster: HostedCluster): string | undefined {
  const { configuration, networking, platform } = cluster.spec
  const { httpProxy, httpsProxy, noProxy = '' } = configuration?.proxy ?? {}
  if (!httpProxy && !httpsProxy) return undefined
  const own = noProxy.split(',').map((entry) => entry.trim())
  if (own.includes('*')) return '*'
  const { clusterNetwork = [], serviceNetwork = [], machineNetwork = [] } = networking
  const inside = ['127.0.0.1', 'localhost', '.svc', '.cluster.local']
  const networks = [...clusterNetwork, ...serviceNetwork, ...machineNetwork].map(({ cidr }) => cidr)
  const cloud = withoutProxyOn[platform.type]?.(platform.aws?.region) ?? []
  const entries = [...own, ...inside, ...networks, ...cloud].filter((entry) => entry !== '')
  return [...new Set(entries)].toSorted().join(',')
}

const apiVersion = 'config.openshift.io/v1'

function proxyObject(cluster: HostedCluster): Readonly<Record<string, unknown>> {
  const proxy = cluster.spec.configuration?.proxy ?? {}
  const noProxy = noProxyOf(cluster)
  const { httpProxy, httpsProxy } = proxy
  const status = noProxy === undefined ? {} : { httpProxy, httpsProxy, noProxy }
  return { apiVersion, kind: 'Proxy', metadata: { name: 'cluster' }, spec: proxy, status: withoutUndefined(status) }
}

/** An import mode that is empty is the same as none; older clusters write it. */
function imageSpec(image: JsonObject | undefined): JsonObject {
  if (image?.['imageStreamImportMode'] !== '') return image ?? {}
  const { imageStreamImportMode: _, ...rest } = image
  return rest
}

function takesTlsProfile(version: Version): boolean {
  return normalisedMinor(version) >= firstMinorWithTlsProfile
}

function withoutUndefined(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}
