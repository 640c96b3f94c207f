import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aCondition, aMachineConfigPool } from '@windlass/api/fixtures'
import type { MachineConfigPool, UpgradeConfig } from '@windlass/api'
import type { StatusAction } from '@windlass/kube'
import { at, now, theCluster, thePool, theUpgrade } from '../testing/index.ts'
import { decidePool } from './index.ts'

const commenced = theCluster({ desiredUpdate: { version: '4.4.6' } })

function written(pool: MachineConfigPool, upgradeConfig: UpgradeConfig | undefined, clusterVersion = commenced) {
  const { actions } = decidePool({ pool, upgradeConfig, clusterVersion }, now)
  const [action] = actions as readonly StatusAction<UpgradeConfig>[]
  return action?.status.history?.[0]
}

describe('the worker pool', () => {
  const upgrading = theUpgrade({ entry: { startTime: at(-60) } })

  it('W01 Δ30 has begun, though some of it is done already', () => {
    assert.equal(written(thePool(1, 3), upgrading)?.workerStartTime, at(0))
    assert.equal(written(thePool(3, 3, [aCondition('Updating', 'True')]), upgrading)?.workerStartTime, at(0))
  })

  it('W01 has not begun before the update has commenced, nor while it rests', () => {
    assert.equal(written(thePool(1, 3), upgrading, theCluster()), undefined)
    assert.equal(written(thePool(3, 3), upgrading), undefined)
  })

  it('W02 has finished once all of it is updated, and only once', () => {
    const begun = theUpgrade({ entry: { startTime: at(-60), workerStartTime: at(-30) } })
    const entry = written(thePool(3, 3), begun)
    assert.deepEqual([entry?.workerStartTime, entry?.workerCompleteTime], [at(-30), at(0)])
    const finished = theUpgrade({ entry: { workerStartTime: at(-30), workerCompleteTime: at(-1) } })
    assert.deepEqual(decidePool({ pool: thePool(3, 3), upgradeConfig: finished, clusterVersion: commenced }, now), { actions: [] })
  })

  it('W02 has not finished while it says that it is not updated', () => {
    const begun = theUpgrade({ entry: { workerStartTime: at(-30) } })
    assert.equal(written(thePool(3, 3, [aCondition('Updated', 'False')]), begun), undefined)
    assert.equal(written(thePool(2, 3), begun), undefined)
  })

  it('is of no interest otherwise', () => {
    assert.equal(written(thePool(1, 3), theUpgrade({ entry: { phase: 'Pending' } })), undefined)
    assert.equal(written(thePool(1, 3), undefined), undefined)
    assert.equal(written(aMachineConfigPool({ name: 'infra', status: { machineCount: 3, updatedMachineCount: 1 } }), upgrading), undefined)
  })

  it('R18 writes only onto what it has seen', () => {
    const { actions } = decidePool({ pool: thePool(1, 3), upgradeConfig: upgrading, clusterVersion: commenced }, now)
    assert.ok(actions[0]?.do === 'status' && actions[0].ifUnchanged)
  })
})
