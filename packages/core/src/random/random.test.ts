import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Random } from './random.ts'
import { seededRandom } from './seeded-random.ts'
import { systemRandom } from './system-random.ts'

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

for (const [name, random] of [
  ['the system random', systemRandom],
  ['a seeded random', seededRandom('tests')],
] satisfies [string, Random][]) {
  describe(name, () => {
    it('stays within its bounds and covers them evenly', () => {
      const counts = [0, 0, 0, 0, 0]
      let sum = 0
      for (let draw = 0; draw < 10_000; draw++) {
        const value = random.next()
        assert.ok(value >= 0 && value < 1)
        sum += value
        const index = random.below(counts.length)
        counts[index] = (counts[index] ?? 0) + 1
      }
      assert.ok(Math.abs(sum / 10_000 - 0.5) < 0.03)
      for (const count of counts) assert.ok(Math.abs(count - 2000) < 300)
    })

    it('makes version 4 UUIDs that differ', () => {
      const ids = new Set(Array.from({ length: 1000 }, () => random.uuid()))
      assert.equal(ids.size, 1000)
      for (const id of ids) assert.match(id, uuid4)
    })

    it('makes as many bytes as asked for', () => {
      for (const length of [0, 1, 32, 100_000]) assert.equal(random.bytes(length).length, length)
      const tail = random.bytes(100_000).subarray(70_000)
      assert.ok(new Set(tail).size > 200)
    })
  })
}

const draw = (seed: number | string): unknown => {
  const random = seededRandom(seed)
  return [random.next(), random.below(1000), random.uuid(), [...random.bytes(4)]]
}

describe('seeds', () => {
  it('give the same values again', () => assert.deepEqual(draw(42), draw(42)))

  it('that are close give values that are not', () => {
    const firsts = Array.from({ length: 1000 }, (_, seed) => seededRandom(seed).next())
    assert.equal(new Set(firsts).size, 1000)
    assert.ok(Math.abs(firsts.reduce((sum, value) => sum + value, 0) / 1000 - 0.5) < 0.05)
  })

  it('may be text, for streams that do not disturb each other', () => assert.notDeepEqual(draw('1/nodes'), draw('1/pods')))
})
