import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  capi,
  ConfigMap,
  HostedCluster,
  KubevirtMachineTemplate,
  LogicalCluster,
  Namespace,
  Node,
  NodePool,
  Pod,
  PodDisruptionBudget,
  Secret,
  toCrd,
} from '@windlass/api'
import { aHostedCluster, aNodePool, aReleaseImage } from '@windlass/api/fixtures'
import { catalogueResolver, defaultSettings, IgnitionService, nodePoolControllers, sampleCatalogue } from '@windlass/hosted'
import type { Client } from '@windlass/kube'
import { operator, simulate, type World } from '@windlass/kube/simulation'
import { failureAnnotation, machineControllers, type MachineFailureMode, machineFailureModes } from '@windlass/simulator'
import { assertNamesFirst, type Root } from './expectation.ts'
import { hostedIn, why } from './objects-in.ts'

const home = 'clusters-prod'
const releases = catalogueResolver(sampleCatalogue())
const definitions = [
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

/** What happens to a pool of two nodes. */
interface Story {
  /** What is wrong with all of its machines: from the beginning, when it is installed, or when it is upgraded. */
  readonly when: 'new' | 'rested' | 'upgraded'
  readonly failure?: string
  readonly isInPlace?: true
  /** A Pod on each node that a budget does not let go. */
  readonly hasBudget?: true
  /** How long it is left alone; 30 minutes unless told. */
  readonly after?: string
  readonly root: Root
}

const workers = /^workers-/
const machine = ['NodePool', 'Machine']

const stories: Readonly<Record<MachineFailureMode, Story>> = {
  'infra-error': {
    when: 'new',
    failure: 'infra-error reason=OutOfStock',
    root: { kind: 'Machine', name: workers, reason: /^OutOfStock$/, says: /provider does not make it/, below: ['NodePool'] },
  },
  quota: {
    when: 'new',
    failure: 'quota most=1',
    root: { kind: 'Machine', name: workers, reason: /^QuotaExceeded$/, says: /provider does not make it/, below: ['NodePool'] },
  },
  'ignition-unreachable': {
    when: 'new',
    root: {
      kind: 'Machine',
      name: workers,
      reason: /^WaitingForNodeRef$/,
      says: /has fetched it from the ignition endpoint/,
      below: ['NodePool'],
    },
  },
  'kubelet-never-ready': {
    when: 'new',
    root: {
      kind: 'Node',
      name: workers,
      reason: /^KubeletNotReady$/,
      says: /not ready: container runtime network not ready/,
      below: machine,
    },
  },
  // It is ready for a minute and not for the next.
  'node-flap': { when: 'rested', after: '90s', root: { kind: 'Node', name: workers, reason: /^KubeletNotReady$/, below: machine } },
  'node-unreachable': {
    when: 'rested',
    root: { kind: 'Node', name: workers, reason: /^NodeStatusUnknown$/, says: /nobody hears of its kubelet/, below: machine },
  },
  'instance-gone': {
    when: 'rested',
    root: { kind: 'Machine', name: workers, reason: /^InstanceTerminated$/, says: /does not have it any more/, below: ['NodePool'] },
  },
  'node-deleted': { when: 'rested', root: { kind: 'Machine', name: workers, reason: /^NodeNotFound$/, below: ['NodePool'] } },
  slow: {
    when: 'new',
    failure: 'slow factor=1000',
    root: {
      kind: 'Machine',
      name: workers,
      reason: /^WaitingForInfrastructure$/,
      says: /provider has not made it yet/,
      below: ['NodePool'],
    },
  },
  'drain-blocked': { when: 'upgraded', root: { kind: 'Node', name: workers, reason: /^Draining$/, says: /being drained/, below: machine } },
  'volume-stuck': {
    when: 'upgraded',
    root: { kind: 'Machine', name: workers, reason: /^WaitingForVolumeDetach$/, says: /volumes of its node/, below: ['NodePool'] },
  },
  'mcd-degraded': {
    when: 'upgraded',
    failure: 'mcd-degraded reason=DiskFull',
    isInPlace: true,
    root: { kind: 'Node', name: workers, reason: /^Degraded$/, says: /DiskFull/, below: machine },
  },
  'mcd-stuck': {
    when: 'upgraded',
    isInPlace: true,
    root: { kind: 'Node', name: workers, reason: /^NotBegun$/, says: /has not begun/, below: machine },
  },
}

/** What needs no injection: people do it. */
const budget: Root = {
  kind: 'PodDisruptionBudget',
  name: /^checkout$/,
  reason: /^NeverAllowsDisruption$/,
  says: /allows no disruption: 2 of 2 Pods are healthy and 2 must be/,
}

const all: Readonly<Record<string, Story>> = {
  ...stories,
  'a budget that allows nothing, where machines are replaced': {
    when: 'upgraded',
    hasBudget: true,
    root: { ...budget, below: ['NodePool', 'Machine', 'Node', 'Pod'] },
  },
  'a budget that allows nothing, where nodes stay': {
    when: 'upgraded',
    hasBudget: true,
    isInPlace: true,
    root: { ...budget, below: ['NodePool', 'Machine', 'Node', 'Pod'] },
  },
}

/** A hosted cluster that has everything that pools need. Nobody looks after it: it is as its fixture says. */
async function given(client: Client): Promise<void> {
  await client.create(LogicalCluster, { metadata: { name: home }, spec: {} })
  for (const name of ['clusters', home]) await client.create(Namespace, { metadata: { name } })
  const kubeconfig = `server: https://simulation/clusters/${home}\n`
  const secret = (namespace: string, name: string, stringData: Readonly<Record<string, string>>) =>
    client.create(Secret, { metadata: { namespace, name }, type: 'Opaque', stringData })
  await secret('clusters', 'prod-pull-secret', { '.dockerconfigjson': '{"auths":{"example.com":{"auth":"dXNlcjpwYXNz"}}}' })
  await secret('clusters', 'prod-admin-kubeconfig', { kubeconfig })
  await secret(home, 'prod-7k2xq-kubeconfig', { value: kubeconfig })
  await secret(home, 'ignition-server-ca-cert', { 'tls.crt': 'CERTIFICATE' })
  for (const name of ['fips', 'ssh']) {
    const config = `apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nmetadata:\n  name: ${name}\nspec: {}\n`
    const metadata = {
      namespace: home,
      name: `ignition-config-${name}`,
      labels: { 'hypershift.openshift.io/core-ignition-config': 'true' },
    }
    await client.create(ConfigMap, { metadata, data: { config } })
  }
  const { metadata, spec, status } = aHostedCluster()
  const cluster = await client.create(HostedCluster, { metadata: { namespace: 'clusters', name: metadata.name ?? '' }, spec })
  await client.updateStatus(HostedCluster, { ...cluster, ...(status === undefined ? {} : { status }) })
}

const pool = { namespace: 'clusters', name: 'workers' } as const

function isRested(world: World): boolean {
  const { status } = world.state.get(NodePool, pool) ?? {}
  const isUpdating = status?.conditions?.some(({ type, status: is }) => type.startsWith('Updating') && is === 'True')
  return status?.replicas === 2 && status.version === '4.19.6' && isUpdating !== true
}

async function openShop(guest: Client): Promise<void> {
  const namespace = 'shop'
  const labels = { app: 'checkout' }
  await guest.create(Namespace, { metadata: { name: namespace } })
  for await (const { metadata } of guest.list(Node)) {
    const ref = { namespace, name: `checkout-${metadata.name ?? ''}` }
    const containers = [{ name: 'checkout', image: 'example.com/shop/checkout:1' }]
    await guest.create(Pod, { metadata: { ...ref, labels }, spec: { nodeName: metadata.name ?? '', containers } })
    await guest.patchStatus(Pod, ref, { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } })
  }
  const ref = { namespace, name: 'checkout' }
  await guest.create(PodDisruptionBudget, { metadata: ref, spec: { selector: { matchLabels: labels }, minAvailable: '100%' } })
  const counted = { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 2 }
  await guest.patchStatus(PodDisruptionBudget, ref, { status: counted })
}

