import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { machineApi, Pod } from '@windlass/api'
import { seededRandom } from '@windlass/core'
import { forEachSeed } from '@windlass/kube/simulation'
import { isByOperator } from './invariants.ts'
import { mishapsUntil } from './mishaps.ts'
import { stage, start } from './stage.ts'
import { storyFor } from './stories.ts'

const calmAfter = '25m'
const calm = start + 25 * 60_000

describe('an upgrade', () => {
  it('comes to the same whatever goes wrong, in the cluster and outside of it, and leaves nothing behind', async () => {
    await forEachSeed({ count: 3 }, async (seed) => {
      const { name, play, needsHelp = false } = storyFor(seed)
      const { writes } = await stage(
        async (scene) => {
          const { outside, world } = scene
          outside.mishap = mishapsUntil(calm, () => world.clock.now(), seededRandom(`outside of ${seed}`))
          await play(scene)
          await world.sleep('15m')
          const isTidy = (): boolean => scene.extras().length === 0 && outside.alertmanager.live.length === 0
          await world.until(isTidy, { within: '20m', every: '10s' })
          await world.until(() => world.state.list(machineApi.Machine).length === 3, { within: '20m', every: '10s' })
        },
        { seed, processes: 2, faults: 'all', calmAfter, speed: 8 },
      )
      const isHelped = writes.some((write) => isByOperator(write) && write.isOf(Pod))
      assert.ok(isHelped || !needsHelp, `no drain was helped along: the story "${name}" has lost its point`)
    })
  })
})
