import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { type ByteString, toByteString } from '../byte-string.ts'
import { OrderedMap } from './ordered-map.ts'

const key = (number: number): ByteString => toByteString(String(number).padStart(5, '0'))
const end = toByteString('9999999')
const all = (map: OrderedMap): readonly string[] =>
  map.range({ from: key(0), to: end, limit: Infinity }).map(({ key, value }) => `${key}=${value.toString()}`)

describe('an ordered map', () => {
  it('holds what a plain map would, in order, through splits and deletions', () => {
    const writes = fc.array(fc.tuple(fc.nat(1200), fc.option(fc.nat(9))), { maxLength: 700 })
    fc.assert(
      fc.property(fc.array(writes, { maxLength: 6 }), fc.nat(1200), fc.nat(40), (batches, from, limit) => {
        const plain = new Map<ByteString, string>()
        let map = new OrderedMap()
        for (const batch of batches) {
          map = map.with(new Map(batch.map(([number, value]) => [key(number), value === null ? undefined : Buffer.from(String(value))])))
          for (const [at, value] of new Map(batch.map(([number, value]) => [key(number), value]))) {
            if (value === null) plain.delete(at)
            else plain.set(at, String(value))
          }
        }
        const sorted = [...plain].toSorted(([a], [b]) => (a < b ? -1 : 1))
        assert.deepEqual(
          all(map),
          sorted.map(([at, value]) => `${at}=${value}`),
        )
        const some = sorted.filter(([at]) => at >= key(from)).slice(0, limit)
        assert.deepEqual(
          map.keys({ from: key(from), to: end, limit }),
          some.map(([at]) => at),
        )
        assert.equal(map.get(key(from))?.toString(), plain.get(key(from)))
      }),
      { numRuns: 60 },
    )
  })

  it('leaves older states alone', () => {
    const first = new OrderedMap().with(new Map(Array.from({ length: 2000 }, (_, index) => [key(index), Buffer.from('old')])))
    const before = all(first)
    first.with(new Map(Array.from({ length: 2000 }, (_, index) => [key(index), index % 3 === 0 ? undefined : Buffer.from('new')])))
    assert.deepEqual(all(first), before)
  })
})
