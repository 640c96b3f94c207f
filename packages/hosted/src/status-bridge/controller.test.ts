import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterVersion, HostedControlPlane, LogicalCluster, Namespace, Secret, toCrd } from '@windlass/api'
import { aClusterVersion, aHostedControlPlane } from '@windlass/api/fixtures'
import { findCondition } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { simulate, type Simulation, type World } from '@windlass/kube/simulation'
import { statusBridge } from './controller.ts'

const namespace = 'clusters-prod'
const ref = { namespace, name: 'prod' }
const definitions = [HostedControlPlane, LogicalCluster, ClusterVersion].map((kind) => toCrd(kind))

/** A control plane that has just begun to run, and a guest that nobody has told its version yet. */
async function given(client: Client): Promise<void> {
  await client.create(Namespace, { metadata: { name: namespace } })
  await client.create(LogicalCluster, { metadata: { name: 'guest' }, spec: { template: 'root' } })
  const { status: _, ...controlPlane } = aHostedControlPlane()
  await client.create(HostedControlPlane, { ...controlPlane, metadata: ref })
}

/** Hands the kubeconfig of the guest to its control plane. */
async function open(world: World): Promise<void> {
  const { data = {} } = await world.client.get(Secret, { namespace: 'kube-system', name: 'guest-kubeconfig' })
  await world.client.create(Secret, { metadata: { namespace, name: 'admin-kubeconfig' }, data })
  await world.client.patchStatus(HostedControlPlane, ref, { status: { kubeConfig: { name: 'admin-kubeconfig', key: 'kubeconfig' } } })
}

async function tell(world: World, version: string): Promise<void> {
  const guest = world.clientOf('guest')
  const { status, spec } = aClusterVersion({ version })
  const existing = await guest.find(ClusterVersion, { name: 'version' })
  const object = existing ?? (await guest.create(ClusterVersion, { metadata: { name: 'version' }, spec }))
  await guest.updateStatus(ClusterVersion, { ...object, ...(status === undefined ? {} : { status }) })
}

/** Takes what it is asked, and says nothing. */
const silent = (client: Client): Client => Object.assign(client, { watch: () => new Promise(() => {}) })

const look = (world: World) => world.state.get(HostedControlPlane, ref)
const says = (world: World, type: string): string => {
  const { status = '', reason = '', message = '' } = findCondition(look(world)?.status?.conditions, `ClusterVersion${type}`) ?? {}
  return `${status} ${reason}: ${message}`
}

const run = (world: Simulation['world'], options: Partial<Simulation> = {}) =>
  simulate({ seed: 1, definitions, given, controllers: ({ connect }) => [statusBridge({ connect })], world, ...options })

/** A guest that says 4.19.6, of which all is told. Gives the revision that it is told at. */
async function atRest(world: World): Promise<number> {
  await open(world)
  await tell(world, '4.19.6')
  await world.until(() => look(world)?.status?.version === '4.19.6', { within: '1m' })
  await world.sleep('1m')
  return Number(look(world)?.metadata.resourceVersion)
}

describe('the controller status-bridge', () => {
  it('says nothing before there is a guest that can be asked', async () => {
    const { writes } = await run((world) => world.sleep('10m'))
    assert.deepEqual(
      writes.filter((write) => write.isOf(HostedControlPlane)),
      [],
    )
  })

  it('L38 repeats what the guest says as soon as it says so, with nulls where they belong', async () => {
    await run(async (world) => {
      await open(world)
      await world.until(() => /ClusterVersion version not found/.test(says(world, 'Available')), { within: '1m' })
      await tell(world, '4.19.6')
      await world.until(() => look(world)?.status?.version === '4.19.6', { within: '2s' })
      assert.match(says(world, 'Available'), /^True/)
      const { versionStatus } = look(world)?.status ?? {}
      assert.ok(versionStatus !== undefined && 'availableUpdates' in versionStatus)
      assert.ok(versionStatus.history?.every((entry) => 'completionTime' in entry && 'verified' in entry))
      await tell(world, '4.19.7')
      await world.until(() => look(world)?.status?.version === '4.19.7', { within: '2s' })
    })
  })

  it('L40 knows nothing of a guest that cannot be reached any more, keeps its version, and goes on when it can be', async () => {
    await run(async (world) => {
      await open(world)
      await tell(world, '4.19.6')
      await world.until(() => look(world)?.status?.version === '4.19.6', { within: '1m' })
      const { versionStatus } = look(world)?.status ?? {}
      await world.client.delete(LogicalCluster, { name: 'guest' })
      await world.until(() => says(world, 'Upgradeable').startsWith('Unknown StatusUnknown'), { within: '10m' })
      assert.deepEqual(look(world)?.status?.versionStatus, versionStatus)
      await world.client.create(LogicalCluster, { metadata: { name: 'guest' }, spec: { template: 'root' } })
      await world.sleep('5s')
      await tell(world, '4.19.7')
      await world.until(() => look(world)?.status?.version === '4.19.7', { within: '10m' })
      assert.match(says(world, 'Upgradeable'), /^True/)
    })
  })

  it('tells what is wrong with a kubeconfig that cannot be used', async () => {
    await run(
      async (world) => {
        await open(world)
        await world.until(() => /no such host/.test(says(world, 'Available')), { within: '1m' })
      },
      { controllers: () => [statusBridge({ connect: () => Promise.reject(new Error('no such host')) })] },
    )
  })

  it('W9 writes nothing when it is started again and guests say what they said before', async () => {
    let count = 0
    const { writes } = await run(async (world) => {
      count = await atRest(world)
      world.processes.get('operator-1')?.crash()
      await world.sleep('10m')
      await tell(world, '4.19.7')
      await world.until(() => look(world)?.status?.version === '4.19.7', { within: '2s' })
    })
    assert.equal(writes.filter((write) => write.isOf(HostedControlPlane) && write.revision > count).length, 1)
  })

  it('L40 does not wait for ever for the first answer of a guest', async () => {
    await run(
      async (world) => {
        await open(world)
        await world.until(() => says(world, 'Available').startsWith('Unknown StatusUnknown'), { within: '2m' })
      },
      { controllers: ({ connect }) => [statusBridge({ connect: (kubeconfig) => silent(connect(kubeconfig)) })] },
    )
  })

  it('W9 writes nothing while nothing changes, though watches come and go', async () => {
    let count = 0
    const { writes } = await run(async (world) => {
      count = await atRest(world)
      await world.sleep('6h')
    })
    assert.deepEqual(
      writes.filter((write) => write.isOf(HostedControlPlane) && write.revision > count),
      [],
    )
  })
})
