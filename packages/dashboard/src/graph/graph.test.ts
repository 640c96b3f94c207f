import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { componentsAt } from '../testing/components.ts'
import { layersOf, layoutOf, usualMeasures } from './index.ts'

const part = (name: string, ...dependencies: readonly string[]) => ({ name, dependencies })

describe('layers of components', () => {
  it('come after everything that they wait for', () => {
    const { layers } = layersOf([part('c', 'a', 'b'), part('b', 'a'), part('a')])
    assert.deepEqual(layers, [['a'], ['b'], ['c']])
  })

  it('are not tied by what follows from other ties', () => {
    const { edges } = layersOf([part('etcd'), part('kube-apiserver', 'etcd'), part('scheduler', 'etcd', 'kube-apiserver')])
    assert.deepEqual(edges, [
      { from: 'etcd', to: 'kube-apiserver' },
      { from: 'kube-apiserver', to: 'scheduler' },
    ])
  })

  it('leave out strangers, and one tie of a circle', () => {
    const { layers, edges } = layersOf([part('a', 'b', 'nobody'), part('b', 'a')])
    assert.deepEqual(layers.flat().toSorted(), ['a', 'b'])
    assert.equal(edges.length, 1)
    assert.deepEqual(layersOf([part('a', 'a')]), { layers: [['a']], edges: [] })
  })
})

const someComponents = fc
  .uniqueArray(fc.constantFrom(...'abcdefghijklmnopqrst'.split('')), { minLength: 1, maxLength: 20 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.subarray([...names, 'stranger'], { maxLength: Math.min(4, names.length + 1) }).map((dependencies) => ({ name, dependencies })),
      ),
    ),
  )

describe('the picture of components', () => {
  it('has each of them once, none over another, and all within its frame', () => {
    fc.assert(
      fc.property(someComponents, (components) => {
        const { nodes, width, height } = layoutOf(components)
        assert.deepEqual(nodes.map(({ name }) => name).toSorted(), components.map(({ name }) => name).toSorted())
        for (const [index, node] of nodes.entries()) {
          assert.ok(node.x >= 0 && node.y >= 0 && node.x + usualMeasures.width <= width && node.y + usualMeasures.height <= height)
          for (const other of nodes.slice(index + 1)) {
            const isApart = Math.abs(node.x - other.x) >= usualMeasures.width || Math.abs(node.y - other.y) >= usualMeasures.height
            assert.ok(isApart, `${node.name} and ${other.name} overlap`)
          }
        }
      }),
    )
  })

  it('leads from left to right', () => {
    fc.assert(
      fc.property(someComponents, (components) => {
        const { nodes, edges } = layoutOf(components)
        const places = new Map(nodes.map((node) => [node.name, node.x]))
        for (const { from, to } of edges) for (const name of to) assert.ok((places.get(from) ?? 0) < (places.get(name) ?? 0))
      }),
    )
  })

  it('does not move while an update rolls through it', () => {
    const before = layoutOf(componentsAt('4.19.14', '4.20.8', new Set(), 'etcd'))
    const later = layoutOf(componentsAt('4.19.14', '4.20.8', new Set(['etcd', 'kube-apiserver']), 'router'))
    assert.deepEqual(later, before)
  })

  it('ties those that wait for the same by one line', () => {
    const many = Array.from({ length: 20 }, (_, index) => part(`operator-${index}`, 'kube-apiserver'))
    const { edges, groups } = layoutOf([part('kube-apiserver'), ...many])
    assert.equal(edges.length, 1)
    assert.equal(groups.filter(({ isFramed }) => isFramed).length, 1)
  })

  it('of nothing is nothing', () => assert.deepEqual(layoutOf([]), { width: 0, height: 0, nodes: [], groups: [], edges: [] }))
})
