import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNodePool } from '@windlass/api/fixtures'
import * as fc from 'fast-check'
import { Field } from './field.ts'
import { deepFreeze } from './freeze.ts'
import { Sharing } from './sharing.ts'
import { StringTable } from './string-table.ts'

/** As it comes from the wire: no part is shared with anything. */
function received<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

const aPool = (index: number, release = '4.19.6') =>
  received(aNodePool({ name: `workers-${index}`, release, metadata: { resourceVersion: String(index) } }))

test('N5 sharing does not change what an object says, and changes no object', () => {
  fc.assert(
    fc.property(
      fc.array(fc.object({ maxDepth: 4, maxKeys: 6, values: [fc.string(), fc.integer(), fc.boolean(), fc.constant(null)] })),
      (objects) => {
        const sharing = new Sharing(new StringTable())
        let old: object | undefined
        for (const object of objects) {
          const frozen = deepFreeze(received(object))
          const shared = sharing.share(frozen, old)
          assert.deepEqual(shared, received(object))
          old = shared
        }
      },
    ),
  )
})

test('N5 equal parts of objects of a kind are one part', () => {
  const sharing = new Sharing(new StringTable())
  const first = sharing.share(aPool(1), undefined)
  const second = sharing.share(aPool(2), undefined)
  assert.notEqual(first, second)
  assert.equal(second.spec.platform, first.spec.platform)
  assert.equal(second.spec.management, first.spec.management)
  assert.equal(second.status?.conditions, first.status?.conditions)
})

test('N5 parts that did not change are the same parts in the new state', () => {
  const sharing = new Sharing(new StringTable())
  const old = sharing.share(aPool(1), undefined)
  const changed = received({ ...old, metadata: { ...old.metadata, resourceVersion: '2' }, spec: { ...old.spec, replicas: 9 } })
  const next = sharing.share(changed, old)
  assert.notEqual(next.spec, old.spec)
  assert.equal(next.spec.replicas, 9)
  assert.equal(next.spec.platform, old.spec.platform)
  assert.equal(next.status, old.status)
})

test('N5 … also when many others have come in between', () => {
  const sharing = new Sharing(new StringTable())
  const old = sharing.share(aPool(1, '4.18.1'), undefined)
  for (let index = 2; index < 20; index++) sharing.share(aPool(index, `4.19.${index}`), undefined)
  const next = sharing.share(received({ ...old, metadata: { ...old.metadata, resourceVersion: '99' } }), old)
  assert.equal(next.spec, old.spec)
  assert.equal(next.status, old.status)
})

test('N5 a string is kept once, however often it comes, and forgotten when many others have come', () => {
  const table = new StringTable()
  const image = 'example.com/ocp/release:4.19.6'
  assert.equal(table.find(image), undefined)
  assert.equal(table.find(image), image)
  for (let index = 0; index < 200_000; index++) {
    table.find(`something else ${index}`)
    if (index % 10_000 === 0) assert.equal(table.find(image), image)
  }
  assert.ok(table.size < 30_000, `${table.size} strings of 20 characters`)
  for (let index = 0; index < 150_000; index++) table.find(`something new ${index}`)
  assert.equal(table.find(image), undefined)
})

test('N5 strings that are shared already, and very long ones, are not looked up', () => {
  const table = new StringTable()
  assert.equal(table.takes('True'), false)
  assert.equal(table.takes('UpdatingVersion'), true)
  assert.equal(table.takes('x'.repeat(5000)), false)
})

test('N5 a field whose values never repeat is left alone for a while, then looked at again', () => {
  const field = new Field()
  for (let index = 0; index < 256; index++) {
    assert.equal(field.isWorthALook(), true)
    field.learn(index % 16 === 0)
  }
  let skipped = 0
  while (!field.isWorthALook()) skipped++
  assert.equal(skipped, 8192)
})

test('N5 a field whose values repeat is looked at every time', () => {
  const field = new Field()
  for (let index = 0; index < 5000; index++) {
    assert.equal(field.isWorthALook(), true)
    field.learn(index % 4 === 0)
  }
})

test('N5 a map with ever new keys does not make the knowledge about fields grow without end', () => {
  const field = new Field()
  const fields = new Set(Array.from({ length: 1000 }, (_, index) => field.field(`key-${index}`)))
  assert.ok(fields.size <= 65)
  assert.equal(field.field('key-1'), field.field('key-1'))
})

test('N5 a frozen object is frozen all the way down', () => {
  const pool = deepFreeze(aPool(1))
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    assert.ok(Object.isFrozen(value))
    Object.values(value).forEach(visit)
  }
  visit(pool)
})