async function play(world: World, name: string, { when, failure, isInPlace, hasBudget, after = '30m' }: Story): Promise<void> {
  const fails = hasBudget === true ? null : (failure ?? name)
  const annotations = when === 'new' && fails !== null ? { [failureAnnotation]: fails } : {}
  const { spec } = aNodePool()
  const inPlace = { upgradeType: 'InPlace' as const, autoRepair: false, inPlace: { maxUnavailable: 1 } }
  const small = { ...spec, replicas: 2, ...(isInPlace === true ? { management: inPlace } : {}) }
  await world.client.create(NodePool, { metadata: { ...pool, annotations }, spec: small })
  if (when !== 'new') {
    await world.until(() => isRested(world), { within: '30m' })
    assert.deepEqual((await why(world, hostedIn(world))).chains, [], 'a pool at rest waits for nothing')
    if (hasBudget === true) await openShop(world.clientOf(home))
    const change = when === 'upgraded' ? { spec: { release: { image: aReleaseImage('4.19.5') } } } : {}
    await world.client.patch(NodePool, pool, { metadata: { annotations: { [failureAnnotation]: fails } }, ...change })
  }
  await world.sleep(after)
}

describe('of everything that can go wrong with machines', () => {
  for (const [name, story] of Object.entries(all)) {
    it(`${name}: the root is named first`, { timeout: 60_000 }, async () => {
      const ignition = new IgnitionService()
      await simulate({
        seed: 1,
        definitions,
        given,
        limit: '48h',
        controllers: ({ connect }) =>
          nodePoolControllers({
            connect,
            releases,
            templates: [KubevirtMachineTemplate],
            settings: { ...defaultSettings, skew: { source: 'Auto', policy: 'fixed:3' } },
            generate: ({ version }) => Promise.resolve(JSON.stringify({ ignition: { version: '3.2.0' }, release: version })),
            ignition,
          }),
        programs: {
          machines: operator({
            controllers: ({ connect, clock }) =>
              machineControllers({
                seed: 1,
                connect,
                fetchIgnition: ({ headers }) => ignition.answer({ method: 'GET', path: '/ignition', headers }, clock),
                templates: [KubevirtMachineTemplate],
              }),
          }),
        },
        world: async (world) => {
          await play(world, name, story)
          assertNamesFirst(await why(world, hostedIn(world)), story.root)
        },
      })
    })
  }

  it('there is a story for each of them', () => {
    assert.deepEqual(Object.keys(stories).toSorted(), machineFailureModes.toSorted())
  })
})
