import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { intersection } from './object-index.ts'
import { ObjectStore, type Place } from './object-store.ts'
import { aWidget, type Widget } from './testing/widgets.ts'

const byColor = ({ spec }: Widget): readonly string[] => (spec.color === undefined ? [] : [spec.color])
const byLetters = ({ spec }: Widget): readonly string[] => (spec.note ?? '').split('')

function newStore(problems: unknown[] = []): ObjectStore<Widget> {
  const store = new ObjectStore<Widget>((error) => problems.push(error))
  store.addIndex(byColor)
  store.addIndex(byLetters)
  return store
}

const found = (places: Iterable<Place<Widget>>): readonly string[] =>
  Array.from(places, ({ object: { metadata } }) => `${metadata.namespace}/${metadata.name} ${metadata.resourceVersion}`).toSorted()

test('N6 indexes follow every change in the same step, whatever the changes', () => {
  const change = fc.record({
    path: fc.constantFrom('a', 'b', 'c', 'team/a', 'team/b'),
    spec: fc.option(
      fc.record({ color: fc.constantFrom('red', 'green', 'blue'), note: fc.constantFrom('', 'x', 'xy', 'yz', 'xx') }, { requiredKeys: [] }),
      { nil: undefined },
    ),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40, size: 'max' }), (changes) => {
      const store = newStore()
      const model = new Map<string, Widget>()
      for (const [index, { path, spec }] of changes.entries()) {
        const object = aWidget(path, index, spec)
        const place = store.place(object)
        if (spec !== undefined) {
          store.put(object)
          model.set(path, object)
        } else if (place !== undefined) {
          store.remove(place)
          model.delete(path)
        }
        const expected = (isIn: (object: Widget) => boolean): readonly string[] =>
          found(Array.from(model.values(), (each) => ({ object: each })).filter((each) => isIn(each.object)))
        assert.equal(store.size, model.size)
        assert.deepEqual(
          found(store.places()),
          expected(() => true),
        )
        for (const namespace of ['default', 'team', 'none']) {
          assert.deepEqual(
            found(store.places(namespace)),
            expected(({ metadata }) => metadata.namespace === namespace),
          )
        }
        for (const color of ['red', 'green', 'blue']) {
          const colored = store.index(byColor)?.places(color) ?? new Set()
          assert.deepEqual(
            found(colored),
            expected((each) => byColor(each).includes(color)),
          )
          for (const letter of ['x', 'y']) {
            const lettered = store.index(byLetters)?.places(letter) ?? new Set()
            const both = intersection<Widget>([colored, lettered]).map((each) => ({ object: each }))
            assert.deepEqual(
              found(both),
              expected((each) => byColor(each).includes(color) && byLetters(each).includes(letter)),
            )
          }
        }
      }
    }),
  )
})

test('N6 several indexes are looked through from the smallest, asking the others', () => {
  const place = (name: string): Place<Widget> => ({ object: aWidget(name, 1) })
  const [a, b, c] = [place('a'), place('b'), place('c')]
  const many = Object.assign(new Set([a, b, c]), {
    [Symbol.iterator](): never {
      throw new Error('the larger set was looked through')
    },
  })
  assert.deepEqual(intersection<Widget>([many, new Set([b])]), [b.object])
  assert.deepEqual(intersection<Widget>([many, new Set()]), [])
})

test('N6 a function of an index that fails is told, and its object is in no list of that index', () => {
  const problems: unknown[] = []
  const store = new ObjectStore<Widget>((error) => problems.push(error))
  const fussy = ({ spec }: Widget): readonly string[] => {
    if (spec.color === undefined) throw new Error('no color')
    return [spec.color]
  }
  store.addIndex(fussy)
  store.addIndex(byLetters)
  store.put(aWidget('a', 1, { color: 'red' }))
  store.put(aWidget('a', 2, { note: 'x' }))
  assert.equal(problems.length, 1)
  assert.deepEqual(found(store.index(fussy)?.places('red') ?? []), [])
  assert.deepEqual(found(store.index(byLetters)?.places('x') ?? []), ['default/a 2'])
})

test('N4 lists hold the objects themselves; the list of all is the same until something changes', () => {
  const store = newStore()
  const a = aWidget('a', 1)
  store.put(a)
  const all = store.all()
  assert.equal(all[0], a)
  assert.equal(store.all(), all)
  store.put(aWidget('b', 2))
  assert.equal(all.length, 1)
  assert.equal(store.all().length, 2)
})
