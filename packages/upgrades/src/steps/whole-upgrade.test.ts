import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { UpgradeConfig } from '@windlass/api'
import { at, theUpgrade } from '../testing/index.ts'
import { World } from '../testing/world.ts'
import { entryOf } from '../upgrade-config/index.ts'

const gates = { 'featureGate.enabled': ['PreHealthCheck', 'ServiceLogNotification'] }
const upgrade = (type: 'OSD' | 'ARO'): UpgradeConfig =>
  theUpgrade({ spec: { type, capacityReservation: true }, entry: { startTime: at(0) } })

async function runTo(world: World, passes: number): Promise<World> {
  for (let pass = 0; pass < passes && entryOf(world.upgradeConfig)?.phase === 'Upgrading'; pass++) await world.pass()
  return world
}

const once = ['StateStarted', 'StateControlPlaneStartedSL', 'StateControlPlaneFinishedSL', 'StateWorkerPlaneFinishedSL', 'StateCompleted']

describe('a whole upgrade', () => {
  for (const type of ['OSD', 'ARO'] as const) {
    it(`of ${type} goes through all steps, tells each thing once, and leaves nothing behind`, async () => {
      const world = await runTo(new World(upgrade(type), gates), 80)
      const entry = entryOf(world.upgradeConfig)
      assert.equal(entry?.phase, 'Upgraded')
      assert.equal(entry.conditions?.length, type === 'OSD' ? 16 : 14)
      assert.ok(entry.conditions.every(({ status }) => status === 'True'))
      assert.deepEqual(world.sent, once)
      assert.deepEqual([world.extras, world.commences], [[], 1])
      assert.ok(world.silences.every(({ status }) => status.state === 'expired'))
      // One for the control plane, and one for each number of workers that were left.
      assert.equal(world.silences.length, 4)
    })
  }

  it('survives the death of its process at any moment, and neither repeats nor forgets anything', async () => {
    const moment = fc.tuple(fc.constantFrom('before', 'after'), fc.nat(30)).map(([when, number]) => `${when} ${number}`)
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { maxLength: 8 }), async (crashes) => {
        const world = await runTo(new World(upgrade('OSD'), gates, crashes), 100)
        const entry = entryOf(world.upgradeConfig)
        assert.equal(entry?.phase, 'Upgraded')
        assert.deepEqual(world.sent, once)
        assert.deepEqual([world.extras, world.commences], [[], 1])
        assert.ok(world.silences.every(({ status }) => status.state === 'expired'))
        const types = entry.conditions?.map(({ type }) => type) ?? []
        assert.equal(new Set(types).size, types.length)
      }),
      { numRuns: 25 },
    )
  })
})
