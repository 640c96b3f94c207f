import type { JsonObject, KubernetesObject, Resource } from '@windlass/api'
import { isUnknownKind } from '@windlass/kube'
import type { Client, Ref } from '@windlass/kube'
import { unmodelled } from '../components/control-plane.ts'
import type { ManagementCluster } from '../hosted-cluster/observed.ts'

/** What the API does not tell, or not reliably. */
export type ManagementSettings = Partial<Pick<ManagementCluster, 'isMonitored' | 'ingressDomain' | 'aws' | 'enforcesSequentialMinors'>>

interface Described extends KubernetesObject {
  readonly spec?: JsonObject
  readonly status?: JsonObject
}

const config = (kind: string, plural: string): Resource<Described> => ({
  group: 'config.openshift.io',
  version: 'v1',
  apiVersion: 'config.openshift.io/v1',
  kind,
  plural,
  scope: 'Cluster',
  hasStatusSubresource: true,
})

const Ingress = config('Ingress', 'ingresses')
const Network = config('Network', 'networks')
const DNS = config('DNS', 'dnses')

interface EndpointSliceObject extends KubernetesObject {
  readonly endpoints?: readonly { readonly addresses?: readonly string[] }[]
}

const EndpointSlice: Resource<EndpointSliceObject> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  scope: 'Namespaced',
  hasStatusSubresource: false,
}

/**
 * Asks a management cluster about itself. One that is no OpenShift does not know its own networks and the domain of its ingress; then network policies
 * are wider, and Routes have no names unless `settings` says.
 *
 * Caveat: this is asked once, when controllers are made.
 */
export async function discoverManagementCluster(
  client: Pick<Client, 'find'>,
  settings: ManagementSettings = {},
): Promise<ManagementCluster> {
  const [ingress, network, dns, servers] = await Promise.all([
    read(client, Ingress, { name: 'cluster' }),
    read(client, Network, { name: 'cluster' }),
    read(client, DNS, { name: 'cluster' }),
    read(client, EndpointSlice, { namespace: 'default', name: 'kubernetes' }),
  ])
  return {
    isMonitored: settings.isMonitored ?? false,
    ingressDomain: settings.ingressDomain ?? text(unmodelled(ingress?.spec, 'domain')),
    clusterNetworks: list(unmodelled(network?.status, 'clusterNetwork')).flatMap((entry) => text(unmodelled(entry, 'cidr')) ?? []),
    serviceNetworks: list(unmodelled(network?.status, 'serviceNetwork')).flatMap((entry) => text(entry) ?? []),
    apiServers: (servers?.endpoints ?? []).flatMap(({ addresses = [] }) => addresses),
    hasOpenShiftDns: dns !== undefined,
    aws: settings.aws ?? { region: undefined, hasCredentials: false },
    enforcesSequentialMinors: settings.enforcesSequentialMinors ?? false,
  }
}

async function read<T extends KubernetesObject>(client: Pick<Client, 'find'>, kind: Resource<T>, ref: Ref): Promise<T | undefined> {
  try {
    return await client.find(kind, ref)
  } catch (error) {
    if (isUnknownKind(error)) return undefined
    throw error
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
