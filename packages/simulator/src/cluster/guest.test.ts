import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterOperator, ClusterVersion, MachineConfigPool, toCrd } from '@windlass/api'
import { simulate, type Simulation, type World } from '@windlass/kube/simulation'
import { guestCluster, guestControllers, place, ReleaseFeed } from './index.ts'
import { hostedPayload } from './payload/index.ts'
import { aRelease, inOrder, lawfulHistory, lawfulProgress, looking, start } from './testing/index.ts'

const definitions = [ClusterVersion, ClusterOperator].map(toCrd)
const clusterID = '0b8c2f6e-93f1-4d0e-8a6d-2f1f0d9c7b55'

/** The control plane is played by the script, which outlives the processes: what it asks for, they find again. */
function simulation(
  seed: number,
  release: ReleaseFeed,
  world: (world: World) => Promise<void>,
  more: Partial<Simulation> = {},
): Simulation {
  return {
    seed,
    definitions,
    controllers: () => guestControllers({ seed, clusterID, release }),
    invariants: [lawfulHistory, lawfulProgress],
    world,
    ...more,
  }
}

describe('the guest of a hosted cluster', () => {
  it('is installed from nothing when its control plane asks for a release, all operators at once', async () => {
    const release = new ReleaseFeed()
    await simulate(
      simulation(1, release, async (world) => {
        const see = looking(world)
        await world.sleep('1m')
        assert.equal(see.clusterVersion(), undefined)
        release.ask(aRelease('4.20.1'))
        await world.until(() => see.history()[0] === 'Partial 4.20.1', { within: '1m' })
        assert.equal(see.clusterVersion()?.spec.clusterID, clusterID)
        assert.match(see.says('Available') ?? '', /^False/)
        await world.until(() => see.isCompleted('4.20.1'), { within: '30m' })
        assert.deepEqual(see.history(), ['Completed 4.20.1*'])
        assert.equal(see.says('Available'), 'True||Done applying 4.20.1')
        assert.match(see.says('ReleaseAccepted') ?? '', /^True\|PayloadLoaded/)
        assert.match(see.says('RetrievedUpdates') ?? '', /^False\|NoChannel/)
        assert.equal(see.clusterVersion()?.status?.availableUpdates, null)
        assert.equal(world.state.list(ClusterOperator).length, hostedPayload.operators.size)
      }),
    )
  })

  const rest = (client: Parameters<NonNullable<Simulation['given']>>[0]) =>
    place(client, guestCluster({ release: aRelease('4.20.1'), installed: start - 3_600_000, clusterID }))

  it('follows its control plane from release to release, step by step, and never looks at its spec', async () => {
    const release = new ReleaseFeed(aRelease('4.20.1'))
    await simulate(
      simulation(
        1,
        release,
        async (world) => {
          const see = looking(world)
          await world.sleep('10m')
          assert.deepEqual(see.history(), ['Completed 4.20.1*'])
          await see.ask({ version: '4.20.9', image: 'example.com/other' })
          release.ask(aRelease('4.20.2'))
          await world.until(() => see.history()[0] === 'Partial 4.20.2', { within: '1m' })
          release.ask(aRelease('4.20.3'))
          await world.until(() => see.isCompleted('4.20.3'), { within: '2h' })
          assert.deepEqual(see.history(), ['Completed 4.20.3*', 'Partial 4.20.2*', 'Completed 4.20.1*'])
          assert.equal(see.operatorVersion('dns'), '4.20.3')
        },
        { given: rest, invariants: [inOrder(hostedPayload), lawfulHistory, lawfulProgress] },
      ),
    )
  })

  it('stays as it is while nobody asks for anything', async () => {
    const { writes } = await simulate(simulation(1, new ReleaseFeed(), (world) => world.sleep('1h'), { given: rest }))
    assert.deepEqual(writes.filter(({ at }) => at > start + 60_000).map(String), [])
  })

  it('has no machine configs to read', () => {
    const controllers = guestControllers({ seed: 1, clusterID, release: new ReleaseFeed() })
    const kinds = controllers.flatMap(({ watches = [], reads = [] }) => [...watches.map(({ of }) => of), ...reads])
    assert.ok(!kinds.some((of) => ('kind' in of && typeof of.kind === 'object' ? of.kind : of) === MachineConfigPool))
  })

  it('gets there whatever goes wrong', { timeout: 120_000 }, async () => {
    for (const seed of [1, 2, 3]) {
      const release = new ReleaseFeed(aRelease('4.20.1'))
      await simulate(
        simulation(
          seed,
          release,
          async (world) => {
            const see = looking(world)
            await world.until(() => see.isCompleted('4.20.1'), { within: '2h', every: '5s' })
            release.ask(aRelease('4.20.2'))
            await world.until(() => see.isCompleted('4.20.2'), { within: '3h', every: '5s' })
          },
          { faults: 'all', calmAfter: '20m' },
        ),
      )
    }
  })
})
