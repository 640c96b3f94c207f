import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { aNodePool } from '@windlass/api/fixtures'
import { ensurePatch, equalJson } from './index.ts'
import { mergePatch, someObject } from './testing/json.ts'

const metadata = { name: 'a', namespace: 'default' }
const draft = (spec: object) => ({ metadata, spec })
const stored = (parts: object): Parameters<typeof ensurePatch>[0] => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { ...metadata, uid: '1', resourceVersion: '7' },
  ...parts,
})

describe('what a draft asks for and an object lacks', () => {
  it('N17 is nothing when the object has all of it, whatever else it has', () => {
    const pool = aNodePool()
    const { status: _, ...wanted } = pool
    assert.equal(ensurePatch(pool, wanted), undefined)
    assert.equal(ensurePatch(pool, { metadata: { name: 'other name', uid: 'other uid', resourceVersion: '0' } }), undefined)
    assert.equal(ensurePatch(stored({ spec: { a: { b: 1, c: 2 }, d: 3 } }), draft({ a: { b: 1 } })), undefined)
  })

  it('N17 is no more than what differs', () => {
    const wanted = draft({ a: { b: 5, c: 2 }, e: 1 })
    assert.deepEqual(ensurePatch(stored({ spec: { a: { b: 1, c: 2 }, d: 3 } }), wanted), { spec: { a: { b: 5 }, e: 1 } })
  })

  it('N17 once sent, is nothing any more; below what is owned, the object is the draft', () => {
    fc.assert(
      fc.property(someObject, someObject, fc.constantFrom([], ['spec'], ['spec.a']), (has, wants, owns) => {
        const wanted = draft(wants)
        const patch = ensurePatch(stored({ spec: has }), wanted, owns)
        const spec = mergePatch(has, patch?.['spec'] ?? {})
        assert.equal(ensurePatch(stored({ spec }), wanted, owns), undefined)
        if (owns[0] === 'spec') assert.deepEqual(spec, wants)
        if (patch === undefined) assert.equal(spec === has || equalJson(spec, has), true)
      }),
      { numRuns: 300 },
    )
  })

  it('N17 leaves status alone', () => {
    assert.equal(ensurePatch(stored({ status: { phase: 'Up' } }), { metadata, status: { phase: 'Down' } }), undefined)
  })

  it('N17 replaces a list that differs as a whole', () => {
    const wanted = draft({ list: [{ name: 'a' }, { name: 'c' }] })
    assert.deepEqual(ensurePatch(stored({ spec: { list: [{ name: 'a' }, { name: 'b' }] } }), wanted), {
      spec: { list: [{ name: 'a' }, { name: 'c' }] },
    })
    assert.deepEqual(ensurePatch(stored({ spec: { list: [{ name: 'a' }] } }), wanted), { spec: { list: [{ name: 'a' }, { name: 'c' }] } })
  })

  it('N17 is satisfied by elements that the server has put defaults into', () => {
    const wanted = draft({ containers: [{ name: 'a', image: 'x' }] })
    assert.equal(ensurePatch(stored({ spec: { containers: [{ name: 'a', image: 'x', imagePullPolicy: 'Always' }] } }), wanted), undefined)
  })

  it('N17 removes what the draft does not have, below what it owns and nowhere else', () => {
    const current = stored({ spec: { template: { labels: { a: '1', old: '2' }, taints: [{ key: 'a', value: 'b' }], other: { x: 1 } } } })
    const wanted = draft({ template: { labels: { a: '1' }, taints: [{ key: 'a' }], other: {} } })
    assert.equal(ensurePatch(current, wanted), undefined)
    assert.deepEqual(ensurePatch(current, wanted, ['spec.template.labels']), { spec: { template: { labels: { old: null } } } })
    assert.deepEqual(ensurePatch(current, wanted, ['spec.template.taints']), { spec: { template: { taints: [{ key: 'a' }] } } })
    assert.deepEqual(ensurePatch(current, wanted, ['spec.template']), {
      spec: { template: { labels: { old: null }, taints: [{ key: 'a' }], other: { x: null } } },
    })
    assert.deepEqual(ensurePatch(current, draft({ template: {} }), ['spec.template.labels']), {
      spec: { template: { labels: { a: null, old: null } } },
    })
  })

  it('N17 owns labels and annotations like any map, and nothing else of the metadata', () => {
    const current = stored({ metadata: { ...metadata, uid: '1', labels: { a: '1', b: '2' }, annotations: { c: '3' } } })
    assert.deepEqual(ensurePatch(current, { metadata: { ...metadata, labels: { a: '2' } } }), { metadata: { labels: { a: '2' } } })
    assert.deepEqual(ensurePatch(current, { metadata: { ...metadata, labels: { a: '1' } } }, ['metadata.labels']), {
      metadata: { labels: { b: null } },
    })
    assert.equal(ensurePatch(current, { metadata }, ['metadata']), undefined)
    assert.deepEqual(ensurePatch(current, { metadata }, ['metadata.annotations']), { metadata: { annotations: { c: null } } })
    assert.equal(
      ensurePatch(stored({}), { metadata: { ...metadata, labels: {}, annotations: {} } }),
      undefined,
      'servers leave out empty maps',
    )
  })

  it('N17 adds owners and finalizers to those of others, if they are still the ones that were seen', () => {
    const owner = { apiVersion: 'v1', kind: 'Thing', name: 'owner', uid: 'o', controller: true }
    const other = { apiVersion: 'v1', kind: 'Thing', name: 'other', uid: 'p' }
    const current = stored({ metadata: { ...metadata, resourceVersion: '7', ownerReferences: [other], finalizers: ['theirs'] } })
    const wanted = { metadata: { ...metadata, ownerReferences: [owner], finalizers: ['ours'] } }
    assert.deepEqual(ensurePatch(current, wanted), {
      metadata: { resourceVersion: '7', ownerReferences: [other, owner], finalizers: ['theirs', 'ours'] },
    })
    const both = stored({
      metadata: { ...metadata, ownerReferences: [other, { ...owner, blockOwnerDeletion: true }], finalizers: ['ours', 'theirs'] },
    })
    assert.equal(ensurePatch(both, wanted), undefined)
  })

  it('N17 adds no finalizer to an object on its way out: servers refuse it', () => {
    const current = stored({ metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['theirs'] } })
    assert.equal(ensurePatch(current, { metadata: { ...metadata, finalizers: ['ours'] } }), undefined)
  })
})
