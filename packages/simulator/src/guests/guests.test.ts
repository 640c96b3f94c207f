import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterOperator, ClusterVersion, Deployment, HostedControlPlane, LogicalCluster, Namespace, Secret, toCrd } from '@windlass/api'
import { aHostedControlPlane } from '@windlass/api/fixtures'
import { type Client, TerminalError } from '@windlass/kube'
import { forEachSeed, simulate, type Simulation, type World } from '@windlass/kube/simulation'
import { workloadControllers } from '../workloads/index.ts'
import { releaseImageAnnotation } from './control-plane.ts'
import { controlPlaneControllers, type ReleaseLookup } from './index.ts'

const definitions = [HostedControlPlane, LogicalCluster, ClusterVersion, ClusterOperator].map((kind) => toCrd(kind))
const names = ['prod', 'stage']
const home = (name: string) => `clusters-${name}`
const pullspec = (version: string) => `example.com/release:${version}`

const releases: ReleaseLookup = {
  async resolve(text) {
    const version = /:(\d+\.\d+\.\d+)$/.exec(text)?.[1]
    if (version === undefined) throw new TerminalError(`there is no release ${text}`)
    const images = new Map(
      ['ovn-kubernetes', 'multus-admission-controller', 'csi-snapshot-controller'].map((name) => [name, `example.com/${name}:${version}`]),
    )
    return { version, image: `${text}@sha256:${version}`, images }
  },
}

/** The part of the control plane operator that the simulator can tell from none: it says how the guest is reached, and runs operators. */
async function host({ client, until, state }: World, name: string, version: string): Promise<void> {
  const namespace = home(name)
  await client.create(Namespace, { metadata: { name: namespace } })
  await client.create(LogicalCluster, { metadata: { name: namespace }, spec: { template: 'root' } })
  const { spec, status } = aHostedControlPlane({ name, namespace })
  const created = await client.create(HostedControlPlane, {
    metadata: { name, namespace },
    spec: { ...spec, releaseImage: pullspec(version), clusterID: `id-of-${name}` },
  })
  await until(() => kubeconfigOf(state, namespace) !== undefined, { within: '1m' })
  await client.create(Secret, {
    metadata: { namespace, name: 'admin-kubeconfig' },
    type: 'Opaque',
    data: { kubeconfig: kubeconfigOf(state, namespace) ?? '' },
  })
  await client.updateStatus(HostedControlPlane, { ...created, status: { ...status, ready: true, initialized: true } })
  await runOperators(client, namespace, version)
}

function kubeconfigOf(state: World['state'], cluster: string): string | undefined {
  const ref = state.get(LogicalCluster, { name: cluster })?.status?.kubeconfigSecretRef
  return ref === undefined ? undefined : state.get(Secret, { namespace: ref.namespace, name: ref.name })?.data?.[ref.key]
}

async function runOperators(client: Client, namespace: string, version: string): Promise<void> {
  for (const name of ['cluster-version-operator', 'cluster-network-operator', 'csi-snapshot-controller-operator']) {
    const labels = { app: name }
    const template = {
      metadata: { labels, annotations: { [releaseImageAnnotation]: pullspec(version) } },
      spec: { containers: [{ name, image: `example.com/${name}:${version}` }] },
    }
    const present = await client.find(Deployment, { namespace, name })
    const draft = { metadata: { namespace, name }, spec: { replicas: 1, selector: { matchLabels: labels }, template } }
    if (present === undefined) await client.create(Deployment, draft)
    else await client.patch(Deployment, { namespace, name }, { spec: { template } })
  }
}

async function historyOf(world: World, name: string): Promise<readonly string[]> {
  const version = await world.clientOf(home(name)).find(ClusterVersion, { name: 'version' })
  return (version?.status?.history ?? []).map((entry) => `${entry.state} ${entry.version ?? ''}`)
}

async function untilHistory(world: World, name: string, wanted: readonly string[]): Promise<void> {
  for (let minutes = 0; minutes < 240; minutes++) {
    if (JSON.stringify(await historyOf(world, name)) === JSON.stringify(wanted)) return
    await world.sleep('1m')
  }
  assert.deepEqual(await historyOf(world, name), wanted)
}

const simulation = (seed: number, world: Simulation['world'], more: Partial<Simulation> = {}): Simulation => ({
  seed,
  definitions,
  controllers: ({ connect }) => [
    ...workloadControllers({ seed: 1, routes: false }),
    ...controlPlaneControllers({ seed: 1, releases, connect }),
  ],
  limit: '48h',
  world,
  ...more,
})

