import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ControlPlaneComponent,
  Deployment,
  HostedCluster,
  HostedControlPlane,
  LogicalCluster,
  Namespace,
  Route,
  Secret,
  ServiceMonitor,
  StatefulSet,
  toCrd,
} from '@windlass/api'
import type { Resource } from '@windlass/api'
import { aControlPlaneComponent, aHostedCluster, aHostedControlPlane, aReleaseImage, aSecret } from '@windlass/api/fixtures'
import { findCondition } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { operator, simulate, type Simulation, type World } from '@windlass/kube/simulation'
import { logicalClusterGuests } from '../guests/index.ts'
import { Finalizer, PoolAnnotation } from '../hosted-cluster/wire.ts'
import { secrets, servedKinds } from '../management/index.ts'
import { RegistryUnreachableError } from '../releases/index.ts'
import type { ReleaseResolver } from '../releases/index.ts'
import { brokenAnnotation, fleet, operands, workloads } from '../testing/index.ts'
import { hostedControlPlane } from './controller.ts'
import type { HostedControlPlaneOptions } from './controller.ts'

const namespace = 'clusters-prod'
const ref = { namespace, name: 'prod' }
const definitions = [HostedControlPlane, ControlPlaneComponent, LogicalCluster, Route, ServiceMonitor].map((kind) => toCrd(kind))

const usual: HostedControlPlaneOptions = {
  releases: fleet.releases,
  guests: logicalClusterGuests({ template: 'root' }),
  served: servedKinds([Route, ServiceMonitor]),
  ingressDomain: 'apps.mgmt.example.com',
  resolveName: () => Promise.resolve(),
}

type Spec = Partial<HostedControlPlane['spec']>

const given =
  (spec: Spec = {}) =>
  async (client: Client): Promise<void> => {
    await client.create(Namespace, { metadata: { name: namespace } })
    const { status: _, ...controlPlane } = aHostedControlPlane({ release: '4.19.6' })
    await client.create(HostedControlPlane, { ...controlPlane, metadata: ref, spec: { ...controlPlane.spec, ...spec } })
  }

interface Case extends Partial<HostedControlPlaneOptions> {
  readonly spec?: Spec
}

/** A control plane that somebody has asked for by hand, on a cluster where workloads roll out. */
function run(world: Simulation['world'], { spec, ...options }: Case = {}) {
  return simulate({
    seed: 1,
    definitions,
    given: given(spec),
    controllers: () => [hostedControlPlane({ ...usual, ...options })],
    programs: { cluster: operator({ controllers: () => [...workloads(), operands(fleet.releases)] }) },
    world,
  })
}

const look = (world: World) => world.state.get(HostedControlPlane, ref)
const newest = (world: World): string => {
  const { state = '', version = '' } = look(world)?.status?.controlPlaneVersion?.history?.[0] ?? {}
  return `${state} ${version}`
}
const says = (world: World, type: string): string => {
  const { status = '', reason = '' } = findCondition(look(world)?.status?.conditions, type) ?? {}
  return `${status} ${reason}`
}
const up = (world: World) =>
  world.until(() => newest(world) === 'Completed 4.19.6' && look(world)?.status?.ready === true, { within: '1h' })
const wish = (world: World, version: string) =>
  world.client.patch(HostedControlPlane, ref, { spec: { releaseImage: aReleaseImage(version) } })
const component = (world: World, name: string) => world.state.get(ControlPlaneComponent, { namespace, name })

/** It stays as it is made now. */
const broken = (world: World, kind: Resource, name: string) =>
  world.client.patch(kind, { namespace, name }, { metadata: { annotations: { [brokenAnnotation]: '' } } })

/** Registries that can be cut off. */
function fragile(): ReleaseResolver & { isDown: boolean } {
  return {
    isDown: false,
    resolve(pullspec, options) {
      if (this.isDown) return Promise.reject(new RegistryUnreachableError(pullspec, 'the registry does not answer'))
      return fleet.releases.resolve(pullspec, options)
    },
  }
}

