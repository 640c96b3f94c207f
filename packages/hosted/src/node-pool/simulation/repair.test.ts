import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, NodePool } from '@windlass/api'
import type { World } from '@windlass/kube/simulation'
import { ask, home, installed, machinesIn, nodesIn, poolIn, poolRef, said, tell } from './world.ts'

const management = {
  upgradeType: 'Replace',
  autoRepair: true,
  replace: { strategy: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
} as const

const fail = (world: World, name: string, failure: string | null) =>
  world.client.patch(capi.Machine, { namespace: home, name }, { metadata: { annotations: { 'simulator.windlass.dev/fail': failure } } })

describe('repair', () => {
  it('NP-61 begins when the first machine has got its configuration; one that never starts is replaced', async () => {
    await tell(async (world) => {
      await ask(world, { spec: { management } })
      await world.until(() => machinesIn(world).length === 3, { within: '5m' })
      assert.deepEqual([world.state.count(capi.MachineHealthCheck), said(world, 'AutorepairEnabled')], [0, undefined])
      const [first] = machinesIn(world)
      await fail(world, first?.metadata.name ?? '', 'ignition-unreachable')
      await world.until(() => poolIn(world)?.status?.replicas === 2, { within: '10m' })
      assert.equal(said(world, 'AutorepairEnabled'), 'True/AsExpected')
      const isThere = () => machinesIn(world).some(({ metadata }) => metadata.uid === first?.metadata.uid)
      await world.sleep('15m')
      assert.ok(isThere(), 'it has twenty minutes to start')
      await world.until(() => !isThere(), { within: '10m' })
      await world.until(() => poolIn(world)?.status?.replicas === 3 && poolIn(world)?.status?.version === '4.19.6', { within: '10m' })
      assert.equal(nodesIn(world).length, 3)
    })
  })

  it('NP-59 NP-60 replaces a machine whose node is gone for eight minutes, and none when too many are, unless told', async () => {
    await tell(async (world) => {
      await installed(world, { spec: { management } })
      const before = machinesIn(world)
      const [first] = before
      await fail(world, first?.metadata.name ?? '', 'node-unreachable')
      await world.sleep('7m')
      assert.equal(machinesIn(world)[0]?.metadata.uid, first?.metadata.uid)
      await world.until(() => machinesIn(world).every(({ metadata }) => metadata.uid !== first?.metadata.uid), { within: '3m' })
      await world.until(() => said(world, 'Ready') === 'True/AsExpected' && poolIn(world)?.status?.replicas === 3, { within: '10m' })
      await world.settled({ within: '10m' })
      const all = machinesIn(world).map(({ metadata }) => metadata.name ?? '')
      for (const name of all) await fail(world, name, 'node-unreachable')
      await world.until(() => said(world, 'Ready') === 'False/TooManyUnhealthy', { within: '2m' })
      await world.sleep('30m')
      assert.deepEqual(
        machinesIn(world).map(({ metadata }) => metadata.name),
        all,
      )
      const annotations = { 'hypershift.openshift.io/machine-health-check-max-unhealthy': '100%' }
      await world.client.patch(NodePool, poolRef(), { metadata: { annotations } })
      await world.until(() => nodesIn(world).length === 3 && said(world, 'Ready') === 'True/AsExpected', { within: '15m' })
    })
  })
})
