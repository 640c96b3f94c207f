import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { asDigest, DigestCheck, digestOf, InvalidDigestError, isDigest } from './digest.ts'
import { asPullspec, atDigest, canonicalPullspec, InvalidPullspecError, parsePullspec, repositoryPath } from './pullspec.ts'

const sha256 = `sha256:${'a1'.repeat(32)}`
const sha512 = `sha512:${'b2'.repeat(64)}`

describe('a pullspec', () => {
  for (const [text, registry, repository, tag, digest] of [
    ['example.com/ocp/release:4.20.1-x86_64', 'example.com', 'ocp/release', '4.20.1-x86_64', undefined],
    ['example.com:5000/release:v1', 'example.com:5000', 'release', 'v1', undefined],
    [`example.com/ocp/release@${sha256}`, 'example.com', 'ocp/release', undefined, sha256],
    [`example.com/ocp/release:4.20.1@${sha256}`, 'example.com', 'ocp/release', '4.20.1', sha256],
    [`example.com/a@${sha512}`, 'example.com', 'a', undefined, sha512],
    ['localhost/a', 'localhost', 'a', 'latest', undefined],
    ['[::1]:5000/a:b', '[::1]:5000', 'a', 'b', undefined],
    ['EXAMPLE.com/a:B', 'example.com', 'a', 'B', undefined],
    ['busybox', 'docker.io', 'library/busybox', 'latest', undefined],
    ['somebody/busybox:1', 'docker.io', 'somebody/busybox', '1', undefined],
    ['index.docker.io/somebody/busybox:1', 'docker.io', 'somebody/busybox', '1', undefined],
    ['localhost:5000', 'docker.io', 'library/localhost', '5000', undefined],
    ['example.com/a__b/c-d.e---f:1', 'example.com', 'a__b/c-d.e---f', '1', undefined],
  ] as const) {
    it(`${text.slice(0, 50)} is taken apart`, () => {
      assert.deepEqual(parsePullspec(text), { text, registry, repository, tag, digest })
    })
  }

  for (const [text, problem] of [
    ['', /is empty; write registry\/path:tag/],
    ['example.com/a b:1', /white space/],
    ['docker://example.com/a:1', /starts with docker:\/\/; leave that out/],
    ['https://example.com/a:1', /starts with https:\/\//],
    ['example.com/a@sha256:abc', /its digest "sha256:abc" is not a digest: expected sha256: and 64/],
    [`example.com/a@md5:${'a'.repeat(32)}`, /is not a digest/],
    [`example.com/a@${sha256}@${sha256}`, /more than one @/],
    ['example.com/a:-x', /its tag "-x" is none/],
    [`example.com/a:${'x'.repeat(129)}`, /its tag/],
    ['example.com//a:1', /a part of its path is empty/],
    ['example.com/Ocp/a:1', /"Ocp" cannot be in its path: lower-case/],
    ['example.com/a..b:1', /"a..b" cannot be in its path/],
    ['exa_mple.com/a:1', /"exa_mple.com" is not a host name/],
    ['example.com:99999/a:1', /there is no port 99999/],
    [`example.com/${'a'.repeat(250)}:1`, /longer than 255 characters/],
  ] as const) {
    it(`${JSON.stringify(text.slice(0, 40))} is refused, and the message names field, text and remedy`, () => {
      assert.throws(
        () => parsePullspec(text, 'spec.release.image'),
        (error) => {
          assert.ok(error instanceof InvalidPullspecError)
          assert.equal(error.field, 'spec.release.image')
          assert.ok(error.message.startsWith(`spec.release.image: "${text}" does not name an image: `))
          assert.match(error.message, problem)
          return true
        },
      )
    })
  }

  it('has a canonical form that stands for the same image', () => {
    const component = fc.stringMatching(/^[a-z0-9]{1,8}([._-][a-z0-9]{1,4})?$/)
    fc.assert(
      fc.property(
        fc.record({
          host: fc.constantFrom('', 'example.com/', 'localhost:5000/', 'docker.io/'),
          path: fc.array(component, { minLength: 1, maxLength: 3 }),
          tag: fc.option(fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,10}$/)),
          hasDigest: fc.boolean(),
        }),
        ({ host, path, tag, hasDigest }) => {
          const text = `${host}${path.join('/')}${tag === null ? '' : `:${tag}`}${hasDigest ? `@${sha256}` : ''}`
          const reference = parsePullspec(text)
          const canonical = canonicalPullspec(reference)
          assert.deepEqual({ ...parsePullspec(canonical), text }, reference)
          assert.equal(canonicalPullspec(parsePullspec(canonical)), canonical)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('2.1 is recorded as its repository and the digest', () => {
    const reference = parsePullspec('example.com/ocp/release:4.20.1')
    assert.equal(atDigest(reference, asDigest(sha256)), `example.com/ocp/release@${sha256}`)
    assert.equal(repositoryPath(reference), 'example.com/ocp/release')
    assert.equal(asPullspec('example.com/a:1'), 'example.com/a:1')
  })
})

describe('a digest', () => {
  it('is checked before it is believed', () => {
    assert.ok(isDigest(sha256))
    assert.ok(isDigest(sha512))
    for (const text of ['', 'sha256:', sha256.toUpperCase(), `${sha256}0`, `sha512:${'a'.repeat(64)}`]) {
      assert.throws(() => asDigest(text), InvalidDigestError)
    }
  })

  it('names the bytes that it was made from, in whatever pieces they come', () => {
    // The digest of no bytes at all is known to everybody.
    assert.equal(digestOf(Buffer.alloc(0)), 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    const check = new DigestCheck(digestOf(Buffer.from('abc')))
    for (const piece of ['a', '', 'bc']) check.update(Buffer.from(piece))
    assert.equal(check.actual(), check.expected)
  })
})
