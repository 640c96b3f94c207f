import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, HostedCluster, NodePool, Pod } from '@windlass/api'
import { aHostedCluster } from '@windlass/api/fixtures'
import { failed } from '../hosted-cluster/index.ts'
import type { World } from '../hosted-cluster/testing/index.ts'
import { home, installed, machinesIn, nodesIn, secretsIn as secretsLeft, tell } from './simulation/world.ts'
import { aNewPool, aWorld, configMapWith, noon, pass, poolIn, Provider, secretsIn, settle } from './testing/index.ts'

const management: NodePool['spec']['management'] = {
  upgradeType: 'Replace',
  autoRepair: true,
  replace: { strategy: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
}

function going(): { world: World; now: number } {
  const pool = aNewPool({ spec: { management, tuningConfig: [{ name: 'a' }] } })
  const annotations = { 'hypershift.openshift.io/enable-spot': 'true' }
  const tuning = configMapWith('a', 'clusters', { tuning: 'kind: Tuned\napiVersion: tuned.openshift.io/v1' })
  const world = aWorld({ ...pool, metadata: { ...pool.metadata, annotations } }, aHostedCluster(), tuning)
  const now = settle(world, new Provider(world))
  world.delete(NodePool, { namespace: 'clusters', name: 'workers' }, now)
  world.writes.length = 0
  return { world, now }
}

function dropMachines(world: World): void {
  for (const { metadata } of world.list(capi.Machine)) world.drop(capi.Machine, { namespace: 'clusters-prod', name: metadata.name ?? '' })
}

const kinds = (world: World) => world.writes.map((write) => write.replace(/ clusters.*/, ''))

describe('a pool that is deleted', () => {
  it('NP-64 goes in order, and its finalizer last', () => {
    const { world, now } = going()
    dropMachines(world)
    assert.equal(pass(world, now).error, undefined)
    assert.deepEqual(
      kinds(world).filter((kind, index, all) => all.indexOf(kind) === index),
      [
        'delete KubevirtMachineTemplate',
        'delete MachineDeployment',
        'delete MachineHealthCheck',
        'delete MachineSet',
        'delete ConfigMap',
        'delete Secret',
        'patch NodePool',
      ],
    )
    assert.deepEqual(world.list(NodePool), [])
    assert.deepEqual(secretsIn(world), [])
    assert.deepEqual([...world.list(capi.MachineSet), ...world.list(capi.MachineDeployment), ...world.list(capi.MachineHealthCheck)], [])
  })

  it('NP-65 keeps its Secrets and its finalizer until the last machine is gone', () => {
    const { world, now } = going()
    assert.equal(pass(world, now).waitingFor, 'there are still Machines in for NodePool "workers"')
    assert.deepEqual(world.events.slice(-1), ['Warning ReconcileError'])
    assert.equal(secretsIn(world).length, 2)
    assert.equal(poolIn(world).metadata.finalizers?.length, 1)
    dropMachines(world)
    pass(world, now)
    assert.deepEqual(world.list(NodePool), [])
  })

  it('NP-65 waits for a machine that cannot be drained, as long as nodeDrainTimeout says', async () => {
    await tell(async (story) => {
      await installed(story, { spec: { replicas: 1, nodeDrainTimeout: '30m' } })
      const guest = story.clientOf(home)
      const checkout = { namespace: 'default', name: 'checkout' }
      const [nodeName = ''] = nodesIn(story).map(({ metadata }) => metadata.name)
      const containers = [{ name: 'checkout', image: 'example.com/shop/checkout:1' }]
      await guest.create(Pod, { metadata: { ...checkout, finalizers: ['example.com/kept'] }, spec: { nodeName, containers } })
      await story.client.delete(NodePool, { namespace: 'clusters', name: 'workers' })
      await story.sleep('25m')
      const left = story.state.get(NodePool, { namespace: 'clusters', name: 'workers' })
      assert.deepEqual([left?.metadata.finalizers?.length, machinesIn(story).length, secretsLeft(story).length], [1, 1, 2])
      await story.until(() => story.state.count(NodePool) === 0, { within: '10m' })
      assert.deepEqual([machinesIn(story), secretsLeft(story)], [[], []])
    })
  })

  it('does not need its cluster, and is not held up by a pause', () => {
    const { world, now } = going()
    dropMachines(world)
    world.drop(HostedCluster, { namespace: 'clusters', name: 'prod' })
    const pool = poolIn(world)
    const paused: NodePool = { ...pool, spec: { ...pool.spec, pausedUntil: 'true' } }
    world.put(paused)
    assert.equal(pass(world, now).error, undefined)
    assert.deepEqual(world.list(NodePool), [])
  })

  it('does not take what could not be listed for nothing', () => {
    const { world } = going()
    dropMachines(world)
    assert.match(pass(world, noon, { machines: failed('on fire') }).error ?? '', /cannot be listed: on fire$/)
    assert.match(pass(world, noon, { secrets: failed('on fire') }).error ?? '', /cannot be listed: on fire$/)
    assert.equal(poolIn(world).metadata.finalizers?.length, 1)
  })
})
