import { describe, it } from 'node:test'
import { allFaults, assertRepeatable, forEachSeed } from '@windlass/kube/simulation'
import { fivePools } from './five-pools.ts'
import { laws } from './laws.ts'
import { ask, isAt, story, tell } from './world.ts'

/** Of all writes that change something, three in ten are refused as if another had come before. */
const faults = { ...allFaults, conflicts: 0.3 }

describe('node pools whose server, network and processes fail all the time', () => {
  it('NP-70 get to what they ask for, obey the laws after every write, and leave nothing over', async () => {
    await forEachSeed({ count: 2 }, (seed) => tell(fivePools, { seed, processes: 2, faults, calmAfter: '12m', invariants: laws() }))
  })

  it('do the same every time from the same seed', async () => {
    await assertRepeatable(
      story(
        async (world) => {
          await ask(world)
          await world.until(() => isAt(world, '4.19.6'), { within: '1h' })
        },
        { seed: 4711, faults: 'all' },
      ),
    )
  })
})
