import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, HostedCluster, HostedControlPlane, Namespace, NetworkPolicy, NodePool, Secret } from '@windlass/api'
import { aClusterVersion, aCondition, aHostedCluster, aNodePool, aReleaseImage, aVersionStatus } from '@windlass/api/fixtures'
import { findCondition, formatTime, isTrue } from '@windlass/core'
import { patchStatus, type Client } from '@windlass/kube'
import { type Simulation, simulate, type World } from '@windlass/kube/simulation'
import { decideStatusBridge } from '../status-bridge/index.ts'
import { found } from './lookup.ts'
import { encryptionKey, pullSecret, sshKey } from './testing/clusters.ts'
import { definitions, hostedClusters } from './testing/shell.ts'

const ref = { namespace: 'clusters', name: 'prod' }
const home = { namespace: 'clusters-prod', name: 'prod' }

/** A namespace, and in it what a cluster refers to. */
const given = async (client: Client): Promise<void> => {
  await client.create(Namespace, { metadata: { name: 'clusters' } })
  for (const { metadata, type, data } of [pullSecret, sshKey, encryptionKey]) {
    const { name = '' } = metadata
    await client.create(Secret, { metadata: { name, namespace: 'clusters' }, type: type ?? 'Opaque', data: data ?? {} })
  }
}

/** A cluster as a user writes it: no identifiers, no finalizer, no status. */
function draft() {
  const { clusterID: _, infraID: __, ...spec } = aHostedCluster().spec
  return { metadata: ref, spec: { ...spec, platform: { type: 'KubeVirt' } } } as const
}

const clusterIn = ({ state }: World): HostedCluster => state.get(HostedCluster, ref) ?? assert.fail('the cluster is gone')
const isMade = ({ state }: World): boolean =>
  state.get(HostedControlPlane, home) !== undefined && isTrue(state.get(HostedCluster, ref)?.status?.conditions, 'ReconciliationSucceeded')

async function created(world: World): Promise<void> {
  await world.client.create(HostedCluster, draft())
  await world.until(() => isMade(world), { within: '10m' })
}

const base = { seed: 1, definitions, given, controllers: () => [hostedClusters] } satisfies Omit<Simulation, 'world'>

