import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ControlPlaneComponent, Deployment, HostedCluster } from '@windlass/api'
import type { Resource } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { operator, simulate, type Simulation, type World } from '@windlass/kube/simulation'
import { fleet, invariants } from '../testing/index.ts'

const { ask, change, clusterIn, controllers, definitions, given, historyOf, home, refOf, surroundings } = fleet

const roleARN = 'arn:aws:iam::123456789012:role/karpenter'
const autoNode = { provisionerConfig: { name: 'Karpenter', karpenter: { platform: 'AWS', aws: { roleARN } } } } as const

const run = (world: Simulation['world']) =>
  simulate({
    seed: 1,
    definitions,
    given,
    controllers,
    programs: { cluster: operator({ controllers: surroundings }) },
    limit: '48h',
    invariants,
    world,
  })

const said = (world: World): string => {
  const { status, reason } = findCondition(clusterIn(world)?.status?.conditions, 'AutoNodeEnabled') ?? {}
  return `${status} ${reason}`
}
const left = ({ state }: World): readonly string[] =>
  ([Deployment, ControlPlaneComponent] as readonly Resource[]).flatMap((kind) =>
    state.list(kind).flatMap(({ metadata: { name = '' } }) => (name.startsWith('karpenter') ? [`${kind.kind} ${name}`] : [])),
  )

describe('nodes that are made to measure', () => {
  it('3.8 come with karpenter-operator and then karpenter, which follow the release like all others', async () => {
    const { writes } = await run(async (world) => {
      await ask(world.client, { spec: { autoNode } })
      await world.until(() => historyOf(world)[0] === 'Completed 4.19.6', { within: '1h' })
      await world.until(() => said(world) === 'True AsExpected', { within: '5m' })
      await fleet.upgrade(world, '4.19.7')
      await world.until(() => historyOf(world)[0] === 'Completed 4.19.7', { within: '1h' })
      assert.equal(world.state.get(ControlPlaneComponent, { namespace: home(), name: 'karpenter' })?.status?.version, '4.19.7')
    })
    const rolledOut = writes.findIndex(
      (write) => write.name === 'karpenter-operator' && write.as(ControlPlaneComponent)?.status?.version === '4.19.6',
    )
    const made = writes.findIndex((write) => write.isOf(Deployment) && write.name === 'karpenter')
    assert.ok(rolledOut >= 0 && rolledOut < made, 'karpenter is made when karpenter-operator has rolled out')
  })

  it('go again, with both, when nobody asks for them any more', async () => {
    await run(async (world) => {
      await ask(world.client, { spec: { autoNode } })
      await world.until(() => said(world) === 'True AsExpected', { within: '1h' })
      await change(world, { spec: { autoNode: null } })
      await world.until(() => said(world) === 'False AutoNodeNotConfigured', { within: '5m' })
      await world.settled({ within: '1h' })
      assert.deepEqual(left(world), [])
      assert.deepEqual(historyOf(world), ['Completed 4.19.6'])
    })
  })

  it('do not hold up a cluster that is deleted', async () => {
    await run(async (world) => {
      await ask(world.client, { spec: { autoNode } })
      await world.until(() => said(world) === 'True AsExpected', { within: '1h' })
      await world.client.delete(HostedCluster, refOf())
      await world.until(() => clusterIn(world) === undefined, { within: '10m' })
      await world.settled({ within: '10m' })
      assert.deepEqual(left(world), [])
    })
  })
})
