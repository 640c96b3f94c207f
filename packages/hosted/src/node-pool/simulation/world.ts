import {
  capi,
  ConfigMap,
  HostedCluster,
  KubevirtMachineTemplate,
  LogicalCluster,
  Namespace,
  Node,
  NodePool,
  Secret,
  toCrd,
} from '@windlass/api'
import type { KubernetesObject } from '@windlass/api'
import { aHostedCluster, aNodePool, aReleaseImage } from '@windlass/api/fixtures'
import type { FixtureOptions } from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { operator, simulate, type Simulation, type SimulationResult, type World } from '@windlass/kube/simulation'
import { type FetchIgnition, type IgnitionQuestion, machineControllers, type MachineOptions } from '@windlass/simulator'
import { catalogueResolver, sampleCatalogue } from '../../releases/index.ts'
import { nodePoolControllers, type NodePoolControllersOptions } from '../controllers.ts'
import { defaultSettings } from '../settings.ts'
import { aMachineConfig } from '../testing/index.ts'
import { IgnitionService } from '../token/index.ts'
import { Label, PoolAnnotation } from '../wire.ts'
import { Desk } from './desk.ts'

/** The namespace of the control plane; the guest has the same name. */
export const home = 'clusters-prod'

export const definitions = [
  HostedCluster,
  NodePool,
  LogicalCluster,
  KubevirtMachineTemplate,
  capi.Cluster,
  capi.MachineDeployment,
  capi.MachineSet,
  capi.Machine,
  capi.MachineHealthCheck,
].map((kind) => toCrd(kind))

export const releases = catalogueResolver(sampleCatalogue())

/** A hosted cluster at 4.19.6 that has everything that pools need. Nobody looks after it: its status is as the test says. */
async function given(client: Client): Promise<void> {
  await client.create(LogicalCluster, { metadata: { name: home }, spec: {} })
  await furnish(client, { kubeconfig: `server: https://simulation/clusters/${home}\n`, authority: 'CERTIFICATE' })
}

export interface Furniture {
  /** Of the guest. */
  readonly kubeconfig: string
  /** PEM of what has signed the certificate of the ignition server. */
  readonly authority: string
  readonly ignitionEndpoint?: string
}

/** Puts the cluster, and all that pools need, into a management cluster. */
export async function furnish(client: Client, { kubeconfig, authority, ignitionEndpoint }: Furniture): Promise<void> {
  for (const name of ['clusters', home]) await client.create(Namespace, { metadata: { name } })
  const secret = (namespace: string, name: string, stringData: Readonly<Record<string, string>>) =>
    client.create(Secret, { metadata: { namespace, name }, type: 'Opaque', stringData })
  await secret('clusters', 'prod-pull-secret', { '.dockerconfigjson': '{"auths":{"example.com":{"auth":"dXNlcjpwYXNz"}}}' })
  await secret('clusters', 'prod-admin-kubeconfig', { kubeconfig })
  await secret(home, 'prod-7k2xq-kubeconfig', { value: kubeconfig })
  await secret(home, 'ignition-server-ca-cert', { 'tls.crt': authority })
  for (const name of ['fips', 'ssh']) {
    const metadata = { namespace: home, name: `ignition-config-${name}`, labels: { [Label.coreConfig]: 'true' } }
    await client.create(ConfigMap, { metadata, data: { config: aMachineConfig(name) } })
  }
  const { metadata, spec, status: usual } = aHostedCluster()
  const status = ignitionEndpoint === undefined ? usual : { ...usual, ignitionEndpoint }
  const cluster = await client.create(HostedCluster, { metadata: { namespace: 'clusters', name: metadata.name ?? '' }, spec })
  await client.updateStatus(HostedCluster, { ...cluster, ...(status === undefined ? {} : { status }) })
}

export interface Story extends Partial<Omit<Simulation, 'controllers' | 'programs' | 'definitions'>> {
  readonly machines?: Partial<MachineOptions>
  readonly pools?: Partial<NodePoolControllersOptions>
  /** Whether our controllers run in a process that starts; they do unless told. */
  readonly areWeHere?: () => boolean
  /** How machines get their configuration, given how they would. */
  readonly fetchIgnition?: (fetch: FetchIgnition) => FetchIgnition
}

type Script = (world: World, desk: Desk) => Promise<void>

