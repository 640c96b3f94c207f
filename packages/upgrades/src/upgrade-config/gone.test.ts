import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aMachineSet } from '@windlass/api/fixtures'
import { MachineLabel } from '../scaling/index.ts'
import { at, aWorkerSet, inShort, minute, now, theCluster, thePool } from '../testing/index.ts'
import type { Silence } from '../windows/index.ts'
import { decideSweep, type SweepView } from './index.ts'

const extra = aMachineSet({ name: 'a-upgrade', metadata: { labels: { [MachineLabel.upgrade]: 'true' } } })
const silence: Silence = {
  id: 's',
  createdBy: 'managed-upgrade-operator',
  comment: 'Silence for OSD worker node upgrade to version 4.4.6 with remaining 1 nodes',
  matchers: [],
  startsAt: at(-60),
  endsAt: at(60),
  updatedAt: at(-60),
  status: { state: 'active' },
}

const sweep = (parts: Partial<SweepView>) =>
  decideSweep(
    {
      goneSince: now - 11 * minute,
      clusterVersion: theCluster(),
      workerPool: thePool(3, 3),
      machineSets: [aWorkerSet('a'), extra],
      silences: [silence, { ...silence, id: 'theirs', createdBy: 'a person' }],
      ...parts,
    },
    minute,
    now,
  )

describe('what is left of an upgrade', () => {
  it('Δ41 is removed once the cluster rests, and nothing else is', () => {
    const result = sweep({})
    assert.ok(result.is === 'sweep')
    assert.deepEqual(inShort(result.effects), ['end silence s', 'delete MachineSet'])
  })

  it('Δ41 stays while an UpgradeConfig may come back, or the cluster is at work', () => {
    assert.deepEqual(sweep({ goneSince: now - 4 * minute }), {
      is: 'too early',
      waitingFor: 'an UpgradeConfig that may come back',
      requeueAfter: 6 * minute,
    })
    assert.equal(sweep({ clusterVersion: theCluster({ partial: { version: '4.4.6', since: at(-5) } }) }).is, 'too early')
    assert.equal(sweep({ workerPool: thePool(1, 3) }).is, 'too early')
  })

  it('Δ41 is usually nothing', () => {
    const expired: Silence = { ...silence, status: { state: 'expired' } }
    assert.deepEqual(sweep({ machineSets: [aWorkerSet('a')], silences: [expired], goneSince: now }), { is: 'nothing to sweep' })
  })
})
