import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { digestOf, isSameImage, isSameRelease, releaseProblem } from './index.ts'
import type { Release } from './index.ts'

const A = 'quay.io/r@sha256:aa'
const B = 'quay.io/r@sha256:bb'

describe('two releases are one', () => {
  const table: readonly (readonly [Release, Release, boolean])[] = [
    [{ version: '4.20.1', image: A }, { version: '4.20.1', image: A }, true],
    [{ version: '4.20.1', image: A }, { version: '4.20.1', image: B }, false],
    [{ version: '4.20.1', image: A }, { version: '4.20.2', image: A }, false],
    [{ version: '4.20.1', image: A }, { version: '4.20.2', image: B }, false],
    [{ version: '', image: A }, { version: '4.20.1', image: A }, true],
    [{ version: '4.20.1', image: '' }, { version: '4.20.1', image: A }, true],
    [{ version: '4.20.1', image: A }, { version: '', image: A }, true],
    [{ version: '4.20.1', image: A }, { version: '', image: B }, false],
    [{ version: '', image: '' }, { version: '4.20.1', image: A }, false],
    [{ version: '', image: '' }, { version: '', image: '' }, false],
    [{ version: '', image: A }, { version: '4.20.1', image: '' }, false],
  ]
  const shown = ({ version, image }: Release): string => `${version || 'no version'}/${image.at(-1)?.toUpperCase() ?? 'no image'}`
  for (const [a, b, expected] of table) {
    it(`${shown(a)} and ${shown(b)}: ${expected ? 'yes' : 'no'}`, () => assert.equal(isSameRelease(a, b), expected))
  }

  it('or not, whichever is named first', () => {
    const text = fc.constantFrom('', '4.20.1', '4.20.2')
    const image = fc.constantFrom('', A, B, 'mirror.local/r@sha256:aa', 'quay.io/r:4.20.1')
    const release = fc.record({ version: text, image })
    fc.assert(fc.property(release, release, (a, b) => assert.equal(isSameRelease(a, b), isSameRelease(b, a))))
  })
})

describe('two images are one', () => {
  it('V28 by their digest, wherever they come from', () => assert.ok(isSameImage('quay.io/r@sha256:1', 'mirror.local/r@sha256:1')))
  it('by their digest, with a tag or without', () => assert.ok(isSameImage('quay.io/r:4.20.1@sha256:1', 'quay.io/r@sha256:1')))
  it('when they are written alike', () => assert.ok(isSameImage('quay.io/r:4.20.1', 'quay.io/r:4.20.1')))
  it('V29 not when only one has a digest', () => assert.ok(!isSameImage('quay.io/r:4.20.1', 'quay.io/r@sha256:1')))
  it('not with tags of two registries', () => assert.ok(!isSameImage('quay.io/r:4.20.1', 'mirror.local/r:4.20.1')))
  it('not when nothing is known of them', () => assert.ok(!isSameImage('', '')))
})

describe('the digest of an image', () => {
  it('is what follows the at sign', () => assert.equal(digestOf('registry.local:5000/r@sha256:0aF1'), 'sha256:0aF1'))
  for (const image of ['quay.io/r:4.20.1', '', 'quay.io/r@', 'quay.io/r@latest', 'quay.io/r@sha256:', 'quay.io/r@sha256:xyz']) {
    it(`is not in ${JSON.stringify(image)}`, () => assert.equal(digestOf(image), undefined))
  }
})

describe('a release cannot be written', () => {
  const problem = (version: string, image = A): string | undefined => releaseProblem({ version, image })

  it('V25 without a version', () => assert.equal(problem(''), 'its version is not known'))
  it('V26 with two numbers only', () => assert.equal(problem('4.20'), 'its version "4.20" does not begin with three numbers, as in 4.20.1'))
  it('with a version of more than 64 characters', () =>
    assert.match(problem(`4.20.1-${'x'.repeat(58)}`) ?? '', /65 characters; at most 64/))
  it('without an image', () => assert.equal(problem('4.20.1', ''), 'its image is not known'))
  it('with an image of more than 447 characters', () =>
    assert.match(problem('4.20.1', 'x'.repeat(448)) ?? '', /448 characters; at most 447/))
  it('or it can', () => {
    for (const version of ['4.20.1', '4.21.0-0.nightly-2026-03-06-120000', `4.20.1-${'x'.repeat(57)}`])
      assert.equal(problem(version), undefined)
    assert.equal(problem('4.20.1', 'x'.repeat(447)), undefined)
  })
})
