import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parsePullspec, repositoryPath } from '../pullspec/index.ts'
import { InvalidMirrorError, type MirrorRule, type MirrorSets, noMirrors, readMirrors } from './mirrors.ts'

const digest = `sha256:${'a'.repeat(64)}`

function places(sets: MirrorSets, pullspec: string): readonly string[] {
  return readMirrors(sets).placesOf(parsePullspec(pullspec)).map(repositoryPath)
}

function digestPlaces(rules: readonly MirrorRule[], repository: string): readonly string[] {
  return places({ digests: rules }, `${repository}@${digest}`)
}

describe('mirrors', () => {
  it('are asked in order, and the source last', () => {
    const rule = { source: 'example.com/ocp/release', mirrors: ['one.local/a', 'two.local:5000/b/c'] }
    assert.deepEqual(digestPlaces([rule], 'example.com/ocp/release'), ['one.local/a', 'two.local:5000/b/c', 'example.com/ocp/release'])
  })

  it('keep what the source does not cover of the path', () => {
    assert.deepEqual(digestPlaces([{ source: 'example.com', mirrors: ['one.local'] }], 'example.com/ocp/release'), [
      'one.local/ocp/release',
      'example.com/ocp/release',
    ])
    assert.deepEqual(digestPlaces([{ source: 'example.com/ocp', mirrors: ['one.local/x'] }], 'example.com/ocp/release'), [
      'one.local/x/release',
      'example.com/ocp/release',
    ])
  })

  it('cover whole components of a path only', () => {
    assert.deepEqual(digestPlaces([{ source: 'example.com/ocp', mirrors: ['one.local'] }], 'example.com/ocpx/a'), ['example.com/ocpx/a'])
    assert.deepEqual(digestPlaces([{ source: 'example.com', mirrors: ['one.local'] }], 'example.com.evil.org/a'), [
      'example.com.evil.org/a',
    ])
  })

  it('of the most specific source are asked, and no others', () => {
    const rules = [
      { source: 'example.com', mirrors: ['host.local'] },
      { source: '*.com', mirrors: ['domain.local'] },
      { source: 'example.com/ocp', mirrors: ['folder.local'] },
    ]
    assert.deepEqual(digestPlaces(rules, 'example.com/ocp/release'), ['folder.local/release', 'example.com/ocp/release'])
    assert.deepEqual(digestPlaces(rules, 'example.com/other'), ['host.local/other', 'example.com/other'])
    assert.deepEqual(digestPlaces(rules, 'elsewhere.com/other'), ['domain.local/other', 'elsewhere.com/other'])
  })

  it('of a domain are those of every host in it, not of the domain itself', () => {
    const rules = [{ source: '*.example.com', mirrors: ['one.local/x'] }]
    assert.deepEqual(digestPlaces(rules, 'a.b.example.com/c'), ['one.local/x/c', 'a.b.example.com/c'])
    assert.deepEqual(digestPlaces(rules, 'example.com/c'), ['example.com/c'])
    assert.deepEqual(digestPlaces(rules, 'badexample.com/c'), ['badexample.com/c'])
  })

  it('of one source in several rules are taken together', () => {
    const rules = [
      { source: 'example.com', mirrors: ['one.local'] },
      { source: 'example.com', mirrors: ['two.local', 'one.local'] },
    ]
    assert.deepEqual(digestPlaces(rules, 'example.com/a'), ['one.local/a', 'two.local/a', 'example.com/a'])
  })

  it('may be all that is asked', () => {
    const rule = { source: 'example.com', mirrors: ['one.local'], mirrorSourcePolicy: 'NeverContactSource' } as const
    assert.deepEqual(digestPlaces([rule], 'example.com/a'), ['one.local/a'])
  })

  it('may name the source itself, to say when it is asked', () => {
    const rule = { source: 'example.com', mirrors: ['example.com', 'one.local'] }
    assert.deepEqual(digestPlaces([rule], 'example.com/a'), ['example.com/a', 'one.local/a'])
  })

  it('for digests are not asked for tags, and the other way round', () => {
    const rule = { source: 'example.com', mirrors: ['one.local'] }
    assert.deepEqual(places({ digests: [rule] }, 'example.com/a:1'), ['example.com/a'])
    assert.deepEqual(places({ tags: [rule] }, `example.com/a@${digest}`), ['example.com/a'])
    assert.deepEqual(places({ tags: [rule] }, 'example.com/a:1'), ['one.local/a', 'example.com/a'])
    assert.deepEqual(places({ digests: [rule] }, `example.com/a:1@${digest}`), ['one.local/a', 'example.com/a'])
  })

  it('that would be a host without a path are left out', () => {
    assert.deepEqual(digestPlaces([{ source: 'example.com/a', mirrors: ['one.local'] }], 'example.com/a'), ['example.com/a'])
  })

  it('need not be', () => {
    assert.deepEqual(noMirrors.placesOf(parsePullspec('example.com/a:1')).map(repositoryPath), ['example.com/a'])
  })

  for (const [rule, field] of [
    [{ source: 'example.com/', mirrors: [] }, 'digests[0].source'],
    [{ source: 'https://example.com', mirrors: [] }, 'digests[0].source'],
    [{ source: 'example.com', mirrors: ['one.local', '*.local'] }, 'digests[0].mirrors[1]'],
    [{ source: 'example.com', mirrors: [], mirrorSourcePolicy: 'NeverContactSource' }, 'digests[0].mirrors'],
  ] satisfies [MirrorRule, string][]) {
    it(`that cannot be used are refused by field: ${field} of ${rule.source}`, () => {
      assert.throws(
        () => readMirrors({ digests: [rule] }),
        (error) => error instanceof InvalidMirrorError && error.field === field && error.message.startsWith(`${field}: `),
      )
    })
  }
})