describe('on a real server, a cluster', () => {
  it('L01 is completed, gets its control plane and all that belongs to it, and is then left in peace', async () => {
    await simulate({
      ...base,
      world: async (world) => {
        await created(world)
        await world.settled({ within: '10m' })
        const cluster = clusterIn(world)
        assert.match(cluster.spec.infraID ?? '', /^prod-/)
        assert.equal(cluster.spec.secretEncryption?.aescbc?.activeKey.name, 'prod-etcd-encryption-key')
        assert.equal(world.state.get(HostedControlPlane, home)?.spec.infraID, cluster.spec.infraID)
        assert.ok(world.state.get(Secret, { namespace: 'clusters-prod', name: 'pull-secret' }))
        assert.equal(
          world.state.get(capi.Cluster, { namespace: 'clusters-prod', name: cluster.spec.infraID ?? '' })?.spec.controlPlaneRef?.name,
          'prod',
        )
        assert.ok(world.state.list(NetworkPolicy, { namespace: 'clusters-prod' }).length >= 5)
      },
    })
  })

  it('W3 keeps the keys of its version that are null', async () => {
    await simulate({
      ...base,
      world: async (world) => {
        await created(world)
        const { version } = clusterIn(world).status ?? {}
        assert.ok(version !== undefined && 'availableUpdates' in version && version.availableUpdates === null)
        assert.deepEqual(
          version.history?.map(({ state, completionTime }) => [state, completionTime]),
          [['Partial', null]],
        )
      },
    })
  })

  it('L13 is not upgraded while its guest objects, and is when it does not', async () => {
    const saying = (status: 'True' | 'False') => ({
      ready: true,
      initialized: true,
      versionStatus: aVersionStatus('4.19.6'),
      conditions: [aCondition('Available', 'True'), aCondition('ClusterVersionUpgradeable', status, 'R', 'm')],
    })
    await simulate({
      ...base,
      world: async (world) => {
        await created(world)
        const image = () => world.state.get(HostedControlPlane, home)?.spec.releaseImage
        const tell = async (status: 'True' | 'False'): Promise<void> => {
          await patchStatus(world.client, HostedControlPlane, await world.client.get(HostedControlPlane, home), saying(status))
        }
        await tell('False')
        await world.settled({ within: '10m' })
        await world.client.patch(HostedCluster, ref, { spec: { release: { image: aReleaseImage('4.20.1') } } })
        await world.settled({ within: '10m' })
        assert.equal(image(), aReleaseImage('4.19.6'))
        assert.equal(findCondition(clusterIn(world).status?.conditions, 'Progressing')?.reason, 'Blocked')
        await tell('True')
        await world.until(() => image() === aReleaseImage('4.20.1'), { within: '10m' })
      },
    })
  })

  it('L25 is paused until a time, and goes on by itself then', async () => {
    await simulate({
      ...base,
      world: async (world) => {
        await created(world)
        const pausedUntil = formatTime(world.clock.now() + 1_800_000)
        await world.client.patch(HostedCluster, ref, { spec: { pausedUntil, nodeSelector: { pool: 'b' } } })
        const nodeSelector = () => world.state.get(HostedControlPlane, home)?.spec.nodeSelector
        await world.sleep('29m')
        assert.equal(nodeSelector(), undefined)
        assert.equal(world.state.get(HostedControlPlane, home)?.spec.pausedUntil, pausedUntil)
        await world.until(() => nodeSelector()?.['pool'] === 'b', { within: '2m' })
      },
    })
  })

  it('L05 passes changes on without its pull secret', async () => {
    await simulate({
      ...base,
      world: async (world) => {
        await created(world)
        await world.client.delete(Secret, { namespace: 'clusters', name: 'prod-pull-secret' })
        await world.client.patch(HostedCluster, ref, { spec: { nodeSelector: { pool: 'b' } } })
        await world.until(() => world.state.get(HostedControlPlane, home)?.spec.nodeSelector?.['pool'] === 'b', { within: '10m' })
        const failure = findCondition(clusterIn(world).status?.conditions, 'ReconciliationSucceeded')
        assert.match(failure?.message ?? '', /pull secret.*blocked operations/)
      },
    })
  })

  it('L27 to L33 goes in order, and leaves nothing behind but what its user made', async () => {
    const order: string[] = []
    await simulate({
      ...base,
      invariants: [
        {
          name: 'everything goes in its order',
          holds: (write) => {
            if (write.verb === 'delete') order.push(`${write.object.kind} ${write.name}`)
            return true
          },
        },
      ],
      world: async (world) => {
        const { metadata: _, spec } = aNodePool()
        await created(world)
        await world.client.create(NodePool, { metadata: { namespace: 'clusters', name: 'workers' }, spec })
        await world.client.patch(HostedCluster, ref, {
          metadata: { annotations: { 'hypershift.openshift.io/destroy-grace-period': '2m' } },
        })
        const { infraID = '' } = clusterIn(world).spec
        await world.client.delete(HostedCluster, ref)
        await world.until(() => world.state.get(Namespace, { name: 'clusters-prod' }) === undefined, { within: '10m' })
        await world.sleep('1m')
        assert.equal(findCondition(clusterIn(world).status?.conditions, 'HostedClusterDestroyed')?.reason, 'WaitingForGracePeriod')
        await world.until(() => world.state.get(HostedCluster, ref) === undefined, { within: '2m' })
        const place = (name: string): number => order.indexOf(name)
        const expected = [`Cluster ${infraID}`, 'HostedControlPlane prod', 'Namespace clusters-prod', 'HostedCluster prod']
        assert.deepEqual(
          expected.toSorted((a, b) => place(a) - place(b)),
          expected,
        )
        const left = world.state.get(Secret, { namespace: 'clusters', name: 'prod-pull-secret' })
        assert.equal(left?.metadata.annotations, undefined)
        assert.equal(world.state.get(NodePool, { namespace: 'clusters', name: 'workers' }), undefined)
      },
    })
  })

  it('ends where it should, whatever goes wrong on the way', async () => {
    const ends = new Set<string>()
    for (const seed of [1, 2, 3]) {
      const { finalObjects } = await simulate({
        ...base,
        seed,
        faults: 'all',
        processes: 2,
        calmAfter: '3m',
        invariants: [
          {
            name: 'a control plane is never without its cluster',
            of: HostedControlPlane,
            holds: (write, state) => write.verb === 'delete' || state.get(HostedCluster, ref) !== undefined || 'there is no cluster',
          },
        ],
        world: async (world) => {
          await world.client.create(HostedCluster, draft())
          await world.sleep('30s')
          await world.client.patch(HostedCluster, ref, { spec: { nodeSelector: { pool: 'b' } } })
          await world.calm()
          await world.until(() => isMade(world), { within: '1h' })
          await world.settled({ within: '1h' })
        },
      })
      ends.add(JSON.stringify([...finalObjects].filter(([key]) => key.includes('clusters-prod'))))
    }
    assert.equal(ends.size, 1)
  })
})

describe('on a real server, the status bridge', () => {
  it('L38 writes null where null is required', async () => {
    await simulate({
      ...base,
      world: async (world) => {
        await created(world)
        const running = {
          state: 'Partial',
          startedTime: '2026-01-01T00:00:00Z',
          completionTime: null,
          version: '4.19.6',
          image: 'r:1',
          verified: false,
        } as const
        const { status, ...rest } = aClusterVersion()
        const clusterVersion = found({ ...rest, status: { ...(status ?? assert.fail()), history: [running], availableUpdates: null } })
        const controlPlane = await world.client.get(HostedControlPlane, home)
        const [action] = decideStatusBridge(controlPlane, clusterVersion, world.clock.now()).actions
        assert.ok(action?.do === 'status')
        await patchStatus(world.client, HostedControlPlane, controlPlane, action.status, { ifUnchanged: true })
        const { versionStatus } = world.state.get(HostedControlPlane, home)?.status ?? {}
        assert.deepEqual(versionStatus?.history, [running])
        assert.ok(versionStatus !== undefined && 'availableUpdates' in versionStatus && versionStatus.availableUpdates === null)
      },
    })
  })
})
