import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Event, KubevirtMachineTemplate } from '@windlass/api'
import { found } from '../hosted-cluster/index.ts'
import { listed } from './in-place/listed.ts'
import { ask, poolIn, said, tell } from './simulation/world.ts'

describe('the controller of node pools', () => {
  it('3 tells people what fails outside of its decisions, and what it found out before', async () => {
    const problems = new Set(['the catalogue of images is on fire'])
    const bootImage = () => {
      for (const problem of problems) throw new Error(problem)
      return found('example.com/rhcos/disk:9.6')
    }
    await tell(
      async (world) => {
        await ask(world)
        await world.sleep('1m')
        const events = await listed(world.client.list(Event, { namespace: 'clusters' }))
        const told = events.find(({ reason }) => reason === 'ReconcileError')
        assert.equal(told?.note, 'the catalogue of images is on fire')
        assert.equal(poolIn(world)?.status, undefined)
        problems.clear()
        await world.until(() => said(world, 'ValidReleaseImage') === 'True/AsExpected', { within: '1m' })
        assert.equal(world.state.count(KubevirtMachineTemplate), 1)
      },
      { pools: { bootImage } },
    )
  })
})
