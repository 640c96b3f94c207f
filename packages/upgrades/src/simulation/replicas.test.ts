import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Lease } from '@windlass/api'
import { at, type Scene, stage } from './stage.ts'

const leaderOf = ({ world }: Scene): string =>
  world.state.get(Lease, { namespace: 'default', name: 'operator' })?.spec?.holderIdentity?.split('_')[0] ?? ''

describe('several operators', () => {
  it('B02 of two only the leader asks OCM and looks after the upgrade', async () => {
    const callers = new Set<string>()
    let leader = ''
    const { writes } = await stage(
      async (scene) => {
        const { outside, world } = scene
        await world.until(() => leaderOf(scene) !== '', { within: '1m' })
        leader = leaderOf(scene)
        outside.onCall = ({ process }) => callers.add(process)
        outside.ocm.schedule({ id: 'p1', version: '4.18.16', next_run: at(5) })
        await world.until(() => scene.extras().length === 3, { within: '15m' })
        assert.equal(leaderOf(scene), leader)
      },
      { processes: 2, speed: 4 },
    )
    assert.deepEqual([...callers], [leader])
    const writers = writes.filter(({ key }) => /upgradeconfigs|machinesets/.test(key)).map(({ actor }) => actor.process)
    assert.deepEqual(new Set(writers.filter((name) => name.startsWith('operator'))), new Set([leader]))
  })

  it('B03 one that is asked to stop while its sync loop waits is gone within 5 seconds', async () => {
    await stage(async ({ world, outside }) => {
      outside.ocm.schedule({ id: 'p1', version: '4.18.16', next_run: at(500) })
      await world.sleep('5m')
      const process = world.processes.get('operator-1') ?? assert.fail()
      process.stop()
      await world.until(() => process.exits.length === 1, { within: '5s', every: '100ms' })
      assert.deepEqual(process.exits, ['it ended'])
    })
  })
})
