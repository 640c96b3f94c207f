import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ReplicaSet } from '@windlass/api'
import { aDeployment, aReplicaSet } from '@windlass/api/fixtures'
import * as fc from 'fast-check'
import type { Bounds } from './bounds.ts'
import { desiredAnnotation, mostAnnotation } from './revisions.ts'
import { isScaled, scaledSizes } from './scaling.ts'

const set = (name: string, size: number, before: { desired: number; most: number }, available = size): ReplicaSet =>
  aReplicaSet({
    name,
    metadata: { annotations: { [desiredAnnotation]: String(before.desired), [mostAnnotation]: String(before.most) } },
    spec: { replicas: size },
    status: { replicas: size, availableReplicas: available },
  })
const bounds = (replicas: number, surge: number): Bounds => ({ replicas, most: replicas + surge, leastAvailable: 0 })
const sizesOf = (current: ReplicaSet | undefined, old: readonly ReplicaSet[], within: Bounds): readonly (number | undefined)[] => {
  const all = current === undefined ? old : [...old, current]
  const sizes = scaledSizes(aDeployment(), { current, old, all }, within)
  return all.map((each) => sizes.get(each))
}

describe('a Deployment whose number of replicas changes', () => {
  const before = { desired: 10, most: 13 }

  it('is noticed by what its ReplicaSets were told last', () => {
    const current = set('new', 10, before)
    assert.ok(!isScaled({ current, old: [], all: [current] }, bounds(10, 3)))
    assert.ok(isScaled({ current, old: [], all: [current] }, bounds(20, 3)))
    const empty = set('old', 0, { desired: 3, most: 4 })
    assert.ok(!isScaled({ current, old: [empty], all: [empty, current] }, bounds(10, 3)), 'one without Pods does not matter')
  })

  it('usually has one ReplicaSet that takes all of it', () => {
    assert.deepEqual(sizesOf(set('new', 10, before), [], bounds(20, 5)), [20])
    assert.deepEqual(sizesOf(undefined, [set('old', 10, before)], bounds(4, 1)), [4], 'paused before the new template has one')
    assert.deepEqual(sizesOf(set('new', 0, before), [set('old', 0, before)], bounds(4, 1)), [undefined, 4])
  })

  it('in the middle of a rollout is shared in proportion', () => {
    // The example of the documentation: 10 replicas of which 8 are old, with 5 new ones that do not work, scaled to 15 with a surge of 3.
    assert.deepEqual(sizesOf(set('new', 5, before, 0), [set('old', 8, before)], bounds(15, 3)), [11, 7])
    assert.deepEqual(sizesOf(set('new', 5, before, 0), [set('old', 8, before)], bounds(0, 0)), [0, 0])
  })

  it('needs nothing old when the new ReplicaSet has all that it should', () => {
    assert.deepEqual(sizesOf(set('new', 3, { desired: 3, most: 4 }), [set('old', 1, { desired: 9, most: 10 })], bounds(3, 1)), [
      0,
      undefined,
    ])
  })

  it('is shared without a remainder, whatever the numbers', () => {
    const sized = fc.integer({ min: 1, max: 30 })
    fc.assert(
      fc.property(sized, sized, fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 5 }), (first, second, replicas, surge) => {
        const most = first + second
        const old = set('old', first, { desired: most, most })
        const sizes = sizesOf(set('new', second, { desired: most, most }, 0), [old], bounds(replicas, surge))
        const total = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
        assert.equal(total, replicas === 0 ? 0 : replicas + surge)
        assert.ok(sizes.every((size) => (size ?? 0) >= 0))
      }),
    )
  })
})
