import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ApiError } from '../errors/api-error.ts'
import { decodeToken, encodeToken } from './continue-token.ts'

function complaint(token: string): string {
  try {
    decodeToken(token)
  } catch (error) {
    assert.ok(error instanceof ApiError)
    assert.equal(error.code, 400)
    return error.message
  }
  return assert.fail('the token was accepted')
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

test('R6 a token is base64url of version, revision and start key, as client tests decode it', () => {
  const token = encodeToken({ revision: 42, start: 'default/a', remaining: undefined })
  assert.doesNotMatch(token, /[=+/]/)
  assert.deepEqual(JSON.parse(Buffer.from(token, 'base64url').toString('utf8')), {
    v: 'meta.k8s.io/v1',
    rv: 42,
    start: 'default/a\u0000',
  })
})

test('R6 any token survives the way to the client and back', () => {
  const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,40}[a-z0-9])?$/)
  const start = fc.tuple(name, name).map(([namespace, last]) => `${namespace}/${last}`)
  const token = fc.record({
    revision: fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
    start,
    remaining: fc.option(fc.nat(), { nil: undefined }),
  })
  fc.assert(fc.property(token, (each) => assert.deepEqual(decodeToken(encodeToken(each)), { ...each })))
})

const broken: readonly [what: string, token: string, why: RegExp][] = [
  ['that is no base64 of JSON', 'garbage!', /./],
  ['that is no object', encoded([1]), /./],
  [
    'of another version',
    encoded({ v: 'meta.k8s.io/v2', rv: 1, start: 'a\u0000' }),
    /server does not recognize this encoded version meta.k8s.io\/v2/,
  ],
  [
    'without a revision',
    encoded({ v: 'meta.k8s.io/v1', start: 'a\u0000' }),
    /incorrect encoded start resourceVersion \(version meta.k8s.io\/v1\)/,
  ],
  ['of revision 0', encoded({ v: 'meta.k8s.io/v1', rv: 0, start: 'a\u0000' }), /incorrect encoded start resourceVersion/],
  ['without a start', encoded({ v: 'meta.k8s.io/v1', rv: 1, start: '' }), /empty start key/],
  ['that climbs out of its collection', encoded({ v: 'meta.k8s.io/v1', rv: 1, start: '../secrets\u0000' }), /invalid start key/],
]

for (const [what, token, why] of broken) {
  test(`R6 a token ${what} is 400`, () => {
    const message = complaint(token)
    assert.ok(message.startsWith('invalid continue token: continue key is not valid: '), message)
    assert.match(message, why)
  })
}
