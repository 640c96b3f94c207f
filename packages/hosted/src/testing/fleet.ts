import {
  capi,
  ClusterVersion,
  ControlPlaneComponent,
  HostedCluster,
  HostedControlPlane,
  LogicalCluster,
  Namespace,
  NodePool,
} from '@windlass/api'
import { Route, Secret, ServiceMonitor, toCrd } from '@windlass/api'
import type { JsonObject } from '@windlass/api'
import { aHostedCluster, aReleaseImage } from '@windlass/api/fixtures'
import type { Client } from '@windlass/kube'
import type { AnyController, ProcessContext, World } from '@windlass/kube/simulation'
import { hostedControllers } from '../controllers.ts'
import { logicalClusterGuests } from '../guests/index.ts'
import type { ManagementCluster } from '../hosted-cluster/index.ts'
import { servedKinds } from '../management/index.ts'
import { catalogueResolver, sampleCatalogue } from '../releases/index.ts'
import { guestVersions } from './guests.ts'
import { operands } from './operands.ts'
import { workloads } from './workloads.ts'

export const releases = catalogueResolver(sampleCatalogue())

export const definitions = [
  HostedCluster,
  HostedControlPlane,
  ControlPlaneComponent,
  NodePool,
  LogicalCluster,
  ClusterVersion,
  Route,
  ServiceMonitor,
  capi.Cluster,
].map((kind) => toCrd(kind))

const management: ManagementCluster = {
  isMonitored: false,
  ingressDomain: 'apps.mgmt.example.com',
  clusterNetworks: ['10.128.0.0/14'],
  serviceNetworks: ['172.30.0.0/16'],
  apiServers: ['192.0.2.10'],
  hasOpenShiftDns: true,
  aws: { region: undefined, hasCredentials: false },
  enforcesSequentialMinors: false,
}

/** The controllers under test. */
export function controllers({ connect }: ProcessContext): readonly AnyController[] {
  return hostedControllers({
    releases,
    guests: logicalClusterGuests({ template: 'root' }),
    connect,
    served: servedKinds([Route, ServiceMonitor, capi.Cluster]),
    management,
    resolveName: () => Promise.resolve(),
  })
}

/** The rest of a management cluster. */
export function surroundings({ connect }: ProcessContext): readonly AnyController[] {
  return [...workloads(), operands(releases), guestVersions(connect, releases)]
}

/** A management cluster with everything that people put there before they ask for clusters. */
export async function given(client: Client): Promise<void> {
  await client.create(Namespace, { metadata: { name: 'clusters' } })
  const secret = (name: string, stringData: Readonly<Record<string, string>>) =>
    client.create(Secret, { metadata: { namespace: 'clusters', name }, type: 'Opaque', stringData })
  await secret('prod-pull-secret', { '.dockerconfigjson': '{"auths":{"example.com":{"auth":"dXNlcjpwYXNz"}}}' })
  await secret('prod-ssh-key', { 'id_rsa.pub': 'ssh-rsa AAAA' })
}

export interface Wish {
  readonly name?: string
  readonly release?: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly spec?: Partial<HostedCluster['spec']>
}

/** Somebody asks for a cluster. */
export function ask(client: Client, { name = 'prod', release = '4.19.6', annotations = {}, spec = {} }: Wish = {}): Promise<HostedCluster> {
  const wanted = aHostedCluster({ release })
  const { infraID: _, clusterID: _id, ...rest } = wanted.spec
  return client.create(HostedCluster, { metadata: { namespace: 'clusters', name, annotations }, spec: { ...rest, ...spec } })
}

export const refOf = (name = 'prod') => ({ namespace: 'clusters', name })
export const home = (name = 'prod') => `clusters-${name}`

export function clusterIn(world: World, name = 'prod'): HostedCluster | undefined {
  return world.state.get(HostedCluster, refOf(name))
}

export function controlPlaneIn(world: World, name = 'prod'): HostedControlPlane | undefined {
  return world.state.get(HostedControlPlane, { namespace: home(name), name })
}

/** `Completed 4.19.6`, newest first: of the management side. */
export function historyOf(world: World, name = 'prod'): readonly string[] {
  return (clusterIn(world, name)?.status?.controlPlaneVersion?.history ?? []).map(({ state, version }) => `${state} ${version}`)
}

/** The same of the guest. */
export function guestHistoryOf(world: World, name = 'prod'): readonly string[] {
  return (clusterIn(world, name)?.status?.version?.history ?? []).map(({ state, version = '' }) => `${state} ${version}`)
}

export function change(world: World, patch: JsonObject, name = 'prod'): Promise<HostedCluster> {
  return world.client.patch(HostedCluster, refOf(name), patch)
}

export function upgrade(world: World, version: string, name = 'prod'): Promise<HostedCluster> {
  return change(world, { spec: { release: { image: aReleaseImage(version) } } }, name)
}

/** What stands on the cluster and its parts: for people who look at a failed test. */
export function describe(world: World, name = 'prod'): string {
  const conditions = (object: HostedCluster | HostedControlPlane | ControlPlaneComponent | undefined) =>
    (object?.status?.conditions ?? []).map(({ type, status, reason, message }) => `    ${type} ${status} ${reason} ${message ?? ''}`)
  const components = world.state
    .list(ControlPlaneComponent)
    .filter(({ metadata }) => metadata.namespace === home(name))
    .flatMap((component) => [`  ${component.metadata.name ?? ''} ${component.status?.version ?? ''}`, ...conditions(component)])
  return [
    'HostedCluster',
    ...conditions(clusterIn(world, name)),
    'HostedControlPlane',
    ...conditions(controlPlaneIn(world, name)),
    ...components,
  ].join('\n')
}
