import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ClusterOperator } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { aClusterVersion, at, condition, operatorAt, start, v1, v2 } from '../testing/index.ts'
import { lastProgressOf } from './last-progress.ts'

/** An operator that has been progressing, or not, since then. */
const operator = (name: string, version: string, progressing: 'True' | 'False', since: Instant): ClusterOperator => ({
  ...operatorAt(version, { name }),
  status: { versions: [{ name: 'operator', version }], conditions: [condition('Progressing', progressing, { since })] },
})

const last = (...operators: readonly ClusterOperator[]): Instant | undefined => lastProgressOf(aClusterVersion(), operators)

describe('when an update last moved, for somebody who looks once', () => {
  it('is when an operator last began or ended', () => {
    const ended = operator('etcd', v2, 'False', at('12:07:00'))
    const began = operator('dns', v1, 'True', at('12:09:00'))
    assert.equal(last(ended, operator('network', v1, 'False', at('11:00:00'))), at('12:07:00'))
    assert.equal(last(ended, began), at('12:09:00'))
  })

  it('is its beginning at the earliest', () => {
    assert.equal(last(operator('etcd', v1, 'False', at('08:00:00'))), start)
  })

  it('is when machine-config began, once everything else is done: restarts of nodes make others progress again', () => {
    const awaited = operator('machine-config', v1, 'True', at('12:42:00'))
    const again = operator('dns', v2, 'True', at('12:50:00'))
    assert.equal(last(awaited, again), at('12:42:00'))
    assert.equal(last(awaited, operator('dns', v1, 'True', at('12:50:00'))), at('12:50:00'))
    assert.equal(last(operator('machine-config', v1, 'False', at('12:10:00')), again), at('12:50:00'))
  })

  it('is not known when no operator tells', () => {
    assert.equal(last(), undefined)
    assert.equal(last({ ...operatorAt(v1), status: {} }), undefined)
  })
})
