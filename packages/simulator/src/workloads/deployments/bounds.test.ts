import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Deployment } from '@windlass/api'
import { aDeployment } from '@windlass/api/fixtures'
import * as fc from 'fast-check'
import { boundsOf } from './bounds.ts'

const bounds = (replicas: number, rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string }) => {
  const strategy: Deployment['spec']['strategy'] = { type: 'RollingUpdate', ...(rollingUpdate === undefined ? {} : { rollingUpdate }) }
  const { most, leastAvailable } = boundsOf(aDeployment({ spec: { replicas, strategy } }))
  return [most, leastAvailable]
}

describe('how many Pods a rollout may move between', () => {
  it('follows from what may be extra and what may be missing', () => {
    assert.deepEqual(bounds(3, { maxSurge: 0, maxUnavailable: 1 }), [3, 2])
    assert.deepEqual(bounds(2, { maxSurge: 1, maxUnavailable: 0 }), [3, 2])
  })

  it('rounds what is extra up, and what is missing down', () => {
    assert.deepEqual(bounds(1), [2, 1])
    assert.deepEqual(bounds(3), [4, 3])
    assert.deepEqual(bounds(10), [13, 8])
    assert.deepEqual(bounds(10, { maxSurge: '33%', maxUnavailable: '33%' }), [14, 7])
  })

  it('lets one be missing when rounding leaves nothing', () => {
    assert.deepEqual(bounds(3, { maxSurge: 0, maxUnavailable: '10%' }), [3, 2])
    assert.deepEqual(bounds(3, { maxSurge: '0%', maxUnavailable: 0 }), [3, 2])
  })

  it('lets no more be missing than there are', () => assert.deepEqual(bounds(2, { maxSurge: 0, maxUnavailable: 5 }), [2, 0]))

  it('is nothing at all for none, and for those that are made anew', () => {
    assert.deepEqual(bounds(0, { maxSurge: 3, maxUnavailable: 1 }), [0, 0])
    const { most, leastAvailable } = boundsOf(aDeployment({ spec: { replicas: 3, strategy: { type: 'Recreate' } } }))
    assert.deepEqual([most, leastAvailable], [3, 3])
  })

  it('always leaves room for a step', () => {
    const amount = fc.oneof(
      fc.integer({ min: 0, max: 9 }),
      fc.integer({ min: 0, max: 100 }).map((percent) => `${percent}%`),
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), amount, amount, (replicas, maxSurge, maxUnavailable) => {
        const [most = 0, least = 0] = bounds(replicas, { maxSurge, maxUnavailable })
        assert.ok(most > least && most >= replicas && least <= replicas && least >= 0)
      }),
    )
  })
})
