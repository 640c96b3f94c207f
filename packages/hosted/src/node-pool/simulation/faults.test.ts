import { describe, it } from 'node:test'
import { assertRepeatable, forEachSeed } from '@windlass/kube/simulation'
import {
  atMost,
  availableAtLeast,
  awayAtMost,
  kubeletNeverAbove,
  neverAbove,
  neverLeaked,
  neverOrphaned,
  neverProlonged,
} from './invariants.ts'
import { twoPools } from './two-pools.ts'
import { ask, isAt, story, tell } from './world.ts'

describe('node pools whose server, network and processes fail all the time', () => {
  it('NP-70 get to what they ask for, within their bounds all the way, and leave nothing over', { timeout: 300_000 }, async () => {
    await forEachSeed({ count: 3 }, (seed) => {
      const bounds = [atMost(4), availableAtLeast(3), atMost(2, 'stay'), awayAtMost(1, 'stay')]
      const invariants = [...bounds, neverAbove(), kubeletNeverAbove, neverOrphaned, neverLeaked, neverProlonged()]
      return tell(twoPools, { seed, processes: 2, faults: 'all', calmAfter: '12m', invariants })
    })
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
