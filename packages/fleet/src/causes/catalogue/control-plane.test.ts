import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  allKinds,
  ClusterOperator,
  ClusterVersion,
  HostedCluster,
  Namespace,
  type Resource,
  Route,
  Secret,
  Service,
  toCrd,
} from '@windlass/api'
import { aHostedCluster, aReleaseImage } from '@windlass/api/fixtures'
import { catalogueResolver, hostedControllers, logicalClusterGuests, optionalKinds, sampleCatalogue, servedKinds } from '@windlass/hosted'
import type { Client } from '@windlass/kube'
import { operator, type ProcessContext, simulate, type World } from '@windlass/kube/simulation'
import {
  controlPlaneControllers,
  dnsAnnotation,
  failureAnnotation,
  type FailureMode,
  failureModes,
  type PlannedFailure,
  workloadControllers,
} from '@windlass/simulator'
import { assertNamesFirst, describe as told, type Root } from './expectation.ts'
import { guestOf, hostedIn, why } from './objects-in.ts'

const releases = catalogueResolver(sampleCatalogue())
const definitions = allKinds.map((kind) => toCrd(kind))

/** What is wrong while an installed cluster is upgraded. One after the other: the upgrade gets from each to the next. */
interface Upgrade {
  readonly turn: number
  readonly failure: string
  readonly root: Root
}

/** What is wrong from the beginning, in a cluster of its own. */
interface Installation {
  readonly failure: Omit<PlannedFailure, 'namespace'>
  /** Of the API server, to be known outside. */
  readonly hostname?: string
  readonly root: Root
}

const component = ['ControlPlaneComponent', 'Deployment']

const stories: Readonly<Record<FailureMode, Upgrade | Installation>> = {
  'image-pull': {
    turn: 3,
    failure: 'image-pull name=kube-apiserver-*',
    root: { kind: 'Pod', name: /^kube-apiserver-/, reason: /^ImagePullBackOff$/, says: /cannot be pulled/, below: component },
  },
  'crash-loop': {
    turn: 4,
    failure: 'crash-loop name=openshift-apiserver-*',
    root: {
      kind: 'Pod',
      name: /^openshift-apiserver-/,
      reason: /^CrashLoopBackOff$/,
      says: /ends soon after it starts, with 1/,
      below: component,
    },
  },
  'never-ready': {
    turn: 5,
    failure: 'never-ready name=cluster-network-operator-*',
    root: {
      kind: 'Pod',
      name: /^cluster-network-operator-/,
      reason: /^ContainersNotReady$/,
      says: /readiness probe does not pass/,
      below: component,
    },
  },
  slow: {
    turn: 2,
    failure: 'slow name=etcd-* factor=1000',
    root: {
      kind: 'Pod',
      name: /^etcd-/,
      reason: /^(ContainerCreating|PodInitializing|ContainersNotReady)$/,
      below: ['ControlPlaneComponent', 'ControlPlaneComponent', 'StatefulSet'],
    },
  },
  'never-gone': {
    turn: 1,
    failure: 'never-gone name=etcd-*',
    root: {
      kind: 'Pod',
      name: /^etcd-/,
      reason: /^Terminating$/,
      says: /still there/,
      below: ['ControlPlaneComponent', 'ControlPlaneComponent', 'StatefulSet'],
    },
  },
  'no-address': {
    failure: { mode: 'no-address' },
    root: { kind: 'Service', name: /^kube-apiserver$/, reason: /^NoLoadBalancer$/, says: /no load balancer/ },
  },
  'not-admitted': {
    failure: { mode: 'not-admitted' },
    root: { kind: 'Route', name: /./, reason: /^NotAdmitted$/, says: /no router/ },
  },
  'no-dns': {
    failure: { mode: 'no-dns' },
    hostname: 'api.no-dns.example.com',
    root: { kind: 'Service', name: /^kube-apiserver/, reason: /^NameNotFound$/, says: /api\.no-dns\.example\.com cannot be looked up/ },
  },
}

/** What is wrong inside of the cluster, when its control plane has got there and it has not. One after the other, as above. */
const ofGuest: readonly {
  readonly kind: typeof ClusterOperator | typeof ClusterVersion
  readonly name: string
  readonly failure: string
  readonly root: Omit<Root, 'kind' | 'name'>
}[] = [
  {
    kind: ClusterVersion,
    name: 'version',
    failure: 'manifest-rejected',
    root: { reason: /^UpdatePayloadResourceInvalid$/, says: /Could not update deployment/ },
  },
  { kind: ClusterOperator, name: 'dns', failure: 'unavailable', root: { reason: /^NoReplicasAvailable$/ } },
  {
    kind: ClusterOperator,
    name: 'network',
    failure: 'degraded reason=RolloutHung',
    root: { reason: /^RolloutHung$/ },
  },
]

const installations = failureModes.flatMap((mode) => {
  const story = stories[mode]
  return 'turn' in story ? [] : [{ name: mode, ...story }]
})
const upgrades = failureModes
  .flatMap((mode) => {
    const story = stories[mode]
    return 'turn' in story ? [{ name: mode, ...story }] : []
  })
  .toSorted((a, b) => a.turn - b.turn)