describe('guests of hosted control planes', () => {
  it('live from the moment that their version operator runs, each to the release that it is asked for', async () => {
    await simulate(
      simulation(1, async (world) => {
        await host(world, 'prod', '4.19.1')
        await host(world, 'stage', '4.20.3')
        await untilHistory(world, 'prod', ['Completed 4.19.1'])
        await untilHistory(world, 'stage', ['Completed 4.20.3'])
        assert.equal((await world.clientOf(home('stage')).get(ClusterVersion, { name: 'version' })).spec.clusterID, 'id-of-stage')
      }),
    )
  })

  it('go on to another release when their version operator runs it, not when it is asked for', async () => {
    await simulate(
      simulation(2, async (world) => {
        await host(world, 'prod', '4.19.1')
        await untilHistory(world, 'prod', ['Completed 4.19.1'])
        await world.client.patch(
          HostedControlPlane,
          { namespace: home('prod'), name: 'prod' },
          { spec: { releaseImage: pullspec('4.19.2') } },
        )
        await world.sleep('1h')
        assert.deepEqual(await historyOf(world, 'prod'), ['Completed 4.19.1'])
        await runOperators(world.client, home('prod'), '4.19.2')
        await untilHistory(world, 'prod', ['Completed 4.19.2', 'Completed 4.19.1'])
      }),
    )
  })

  it('stay where they are when the management side alone is patched', async () => {
    await simulate(
      simulation(3, async (world) => {
        await host(world, 'prod', '4.19.1')
        await untilHistory(world, 'prod', ['Completed 4.19.1'])
        await world.client.patch(
          HostedControlPlane,
          { namespace: home('prod'), name: 'prod' },
          { spec: { controlPlaneReleaseImage: pullspec('4.19.2') } },
        )
        await runOperators(world.client, home('prod'), '4.19.2')
        await world.sleep('2h')
        assert.deepEqual(await historyOf(world, 'prod'), ['Completed 4.19.1'])
        await world.client.patch(
          HostedControlPlane,
          { namespace: home('prod'), name: 'prod' },
          { spec: { releaseImage: pullspec('4.19.2') } },
        )
        await untilHistory(world, 'prod', ['Completed 4.19.2', 'Completed 4.19.1'])
      }),
    )
  })

  it('are left alone when their control plane goes, or its version operator', async () => {
    await simulate(
      simulation(4, async (world) => {
        const writes = async (): Promise<string> => {
          const { metadata } = await world.clientOf(home('prod')).get(ClusterVersion, { name: 'version' })
          return metadata.resourceVersion ?? ''
        }
        const ref = { namespace: home('prod'), name: 'cluster-version-operator' }
        await host(world, 'prod', '4.19.1')
        await untilHistory(world, 'prod', ['Completed 4.19.1'])
        await world.client.patch(Deployment, ref, { spec: { replicas: 0 } })
        await world.sleep('5m')
        await world
          .clientOf(home('prod'))
          .patch(ClusterOperator, { name: 'dns' }, { metadata: { annotations: { 'simulator.windlass.dev/fail': 'degraded' } } })
        const before = await writes()
        await world.sleep('1h')
        assert.equal(await writes(), before)
        await world.client.patch(Deployment, ref, { spec: { replicas: 1 } })
        await world.sleep('1h')
        assert.notEqual(await writes(), before, 'it lives again')
        await world.client.delete(HostedControlPlane, { namespace: home('prod'), name: 'prod' })
        await world.sleep('5m')
        await world
          .clientOf(home('prod'))
          .patch(ClusterOperator, { name: 'dns' }, { metadata: { annotations: { 'simulator.windlass.dev/fail': null } } })
        const after = await writes()
        await world.sleep('1h')
        assert.equal(await writes(), after)
      }),
    )
  })

  it('get there whatever goes wrong, and processes die', { timeout: 120_000 }, async () => {
    await forEachSeed({ count: 3 }, (seed) =>
      simulate(
        simulation(
          seed,
          async (world) => {
            for (const name of names) await host(world, name, '4.19.1')
            for (const name of names) await untilHistory(world, name, ['Completed 4.19.1'])
            await world.client.patch(
              HostedControlPlane,
              { namespace: home('prod'), name: 'prod' },
              { spec: { releaseImage: pullspec('4.20.3') } },
            )
            await runOperators(world.client, home('prod'), '4.20.3')
            await untilHistory(world, 'prod', ['Completed 4.20.3', 'Completed 4.19.1'])
            assert.deepEqual(await historyOf(world, 'stage'), ['Completed 4.19.1'])
          },
          { faults: 'all', calmAfter: '20m', processes: 2 },
        ),
      ),
    )
  })
})

describe('operators of a control plane', () => {
  const imageOf = (world: World, name: string): string | undefined =>
    world.state.get(Deployment, { namespace: home('prod'), name })?.spec.template.spec.containers[0]?.image

  it('make what belongs to the release that they run, put it back, and change it with the release', async () => {
    await simulate(
      simulation(5, async (world) => {
        await host(world, 'prod', '4.19.1')
        await world.settled({ within: '1h' })
        assert.equal(imageOf(world, 'csi-snapshot-controller'), 'example.com/csi-snapshot-controller:4.19.1')
        for (const name of ['ovnkube-control-plane', 'network-node-identity'])
          assert.equal(imageOf(world, name), 'example.com/ovn-kubernetes:4.19.1')
        assert.equal(imageOf(world, 'cloud-network-config-controller'), undefined, 'there is no cloud under KubeVirt')
        await world.client.delete(Deployment, { namespace: home('prod'), name: 'multus-admission-controller' })
        await world.until(() => imageOf(world, 'multus-admission-controller') !== undefined, { within: '5m' })
        await runOperators(world.client, home('prod'), '4.19.2')
        await world.until(() => imageOf(world, 'multus-admission-controller') === 'example.com/multus-admission-controller:4.19.2', {
          within: '5m',
        })
      }),
    )
  })

  it('run the image that was put in the place of one of the release, at once and as long as it is there', async () => {
    await simulate(
      simulation(6, async (world) => {
        await host(world, 'prod', '4.19.1')
        await world.settled({ within: '1h' })
        const annotate = (overrides: string | null) =>
          world.client.patch(
            HostedControlPlane,
            { namespace: home('prod'), name: 'prod' },
            { metadata: { annotations: { 'hypershift.openshift.io/image-overrides': overrides } } },
          )
        await annotate('oauth-server=example.com/oauth:1, ovn-kubernetes=example.com/ovn:1')
        await world.until(() => imageOf(world, 'ovnkube-control-plane') === 'example.com/ovn:1', { within: '5m' })
        assert.equal(imageOf(world, 'csi-snapshot-controller'), 'example.com/csi-snapshot-controller:4.19.1')
        await annotate(null)
        await world.until(() => imageOf(world, 'ovnkube-control-plane') === 'example.com/ovn-kubernetes:4.19.1', { within: '5m' })
      }),
    )
  })
})