describe('the controller hosted-control-plane', () => {
  it('says step by step what is missing, and that all is well in the end', async () => {
    const { writes } = await run(async (world) => {
      await up(world)
      const { status } = look(world) ?? {}
      assert.deepEqual(status?.controlPlaneEndpoint, { host: `kube-apiserver.${namespace}.example.com`, port: 6443 })
      assert.equal(
        status?.oauthCallbackURLTemplate,
        `https://oauth-${namespace}.apps.mgmt.example.com:443/oauth2callback/[identity-provider-name]`,
      )
      assert.deepEqual(status?.kubeConfig, { name: 'admin-kubeconfig', key: 'kubeconfig' })
      assert.deepEqual(status?.kubeadminPassword, { name: 'kubeadmin-password' })
      assert.deepEqual([status?.initialized, status?.externalManagedControlPlane], [true, true])
      for (const name of [
        'admin-kubeconfig',
        'service-network-admin-kubeconfig',
        'prod-7k2xq-kubeconfig',
        'dns-operator-service-account-kubeconfig',
      ])
        assert.ok(world.state.get(Secret, { namespace, name }) !== undefined, name)
    })
    const reasons = writes.flatMap((write) => {
      const condition = findCondition(write.as(HostedControlPlane)?.status?.conditions, 'Available')
      return condition === undefined ? [] : [condition.reason]
    })
    assert.deepEqual(
      [...new Set(reasons)],
      [
        'WaitingOnInfrastructureReady',
        'KubeconfigWaitingForCreate',
        'StatefulSetNotFound',
        'EtcdWaitingForQuorum',
        'NotFound',
        'WaitingForAvailable',
        'ComponentsNotAvailable',
        'AsExpected',
      ].filter((reason) => reasons.includes(reason)),
    )
    assert.equal(reasons[0], 'WaitingOnInfrastructureReady')
    assert.equal(reasons.at(-1), 'AsExpected')
  })

  it('V24 says what it sees of etcd though no registry answers, and leaves the version as it is', async () => {
    const releases = fragile()
    await run(
      async (world) => {
        await up(world)
        await world.settled({ within: '1h' })
        const before = look(world)?.status?.controlPlaneVersion
        releases.isDown = true
        await wish(world, '4.19.7')
        await broken(world, StatefulSet, 'etcd')
        await world.client.patchStatus(StatefulSet, { namespace, name: 'etcd' }, { status: { readyReplicas: 1, availableReplicas: 1 } })
        await world.until(() => says(world, 'EtcdAvailable') === 'False EtcdWaitingForQuorum', { within: '1m' })
        assert.deepEqual(look(world)?.status?.controlPlaneVersion, before)
        await world.client.patch(StatefulSet, { namespace, name: 'etcd' }, { metadata: { annotations: { [brokenAnnotation]: null } } })
        releases.isDown = false
        await world.until(() => newest(world) === 'Completed 4.19.7', { within: '1h' })
      },
      { releases },
    )
  })

  it('V24 says what it sees of etcd though a registry hangs, and asks it once', async () => {
    const asked: PromiseWithResolvers<void>[] = []
    const releases: ReleaseResolver & { hangs: boolean } = {
      hangs: false,
      async resolve(pullspec, options) {
        if (this.hangs) await asked[asked.push(Promise.withResolvers<void>()) - 1]?.promise
        return fleet.releases.resolve(pullspec, options)
      },
    }
    await run(
      async (world) => {
        await up(world)
        await world.settled({ within: '1h' })
        releases.hangs = true
        await wish(world, '4.19.7')
        await broken(world, StatefulSet, 'etcd')
        await world.client.patchStatus(StatefulSet, { namespace, name: 'etcd' }, { status: { readyReplicas: 1, availableReplicas: 1 } })
        await world.until(() => says(world, 'EtcdAvailable') === 'False EtcdWaitingForQuorum', { within: '20s' })
        await world.sleep('10m')
        assert.equal(newest(world), 'Completed 4.19.6')
        assert.equal(asked.length, 1)
        await world.client.patch(StatefulSet, { namespace, name: 'etcd' }, { metadata: { annotations: { [brokenAnnotation]: null } } })
        releases.hangs = false
        asked[0]?.resolve()
        await world.until(() => newest(world) === 'Completed 4.19.7', { within: '1h' })
      },
      { releases },
    )
  })

  it('goes though a registry hangs', async () => {
    await run(
      async (world) => {
        await world.until(() => says(world, 'EtcdAvailable') !== ' ', { within: '20s' })
        await world.client.delete(HostedControlPlane, ref)
        await world.until(() => look(world) === undefined, { within: '1m' })
      },
      { releases: { resolve: () => new Promise(() => {}) } },
    )
  })

  it('L36 stays available when a component breaks later', async () => {
    await run(async (world) => {
      await up(world)
      await world.settled({ within: '1h' })
      await broken(world, Deployment, 'kube-scheduler')
      const conditions = [
        {
          type: 'Available',
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: '',
          lastTransitionTime: '2026-01-01T03:00:00Z',
        },
      ]
      await world.client.patchStatus(Deployment, { namespace, name: 'kube-scheduler' }, { status: { conditions, unavailableReplicas: 2 } })
      await world.until(() => findCondition(component(world, 'kube-scheduler')?.status?.conditions, 'Available')?.status === 'False', {
        within: '1m',
      })
      assert.equal(says(world, 'Available'), 'True AsExpected')
    })
  })

  it('3.8 runs karpenter as soon as karpenter-operator runs the release, as a part of the control plane, and removes it when it is not wanted', async () => {
    const roleARN = 'arn:aws:iam::123456789012:role/karpenter'
    const autoNode = { provisionerConfig: { name: 'Karpenter', karpenter: { platform: 'AWS', aws: { roleARN } } } } as const
    const karpenter = (world: World) => world.state.get(Deployment, { namespace, name: 'karpenter' })
    await run(
      async (world) => {
        const waits = () => findCondition(component(world, 'karpenter')?.status?.conditions, 'RolloutComplete')?.message
        await world.until(() => waits() === 'Waiting for Dependencies: karpenter-operator', { within: '1h' })
        assert.equal(karpenter(world), undefined)
        await world.settled({ within: '1h' })
        assert.equal(newest(world), 'Partial 4.19.6')

        // Another controller runs the operator.
        await world.client.create(ControlPlaneComponent, { metadata: { namespace, name: 'karpenter-operator' }, spec: {} })
        const { status = {} } = aControlPlaneComponent({ version: '4.19.6' })
        await world.client.patchStatus(ControlPlaneComponent, { namespace, name: 'karpenter-operator' }, { status })
        await up(world)
        assert.deepEqual(
          karpenter(world)?.metadata.ownerReferences?.map(({ kind, name }) => [kind, name]),
          [['HostedControlPlane', 'prod']],
        )
        assert.equal(component(world, 'karpenter')?.status?.version, '4.19.6')
        assert.deepEqual(look(world)?.metadata.finalizers, [Finalizer.cluster], 'that of Karpenter is not ours to set')

        await world.client.patch(HostedControlPlane, ref, { spec: { autoNode: null } })
        await world.until(() => karpenter(world) === undefined && component(world, 'karpenter') === undefined, { within: '5m' })
      },
      { spec: { autoNode } },
    )
  })

  it('V32 leaves what is complete complete', async () => {
    const { writes } = await run(async (world) => {
      await up(world)
      await world.client.delete(Deployment, { namespace, name: 'kube-scheduler' })
      await world.until(
        () => findCondition(component(world, 'kube-scheduler')?.status?.conditions, 'RolloutComplete')?.status === 'False',
        { within: '1m' },
      )
      await world.settled({ within: '1h' })
      assert.equal(newest(world), 'Completed 4.19.6')
    })
    const histories = writes.flatMap((write) => write.as(HostedControlPlane)?.status?.controlPlaneVersion?.history?.[0]?.state ?? [])
    assert.ok(!histories.slice(histories.indexOf('Completed')).includes('Partial'))
  })

  it('stands still while it is paused, looks all the same, and goes on when the pause ends', async () => {
    await run(async (world) => {
      await up(world)
      await world.client.patch(HostedControlPlane, ref, {
        spec: { pausedUntil: '2026-01-01T01:00:00Z', releaseImage: aReleaseImage('4.19.7') },
      })
      await world.until(() => newest(world) === 'Partial 4.19.7', { within: '1m' })
      await world.sleep('20m')
      assert.equal(says(world, 'ReconciliationActive'), 'False ReconciliationPaused')
      assert.equal(component(world, 'kube-apiserver')?.status?.version, '4.19.6')
      await world.until(() => newest(world) === 'Completed 4.19.7', { within: '2h' })
      assert.ok(world.clock.now() >= Date.UTC(2026, 0, 1, 1))
    })
  })

  it('touches nothing where Routes are asked for and nobody serves them', async () => {
    await run(
      async (world) => {
        await world.until(() => says(world, 'ValidHostedControlPlaneConfiguration') === 'False InsufficientClusterCapabilities', {
          within: '1m',
        })
        await world.sleep('10m')
        assert.deepEqual(world.state.list(Deployment), [])
      },
      { served: servedKinds([]) },
    )
  })

  it('is silent where another process runs the release', async () => {
    await run(
      async (world) => {
        await world.sleep('10m')
        assert.equal(look(world)?.status, undefined)
      },
      { onlyRelease: aReleaseImage('4.19.7') },
    )
  })

  it('takes down what goes, though another process runs the release', async () => {
    await run(
      async (world) => {
        await up(world)
        await wish(world, '4.19.7')
        await world.client.delete(HostedControlPlane, ref)
        await world.until(() => look(world) === undefined, { within: '5m' })
      },
      { onlyRelease: aReleaseImage('4.19.6') },
    )
  })

  it('1.9 is silent about control planes of clusters of another scope', async () => {
    const scoped = (scope: string, reaches: (world: World) => Promise<void>) =>
      simulate({
        seed: 1,
        definitions: [...definitions, toCrd(HostedCluster)],
        async given(client) {
          const { status: _, ...cluster } = aHostedCluster()
          const annotations = { 'hypershift.openshift.io/scope': 'blue' }
          await client.create(Namespace, { metadata: { name: 'clusters' } })
          await client.create(HostedCluster, { ...cluster, metadata: { namespace: 'clusters', name: 'prod', annotations } })
          await given()(client)
          const mark = { 'hypershift.openshift.io/cluster': 'clusters/prod' }
          await client.patch(HostedControlPlane, ref, { metadata: { annotations: mark } })
        },
        controllers: () => [hostedControlPlane({ ...usual, scope })],
        world: reaches,
      })
    await scoped('blue', (world) => world.until(() => look(world)?.status !== undefined, { within: '1m' }))
    for (const scope of ['', 'green']) {
      await scoped(scope, async (world) => {
        await world.sleep('10m')
        assert.equal(look(world)?.status, undefined)
      })
    }
  })

  it('tells that the name of the API server is not known', async () => {
    const services = aHostedControlPlane().spec.services.map((each) =>
      each.service === 'APIServer'
        ? { ...each, servicePublishingStrategy: { type: 'LoadBalancer', loadBalancer: { hostname: 'api.example.com' } } as const }
        : each,
    )
    await run(
      async (world) => {
        await world.until(() => says(world, 'ExternalDNSReachable') === 'False ExternalDNSHostNotReachable', { within: '1m' })
        assert.equal(
          findCondition(look(world)?.status?.conditions, 'ExternalDNSReachable')?.message,
          'getaddrinfo ENOTFOUND api.example.com',
        )
        await world.until(() => look(world)?.status?.controlPlaneEndpoint?.host === 'api.example.com', { within: '1m' })
      },
      { spec: { services }, resolveName: () => Promise.reject(new Error('getaddrinfo ENOTFOUND api.example.com')) },
    )
  })

  it('goes only after the API of its guest', async () => {
    await run(async (world) => {
      await up(world)
      const { metadata } = world.state.get(LogicalCluster, { name: namespace }) ?? assert.fail()
      assert.equal(metadata.annotations?.['windlass.dev/hosted-control-plane'], 'clusters-prod/prod')
      await world.client.patch(
        LogicalCluster,
        { name: namespace },
        { metadata: { finalizers: [...(metadata.finalizers ?? []), 'example.com/hold'] } },
      )
      await world.client.delete(HostedControlPlane, ref)
      await world.sleep('10m')
      assert.ok(look(world) !== undefined && world.state.get(LogicalCluster, { name: namespace }) !== undefined)
      await world.client.patch(LogicalCluster, { name: namespace }, { metadata: { finalizers: [] } })
      await world.until(() => look(world) === undefined, { within: '1m' })
      await world.settled({ within: '10m' })
      assert.equal(world.state.list(Deployment).filter(({ metadata: { ownerReferences = [] } }) => ownerReferences.length > 0).length, 0)
    })
  })

  it('does not take the API of another guest for its own', async () => {
    await run(async (world) => {
      await up(world)
      await world.client.patch(
        LogicalCluster,
        { name: namespace },
        { metadata: { annotations: { 'windlass.dev/hosted-control-plane': null } } },
      )
      await world.until(() => says(world, 'Available') === 'False KASLoadBalancerNotReachable', { within: '1m' })
      await world.client.delete(HostedControlPlane, ref)
      await world.until(() => look(world) === undefined, { within: '1m' })
      assert.ok(world.state.get(LogicalCluster, { name: namespace }) !== undefined)
    })
  })

  it('is not woken by what lets machines in, which no component is made from', () => {
    const ofComponents = aSecret({ namespace, name: 'kas-server-crt' })
    const annotations = { [PoolAnnotation.nodePool]: 'clusters/workers' }
    const ofPool = { ...ofComponents, metadata: { namespace, name: 'token-workers-1a2b3c4d', annotations } }
    const wakes = (object: Secret): boolean =>
      (hostedControlPlane(usual).watches ?? []).some(
        ({ of, predicate }) => of === secrets && predicate({ type: 'updated', old: object, object }),
      )
    assert.deepEqual([wakes(ofComponents), wakes(ofPool)], [true, false])
  })
})