async function given(client: Client): Promise<void> {
  await client.create(Namespace, { metadata: { name: 'clusters' } })
  const secret = (name: string, stringData: Readonly<Record<string, string>>) =>
    client.create(Secret, { metadata: { namespace: 'clusters', name }, type: 'Opaque', stringData })
  await secret('prod-pull-secret', { '.dockerconfigjson': '{"auths":{"example.com":{"auth":"dXNlcjpwYXNz"}}}' })
  await secret('prod-ssh-key', { 'id_rsa.pub': 'ssh-rsa AAAA' })
}

function ask(world: World, name: string, hostname?: string): Promise<unknown> {
  const { infraID: _, clusterID: _id, ...spec } = aHostedCluster({ release: '4.19.6' }).spec
  const services = spec.services.map((each) =>
    each.service === 'APIServer' && hostname !== undefined
      ? { ...each, servicePublishingStrategy: { type: 'LoadBalancer' as const, loadBalancer: { hostname } } }
      : each,
  )
  const small = { ...spec, services, controllerAvailabilityPolicy: 'SingleReplica' as const }
  return world.client.create(HostedCluster, { metadata: { namespace: 'clusters', name }, spec: small })
}

function isAt(world: World, version: string): boolean {
  const { controlPlaneVersion, version: ofGuest } = world.state.get(HostedCluster, { namespace: 'clusters', name: 'prod' })?.status ?? {}
  return [controlPlaneVersion?.history, ofGuest?.history].every(
    (history) => history?.[0]?.state === 'Completed' && history[0].version === version,
  )
}

const served = (resource: Resource): boolean =>
  allKinds.some(({ plural, apiVersion }) => plural === resource.plural && apiVersion === resource.apiVersion)

/** Names that the simulator has published are known. */
function resolver({ client }: ProcessContext) {
  return async (hostname: string, signal: AbortSignal): Promise<void> => {
    for (const kind of [Service, Route] as readonly Resource[]) {
      for await (const { metadata } of client.list(kind, { signal })) if (metadata.annotations?.[dnsAnnotation] === hostname) return
    }
    throw new Error(`${hostname} is not known`)
  }
}

const fail = (world: World, failure: string | null) =>
  world.client.patch(Namespace, { name: 'clusters-prod' }, { metadata: { annotations: { [failureAnnotation]: failure } } })

describe('of everything that can go wrong in a control plane', () => {
  it('the root is named first', { timeout: 240_000 }, async (context) => {
    const planned = installations.map(({ name, failure }) => ({ ...failure, namespace: `clusters-${name}` }))
    await simulate({
      seed: 1,
      definitions,
      given,
      limit: '96h',
      controllers: (process) =>
        hostedControllers({
          releases,
          guests: logicalClusterGuests({ template: 'root' }),
          connect: process.connect,
          served: servedKinds(optionalKinds.filter(served)),
          management: {
            isMonitored: false,
            ingressDomain: undefined,
            clusterNetworks: [],
            serviceNetworks: [],
            apiServers: [],
            hasOpenShiftDns: false,
            aws: { region: undefined, hasCredentials: false },
            enforcesSequentialMinors: false,
          },
          resolveName: resolver(process),
        }),
      programs: {
        simulator: operator({
          controllers: ({ connect }) => [
            ...workloadControllers({ seed: 1, failures: planned }),
            ...controlPlaneControllers({ seed: 1, speed: 20, releases, connect }),
          ],
        }),
      },
      world: async (world) => {
        await ask(world, 'prod')
        for (const { name, hostname } of installations) await ask(world, name, hostname)
        await world.until(() => isAt(world, '4.19.6'), { within: '4h', every: '10s' })
        await world.sleep('10m')
        for (const { name, root } of installations) {
          await context.test(name, async () => assertNamesFirst(await why(world, hostedIn(world, name)), root))
          await world.client.delete(HostedCluster, { namespace: 'clusters', name })
        }
        const rested = await why(world, hostedIn(world))
        assert.deepEqual(rested.chains, [], told(rested))
        assert.match(rested.verdict, /waits for nothing: its control plane runs 4\.19\.6\.$/)
        const release = { image: aReleaseImage('4.19.7') }
        for (const { name, failure, root } of upgrades) {
          await fail(world, failure)
          if (name === upgrades[0]?.name)
            await world.client.patch(HostedCluster, { namespace: 'clusters', name: 'prod' }, { spec: { release } })
          await world.sleep('20m')
          await context.test(name, async () => assertNamesFirst(await why(world, hostedIn(world)), root))
        }
        const guest = guestOf(world)
        const failInGuest = (kind: Resource, name: string, failure: string | null) =>
          guest.patch(kind, { name }, { metadata: { annotations: { [failureAnnotation]: failure } } })
        for (const { kind, name, failure, root } of ofGuest) {
          await failInGuest(kind, name, failure)
          await fail(world, null)
          await world.sleep('30m')
          await context.test(`${failure} in the guest`, async () => {
            assertNamesFirst(await why(world, hostedIn(world)), { kind: kind.kind, name: new RegExp(`^${name}$`), ...root })
          })
          await failInGuest(kind, name, null)
        }
      },
    })
  })
})
