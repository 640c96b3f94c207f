import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { difference, fieldAt, has, intersection, isEmpty, leaf, noFields, paths, sorted, union, without, type Fields } from './fields.ts'

type Path = readonly string[]

const element = fc.constantFrom('f:a', 'f:b', 'k:{"name":"x"}', 'v:"y"')
const path = fc.array(element, { minLength: 1, maxLength: 4 })
const pathList = fc.uniqueArray(path, { maxLength: 8, selector: (each) => each.join('/') })

const at = (elements: Path): Fields => elements.reduceRight<Fields>((below, name) => ({ [name]: below }), leaf)
const setOf = (members: readonly Path[]): Fields => members.map(at).reduce(union, noFields)
const listOf = (set: Fields): readonly string[] => [...paths(set)].map((each) => each.join('/')).toSorted()
const textsOf = (members: readonly Path[]): readonly string[] => members.map((each) => each.join('/')).toSorted()

function isBelow(inner: Path, outer: Path): boolean {
  return outer.every((name, index) => inner[index] === name)
}

describe('sets of fields', () => {
  it('are what was put into them', () => {
    fc.assert(
      fc.property(pathList, path, (members, other) => {
        const set = setOf(members)
        assert.deepEqual(listOf(set), textsOf(members))
        assert.equal(has(set, other), textsOf(members).includes(other.join('/')))
        assert.equal(isEmpty(set), members.length === 0)
      }),
    )
  })

  it('unite, intersect and subtract like sets of paths', () => {
    fc.assert(
      fc.property(pathList, pathList, (a, b) => {
        const ours = new Set(textsOf(a))
        const theirs = new Set(textsOf(b))
        assert.deepEqual(listOf(union(setOf(a), setOf(b))), [...ours.union(theirs)].toSorted())
        assert.deepEqual(listOf(intersection(setOf(a), setOf(b))), [...ours.intersection(theirs)].toSorted())
        assert.deepEqual(listOf(difference(setOf(a), setOf(b))), [...ours.difference(theirs)].toSorted())
      }),
    )
  })

  it('lose everything below a field that is taken out with its children', () => {
    fc.assert(
      fc.property(pathList, pathList, (a, b) => {
        const kept = a.filter((member) => !b.some((outer) => isBelow(member, outer)))
        assert.deepEqual(listOf(without(setOf(a), setOf(b))), textsOf(kept))
      }),
    )
  })

  it('are the same reference when an operation leaves them alone', () => {
    fc.assert(
      fc.property(pathList, pathList, (a, b) => {
        const set = setOf(a)
        const apart = difference(setOf(b), set)
        const [part] = a
        assert.equal(difference(set, apart), set)
        assert.equal(union(set, set), set)
        if (part !== undefined) assert.equal(union(set, at(part)), set)
      }),
    )
  })

  it('have one form', () => {
    fc.assert(
      fc.property(pathList, pathList, (a, b) => {
        assert.deepEqual(sorted(union(setOf(a), setOf(b))), sorted(setOf([...b, ...a])))
        assert.deepEqual(sorted(difference(union(setOf(a), setOf(b)), setOf(b))), sorted(difference(setOf(a), setOf(b))))
      }),
    )
  })

  it('write an object that is owned itself with a dot, an empty or scalar one without', () => {
    const set = union(union(fieldAt(['spec']), fieldAt(['spec', 'replicas'])), fieldAt(['status', 'phase']))
    assert.deepEqual(set, { 'f:spec': { '.': {}, 'f:replicas': {} }, 'f:status': { 'f:phase': {} } })
    assert.deepEqual(difference(set, fieldAt(['spec', 'replicas'])), { 'f:spec': {}, 'f:status': { 'f:phase': {} } })
  })
})
