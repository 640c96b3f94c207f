import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConnectionError } from '../transport/transport.ts'
import * as errors from './errors.ts'
import { ApiError, isTransient, isUnknownKind } from './errors.ts'
import { refusal } from './refusal.ts'

const request = 'GET /api/v1/pods'
const error = (code: number, reason: string, more: object = {}): ApiError =>
  new ApiError({ code, reason, message: 'why', ...more }, request)

const guards = {
  isNotFound: errors.isNotFound,
  isAlreadyExists: errors.isAlreadyExists,
  isConflict: errors.isConflict,
  isInvalid: errors.isInvalid,
  isExpired: errors.isExpired,
  isForbidden: errors.isForbidden,
  isNamespaceEnding: errors.isNamespaceEnding,
  isUnauthorized: errors.isUnauthorized,
  isThrottled: errors.isThrottled,
  isTooLargeResourceVersion: errors.isTooLargeResourceVersion,
  isServerTimeout: errors.isServerTimeout,
}

const tooLarge = {
  details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
}

const ending = { details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] } }

describe('an error by its reason', () => {
  for (const [code, reason, expected, more = {}] of [
    [404, 'NotFound', ['isNotFound']],
    [409, 'AlreadyExists', ['isAlreadyExists']],
    [409, 'Conflict', ['isConflict']],
    [422, 'Invalid', ['isInvalid']],
    [410, 'Expired', ['isExpired']],
    [410, 'Gone', ['isExpired']],
    [403, 'Forbidden', ['isForbidden']],
    [403, 'Forbidden', ['isForbidden', 'isNamespaceEnding'], ending],
    [401, 'Unauthorized', ['isUnauthorized']],
    [429, 'TooManyRequests', ['isThrottled']],
    [504, 'Timeout', ['isTooLargeResourceVersion', 'isServerTimeout'], tooLarge],
    [500, 'ServerTimeout', ['isServerTimeout']],
    [500, 'InternalError', []],
    [502, '', []],
    [410, '', ['isExpired']],
  ] satisfies [number, string, string[], object?][]) {
    it(`N2 ${code} ${reason}: ${expected.join(', ') || 'none in particular'}`, () => {
      const fits = Object.entries(guards).filter(([, guard]) => guard(error(code, reason, more)))
      assert.deepEqual(
        fits.map(([name]) => name),
        expected,
      )
    })
  }

  it('N2 nothing but an ApiError is one', () => {
    for (const other of [new Error('404'), undefined, null, { code: 404, reason: 'NotFound' }, new ConnectionError('x', '')]) {
      assert.deepEqual(
        Object.values(guards).filter((guard) => guard(other)),
        [],
      )
    }
  })

  it('N1 a kind that the server does not know says nothing about objects', () => {
    for (const unknown of [
      refusal({ status: 404, headers: {}, body: Buffer.from('404 page not found\n') }, request),
      error(404, 'NotFound', { message: 'the server could not find the requested resource', details: {} }),
    ]) {
      assert.deepEqual([isUnknownKind(unknown), errors.isNotFound(unknown)], [true, false])
    }
    assert.equal(isUnknownKind(error(404, 'NotFound')), false)
  })

  it('N2 may pass by itself when there was no answer or when the server blames itself', () => {
    const passing = [429, 500, 502, 503, 504]
    const lasting = [400, 401, 403, 404, 405, 409, 410, 413, 415, 422]
    assert.deepEqual(
      [...passing, ...lasting].filter((code) => isTransient(error(code, ''))),
      passing,
    )
    assert.equal(isTransient(new ConnectionError('x', 'ECONNRESET')), true)
    assert.equal(isTransient(new Error('a bug')), false)
  })
})

describe('an answer that is a refusal', () => {
  const answered = (status: number, body: string, headers = {}): ApiError => refusal({ status, headers, body: Buffer.from(body) }, request)

  it('N2 is made an error with everything that its Status says', () => {
    const details = {
      name: 'a',
      kind: 'Widget',
      causes: [
        { reason: 'FieldValueInvalid', message: 'must be at least 0', field: 'spec.replicas' },
        { reason: 'FieldValueRequired', message: 'is missing', field: 'spec.color' },
      ],
      retryAfterSeconds: 3,
    }
    const status = { kind: 'Status', code: 422, reason: 'Invalid', message: 'Widget "a" is invalid', details, metadata: { continue: 'on' } }
    const made = answered(422, JSON.stringify(status))
    const { name, message, code, reason, causes, retryAfterSeconds, continueToken } = made
    assert.deepEqual(
      { name, message, code, reason, causes, retryAfterSeconds, continueToken, request: made.request },
      {
        name: 'ApiError',
        message: 'Widget "a" is invalid',
        code: 422,
        reason: 'Invalid',
        causes: details.causes,
        retryAfterSeconds: 3,
        continueToken: 'on',
        request,
      },
    )
  })

  it('N2 of a proxy is quoted, as far as it is short', () => {
    const html = `<html>\n  <body>${'Bad gateway. '.repeat(100)}</body></html>`
    const made = answered(502, html)
    assert.deepEqual([made.code, made.reason], [502, ''])
    assert.match(made.message, /^GET \/api\/v1\/pods was answered with 502 Bad Gateway: <html> <body>Bad gateway\. .{150,220}…$/)
    assert.equal(answered(503, '', { 'retry-after': '7' }).retryAfterSeconds, 7)
    assert.equal(answered(503, '').message, 'GET /api/v1/pods was answered with 503 Service Unavailable')
    assert.equal(answered(599, '{"a":1}').message, 'GET /api/v1/pods was answered with 599: {"a":1}')
  })

  it('N2 has words even when the server has none', () => {
    assert.equal(answered(500, '{"kind":"Status"}').message, 'GET /api/v1/pods was refused with 500 and no word why')
  })
})
