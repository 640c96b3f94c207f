import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { imageOverridesOf } from './image-overrides.ts'
import { aControlPlaneOn } from './testing/index.ts'

const read = (text: string) =>
  imageOverridesOf(aControlPlaneOn('None', { annotations: { 'hypershift.openshift.io/image-overrides': text } }))
const images = (text: string) => Object.fromEntries(read(text).images)
const digest = `sha256:${'a1'.repeat(32)}`

describe('images in the place of those of the release', () => {
  it('1.9 are pairs with commas between them', () => {
    assert.deepEqual(images('ovn-kubernetes=example.com/ovn:1'), { 'ovn-kubernetes': 'example.com/ovn:1' })
    assert.deepEqual(images(`cli=example.com:5000/cli@${digest}, etcd=example.com/etcd:2\n`), {
      cli: `example.com:5000/cli@${digest}`,
      etcd: 'example.com/etcd:2',
    })
  })

  it('are none without the annotation, or without a value in it', () => {
    assert.deepEqual(imageOverridesOf(aControlPlaneOn('None')), { images: new Map(), problem: undefined })
    for (const text of ['', ' ']) assert.deepEqual(read(text), { images: new Map(), problem: undefined })
  })

  for (const [what, text, part, problem] of [
    ['without a name', '=example.com/a:1', '=example.com/a:1', /is not name=image: write the name of an image in the release/],
    ['without an image', 'etcd', 'etcd', /is not name=image/],
    ['without an image behind the sign', 'etcd=', 'etcd=', /does not name an image: it is empty; write registry\/path:tag/],
    ['behind the last comma', 'etcd=example.com/a:1,', '', /is not name=image: .*, with commas between such pairs/],
    ['with a repository for a name', 'quay.io/a=example.com/a', 'quay.io/a=example.com/a', /is not name=image/],
    ['with spaces', 'etcd = example.com/a:1', 'etcd = example.com/a:1', /is not name=image/],
    ['with semicolons', 'etcd=example.com/a:1;cli=b', 'etcd=example.com/a:1;cli=b', /does not name an image: its tag "1;cli=b" is none/],
    ['with half a digest', 'etcd=example.com/a@sha256:12', 'etcd=example.com/a@sha256:12', /does not name an image: its digest/],
    ['about the same image', 'etcd=a,etcd=b', 'etcd=b', /was named before; leave one of them out/],
  ] as const) {
    it(`are refused ${what}, with the annotation, the part and the remedy`, () => {
      const { problem: told = '' } = read(text)
      assert.ok(told.startsWith(`annotation hypershift.openshift.io/image-overrides: "${part}" `), told)
      assert.match(told, problem)
    })
  }

  it('are refused as a whole, with all that is wrong: what can be read of them is not what was asked for', () => {
    const { images: left, problem = '' } = read('cli=example.com/cli:1,etcd,ovn-kubernetes=a b')
    assert.equal(left.size, 0)
    assert.match(problem, /"etcd" is not name=image.*; annotation .*: "ovn-kubernetes=a b" does not name an image: it has white space/)
  })

  it('are refused in few words, however long they are: a condition holds only so much', () => {
    const { problem = '' } = read(`${'x'.repeat(10_000)},`.repeat(20))
    assert.match(problem, /"x+…" is not name=image: write /)
    assert.ok(problem.length < 2_100, `${problem.length}`)
  })

  it('are read or refused, whatever is written', () => {
    const word = fc.oneof(fc.string(), fc.constantFrom('etcd', '=', ',', ' ', 'example.com/a:1', '@', ':', '/'))
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 8 }).map((words) => words.join('')),
        (text) => {
          const { images: all, problem } = read(text)
          if (problem !== undefined) assert.equal(all.size, 0)
          else assert.equal(text.trim() === '' ? 0 : text.split(',').length, all.size)
        },
      ),
      { seed: 10, numRuns: 500 },
    )
  })
})