/** Runs a story of node pools: our controllers, simulated machines, and whatever the script does. */
export async function tell(script: Script, options: Story = {}): Promise<SimulationResult> {
  return simulate(story(script, options))
}

/** The same, to be run. */
export function story(script: Script, told: Story = {}): Simulation {
  const { machines = {}, pools = {}, seed = 1, areWeHere = () => true, fetchIgnition = (fetch) => fetch, ...options } = told
  const desk = new Desk()
  return {
    seed,
    definitions,
    given,
    controllers: (process) => {
      if (!areWeHere()) return []
      const ignition = new IgnitionService()
      desk.opens(process.name, ignition, process.clock)
      return nodePoolControllers({
        connect: process.connect,
        releases,
        templates: [KubevirtMachineTemplate],
        settings: { ...defaultSettings, skew: { source: 'Auto', policy: 'fixed:3' } },
        generate: async ({ version }) => {
          await process.clock.sleep(3000)
          return JSON.stringify({ ignition: { version: '3.2.0' }, release: version })
        },
        ignition,
        ...pools,
      })
    },
    programs: {
      machines: operator({
        controllers: (process) =>
          machineControllers({
            seed,
            connect: process.connect,
            fetchIgnition: fetchIgnition(desk.fetch),
            templates: [KubevirtMachineTemplate],
            ...machines,
          }),
      }),
    },
    limit: '48h',
    ...options,
    world: async (world) => {
      desk.watches(world)
      try {
        await script(world, desk)
      } catch (error) {
        throw new Error(`${error instanceof Error ? error.message : String(error)}\n${describe(world)}`, { cause: error })
      }
    },
  }
}

/** Somebody asks for a pool. */
export function ask(world: World, options: FixtureOptions<NodePool> & { readonly release?: string } = {}): Promise<NodePool> {
  const { metadata, spec } = aNodePool(options)
  const { name = '', annotations = {} } = metadata
  return world.client.create(NodePool, { metadata: { namespace: 'clusters', name, annotations }, spec })
}

export const poolRef = (name = 'workers') => ({ namespace: 'clusters', name })

export function poolIn(world: World, name?: string): NodePool | undefined {
  return world.state.get(NodePool, poolRef(name))
}

export function change(world: World, spec: object, name?: string): Promise<NodePool> {
  return world.client.patch(NodePool, poolRef(name), { spec: spec as never })
}

export function upgrade(world: World, version: string, name?: string): Promise<NodePool> {
  return change(world, { release: { image: aReleaseImage(version) } }, name)
}

/** The control plane has got to this version. */
export async function controlPlaneAt(world: World, version: string): Promise<void> {
  const { status } = aHostedCluster({ release: version })
  const cluster = await world.client.patch(
    HostedCluster,
    { namespace: 'clusters', name: 'prod' },
    { spec: { release: { image: aReleaseImage(version) } } },
  )
  await world.client.updateStatus(HostedCluster, { ...cluster, ...(status === undefined ? {} : { status }) })
}

/** The control plane is on its way to this version: API servers of both may run. */
export async function controlPlaneLeavesFor(world: World, version: string): Promise<void> {
  const ref = { namespace: 'clusters', name: 'prod' }
  const cluster = await world.client.patch(HostedCluster, ref, { spec: { release: { image: aReleaseImage(version) } } })
  const { status } = cluster
  const { controlPlaneVersion, version: ofGuest } = status ?? {}
  if (status === undefined || controlPlaneVersion === undefined || ofGuest === undefined) throw new Error('the cluster says no version')
  const begun = { state: 'Partial' as const, version, image: aReleaseImage(version), startedTime: formatTime(world.clock.now()) }
  const moving = {
    controlPlaneVersion: { ...controlPlaneVersion, history: [begun, ...(controlPlaneVersion.history ?? [])] },
    version: { ...ofGuest, history: [{ ...begun, verified: false, completionTime: null }, ...(ofGuest.history ?? [])] },
  }
  await world.client.updateStatus(HostedCluster, { ...cluster, status: { ...status, ...moving } })
}

export function machinesIn(world: World): readonly capi.Machine[] {
  return [...world.state.list(capi.Machine, { namespace: home })].sort(byName)
}

export function nodesIn(world: World): readonly Node[] {
  return [...world.state.list(Node, { cluster: home })].sort(byName)
}

