import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LogicalCluster, Secret } from '@windlass/api'
import { aLogicalCluster, aSecret } from '@windlass/api/fixtures'
import { findCondition } from '@windlass/core'
import type { StatusAction } from '@windlass/kube'
import { decide } from './decide.ts'

const now = Date.UTC(2026, 0, 2)
const kubeconfig = (data: Secret['data'] = { kubeconfig: 'e30=' }): Secret => ({ ...aSecret(), data })

function verdict(cluster: LogicalCluster, secret: Secret | undefined): string {
  const [action] = decide({ cluster, kubeconfig: secret }, now).actions as readonly StatusAction<LogicalCluster>[]
  const usable = findCondition(action?.status.conditions, 'Usable')
  return `${usable?.status} ${usable?.reason}`
}

describe('a logical cluster is usable', () => {
  it('when it is served and its kubeconfig is there', () => {
    assert.equal(verdict(aLogicalCluster(), kubeconfig()), 'True KubeconfigPresent')
  })

  it('not when no server has taken it up', () => {
    assert.equal(verdict(aLogicalCluster({ status: undefined as never }), undefined), 'False NotServed')
    assert.equal(verdict(aLogicalCluster({ status: { phase: 'Creating' } }), undefined), 'False NotServed')
  })

  it('nobody knows when its server has not said where it is', () => {
    assert.equal(verdict(aLogicalCluster({ status: { phase: 'Ready' } }), undefined), 'Unknown NoAddress')
  })

  it('not when its kubeconfig is gone, or has nothing in it', () => {
    assert.equal(verdict(aLogicalCluster(), undefined), 'False KubeconfigMissing')
    assert.equal(verdict(aLogicalCluster(), kubeconfig({})), 'False KubeconfigIncomplete')
  })

  it('and what others say of it stays', () => {
    const [action] = decide({ cluster: aLogicalCluster(), kubeconfig: kubeconfig() }, now)
      .actions as readonly StatusAction<LogicalCluster>[]
    assert.deepEqual(
      action?.status.conditions?.map(({ type }) => type),
      ['Ready', 'Usable'],
    )
    assert.equal(action?.ifUnchanged, true)
  })

  it('is not asked of one that goes', () => {
    const cluster = aLogicalCluster({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })
    assert.deepEqual(decide({ cluster, kubeconfig: undefined }, now), { actions: [] })
  })
})
