import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Deployment, Namespace, Pod } from '@windlass/api'
import { simulate, type SimulationResult, type World } from '@windlass/kube/simulation'
import { aWorld, deploymentDraft, imageOf, isRolledOut, toImage } from './testing/index.ts'

const planes = Array.from({ length: 5 }, (_, number) => `clusters-${number}`)
const components = Array.from({ length: 6 }, (_, number) => `component-${number}`)
const count = planes.length * components.length

/** Five control planes of six components with two Pods each. */
async function install({ client, state, until }: World): Promise<void> {
  for (const namespace of planes) {
    await client.create(Namespace, { metadata: { name: namespace } })
    for (const name of components) {
      const { metadata, ...draft } = deploymentDraft(name, {
        replicas: 2,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      })
      await client.create(Deployment, { ...draft, metadata: { ...metadata, namespace } })
    }
  }
  await until(() => state.count(Deployment) === count && state.list(Deployment).every(isRolledOut), { within: '10m' })
}

const writesBy = ({ writes }: SimulationResult): number => writes.filter(({ actor }) => actor.process === 'operator-1').length

describe('many workloads', () => {
  it('cost few writes each, fewer when time flies, and none when nothing happens', async () => {
    const costOf = async (speed: number): Promise<number> => {
      let idle = 0
      const result = await simulate(
        aWorld(
          1,
          async (world) => {
            await install(world)
            await world.settled({ within: '10m' })
            const before = world.state.list(Pod).map(({ metadata }) => metadata.resourceVersion)
            await world.sleep('2h')
            idle = world.state.list(Pod).filter(({ metadata }, index) => metadata.resourceVersion !== before[index]).length
          },
          { workloads: { speed } },
        ),
      )
      assert.equal(idle, 0)
      return writesBy(result) / count
    }
    const [usual, fast] = [await costOf(1), await costOf(Number.POSITIVE_INFINITY)]
    // One ReplicaSet; two Pods with three states each; their two statuses, and those of the ReplicaSet and the Deployment, when something changes.
    assert.ok(usual <= 15.1, `${usual} writes for a Deployment with two Pods`)
    assert.ok(fast <= 11.1, `${fast} writes for a Deployment with two Pods when nothing takes time`)
  })

  it('are looked at when something about them changes, and not when something changes about others', async () => {
    const passes = async (isUpdated: boolean): Promise<number> => {
      const { reconciles } = await simulate(
        aWorld(2, async (world) => {
          await install(world)
          await world.settled({ within: '10m' })
          if (isUpdated)
            await world.client.patch(Deployment, { namespace: 'clusters-3', name: 'component-3' }, toImage('component-3', imageOf('2')))
          await world.settled({ within: '10m' })
        }),
      )
      return reconciles
    }
    const cost = (await passes(true)) - (await passes(false))
    assert.ok(cost < 60, `${cost} passes to update one Deployment of ${count}`)
  })
})