export function secretsIn(world: World): readonly string[] {
  return world.state
    .list(Secret, { namespace: home })
    .map(({ metadata }) => metadata.name ?? '')
    .filter((name) => name.startsWith('token-') || name.startsWith('user-data-'))
    .toSorted()
}

/** The hash of the last completed configuration. */
export function hashIn(world: World, name?: string): string {
  return poolIn(world, name)?.metadata.annotations?.[PoolAnnotation.currentConfigVersion] ?? ''
}

/** What a machine that was born with this configuration asks. */
export function questionFor(world: World, hash: string): IgnitionQuestion {
  const secret = world.state.get(Secret, { namespace: home, name: `token-workers-${hash}` })
  return questionWith(Buffer.from(secret?.data?.['token'] ?? '', 'base64').toString(), hash)
}

export function questionWith(token: string, hash: string, pool = 'workers'): IgnitionQuestion {
  const authorization = `Bearer ${Buffer.from(token).toString('base64')}`
  return {
    url: '',
    headers: { authorization, nodepool: `clusters/${pool}`, targetconfigversionhash: hash },
    authority: '',
    tokenSecret: undefined,
  }
}

/** A condition in short: `False/NotFound`; undefined when it is not there. */
export function said(world: World, type: string, name?: string): string | undefined {
  const condition = poolIn(world, name)?.status?.conditions?.find((each) => each.type === type)
  return condition === undefined ? undefined : [condition.status, condition.reason].filter(Boolean).join('/')
}

/** The pool has got to this version and has come to rest there. */
export function isAt(world: World, version: string, name?: string): boolean {
  return (
    poolIn(world, name)?.status?.version === version &&
    said(world, 'UpdatingVersion', name) === 'False/AsExpected' &&
    said(world, 'UpdatingConfig', name) === 'False/AsExpected'
  )
}

export async function installed(world: World, options: Parameters<typeof ask>[1] = {}): Promise<void> {
  await ask(world, options)
  const replicas = options.spec?.replicas ?? 3
  await world.until(() => isAt(world, '4.19.6', options.name) && poolIn(world, options.name)?.status?.replicas === replicas, {
    within: '30m',
  })
  await world.settled({ within: '30m' })
}

/** `4.19.6: 3 ready, 0 not`: what the nodes run, by what the pool says. */
export function nodesInfo(world: World): readonly string[] {
  const { nodeVersions = [] } = poolIn(world)?.status?.nodesInfo ?? {}
  return nodeVersions.map(
    ({ ocpVersion, readyNodeCount, unreadyNodeCount }) => `${ocpVersion}: ${readyNodeCount} ready, ${unreadyNodeCount} not`,
  )
}

function byName(a: KubernetesObject, b: KubernetesObject): number {
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1
}

/** What stands on pools and machines: for people who look at a failed test. */
function describe(world: World): string {
  const conditions = (object: {
    status?: { conditions?: readonly { type: string; status: string; reason?: string; message?: string }[] }
  }) =>
    (object.status?.conditions ?? []).map(
      ({ type, status, reason = '', message = '' }) => `    ${type} ${status} ${reason} ${message.trim()}`,
    )
  return [
    ...world.state
      .list(NodePool)
      .flatMap((pool) => [
        `NodePool ${pool.metadata.name ?? ''} ${pool.status?.version ?? ''} ${JSON.stringify(pool.metadata.annotations)}`,
        ...conditions(pool),
      ]),
    ...world.state
      .list(capi.MachineDeployment)
      .map((each) => `MachineDeployment ${each.metadata.name ?? ''} ${JSON.stringify(each.status)}`),
    ...world.state
      .list(capi.MachineSet)
      .map((each) => `MachineSet ${each.metadata.name ?? ''} ${each.spec.replicas ?? 0} ${JSON.stringify(each.status)}`),
    ...machinesIn(world).flatMap((each) => [
      `Machine ${each.metadata.name ?? ''} ${each.status?.phase ?? ''} ${each.metadata.deletionTimestamp ?? ''}`,
      ...conditions(each),
    ]),
    ...nodesIn(world).map((each) => `Node ${each.metadata.name ?? ''} ${JSON.stringify(each.metadata.annotations)}`),
    `Secrets ${secretsIn(world).join(' ')}`,
  ].join('\n')
}
