import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ReplicaSet } from '@windlass/api'
import { aReplicaSet } from '@windlass/api/fixtures'
import * as fc from 'fast-check'
import type { Bounds } from './bounds.ts'
import { newSize, rollingStep } from './rolling-update.ts'

const set = (name: string, size: number, available = size): ReplicaSet =>
  aReplicaSet({ name, spec: { replicas: size }, status: { replicas: size, availableReplicas: available } })
const bounds = (replicas: number, surge: number, missing: number): Bounds => ({
  replicas,
  most: replicas + surge,
  leastAvailable: replicas - missing,
})

/** Sizes after a step, the new one first. */
const step = (current: ReplicaSet, old: readonly ReplicaSet[], within: Bounds): readonly number[] => {
  const sizes = rollingStep({ current, old, all: [...old, current] }, within)
  return [current, ...old].map((each) => sizes.get(each) ?? each.spec.replicas ?? 0)
}

describe('a step of a rolling update', () => {
  it('adds new Pods before old ones go, where some may be extra', () => {
    assert.deepEqual(step(set('new', 0), [set('old', 3)], bounds(3, 1, 0)), [1, 3])
    assert.deepEqual(step(set('new', 1, 0), [set('old', 3)], bounds(3, 1, 0)), [1, 3])
    assert.deepEqual(step(set('new', 1), [set('old', 3)], bounds(3, 1, 0)), [1, 2])
    assert.deepEqual(step(set('new', 1), [set('old', 2)], bounds(3, 1, 0)), [2, 2])
  })

  it('lets old Pods go before new ones come, where some may be missing', () => {
    assert.deepEqual(step(set('new', 0), [set('old', 3)], bounds(3, 0, 1)), [0, 2])
    assert.deepEqual(step(set('new', 0), [set('old', 2)], bounds(3, 0, 1)), [1, 2])
    assert.deepEqual(step(set('new', 1, 0), [set('old', 2)], bounds(3, 0, 1)), [1, 2])
    assert.deepEqual(step(set('new', 1), [set('old', 2)], bounds(3, 0, 1)), [1, 1])
  })

  it('takes old Pods first that do not work', () => {
    assert.deepEqual(step(set('new', 0), [set('broken', 2, 0), set('old', 2)], bounds(3, 1, 1)), [0, 0, 2])
    assert.deepEqual(step(set('new', 1, 0), [set('broken', 1, 0), set('old', 3)], bounds(3, 2, 0)), [1, 0, 3])
  })

  it('takes no Pod in service for new ones that do not work', () => {
    assert.deepEqual(step(set('new', 2, 0), [set('old', 3)], bounds(4, 1, 1)), [2, 3])
  })

  it('shrinks a new ReplicaSet that is too large', () => assert.deepEqual(step(set('new', 5), [], bounds(3, 1, 0)), [3]))

  it('begins with as many as there is room for', () => {
    assert.equal(newSize(0, bounds(3, 1, 0), []), 3)
    assert.equal(newSize(0, bounds(3, 1, 0), [set('old', 3)]), 1)
    assert.equal(newSize(0, bounds(3, 0, 1), [set('old', 3)]), 0)
  })
})

describe('Pods that come and go in any order', () => {
  interface Sized {
    size: number
    pods: number
    /** How many of them are in service. */
    available: number
  }
  /** Pods are made or removed until there are as many as there should be; those out of service go first. */
  const settle = (each: Sized): void => {
    const excess = each.pods - each.size
    if (excess > 0) each.available -= Math.max(0, excess - (each.pods - each.available))
    each.pods = each.size
  }

  it('never become too many or too few, and in the end all are new', () => {
    const arbitrary = fc.record({
      replicas: fc.integer({ min: 1, max: 8 }),
      surge: fc.integer({ min: 0, max: 4 }),
      missing: fc.integer({ min: 0, max: 4 }),
      picks: fc.infiniteStream(fc.nat(100)),
    })
    fc.assert(
      fc.property(arbitrary, ({ replicas, surge, missing, picks }) => {
        const within = bounds(replicas, surge, surge === 0 && missing === 0 ? 1 : Math.min(missing, replicas))
        const old: Sized = { size: replicas, pods: replicas, available: replicas }
        const fresh: Sized = { size: 0, pods: 0, available: 0 }
        const all = [fresh, old]
        for (let turns = 0; turns < 500 && (old.size > 0 || fresh.available < replicas); turns++) {
          const sizes = step(set('new', fresh.size, fresh.available), [set('old', old.size, old.available)], within)
          for (const [index, each] of all.entries()) each.size = sizes[index] ?? 0
          for (const each of all) settle(each)
          const pods = old.pods + fresh.pods
          const available = old.available + fresh.available
          assert.ok(pods <= within.most, `${pods} Pods of ${within.most}`)
          assert.ok(available >= within.leastAvailable, `${available} in service of ${within.leastAvailable}`)
          // Some of those that start are through.
          const starting = fresh.pods - fresh.available
          fresh.available += Math.min(starting, Number(picks.next().value) % (starting + 1))
        }
        assert.deepEqual([old.size, fresh.available], [0, replicas])
      }),
    )
  })
})
