import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ApiError, type Status } from '../errors/api-error.ts'
import { parseAccept } from './accept.ts'
import { bodyFormat, patchFormat } from './content-type.ts'
import { type Answer, negotiate, negotiateDiscovery } from './negotiate.ts'
import { shouldCompress, wantsPretty } from './presentation.ts'

const customList: Answer = { shape: 'list', isCustom: true }
const builtInList: Answer = { shape: 'list', isCustom: false }
const plain = { encoding: 'json', version: 'v1' }

function refusal(act: () => unknown): Status {
  try {
    act()
  } catch (error) {
    if (error instanceof ApiError) return error.status
    throw error
  }
  throw new assert.AssertionError({ message: 'nothing was refused' })
}

test('NE-001 NE-005 absent, any, JSON, and protobuf before JSON mean JSON', () => {
  for (const accept of [undefined, '', '*/*', 'application/*', 'application/json; charset=utf-8']) {
    assert.deepEqual(negotiate(accept, builtInList), plain)
  }
  assert.deepEqual(negotiate('application/vnd.kubernetes.protobuf,application/json', customList), plain)
})

test('NE-002 NE-004 nothing we can make: custom resources and built-in kinds say it differently', () => {
  const custom = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'only the following media types are accepted: application/json',
    reason: 'NotAcceptable',
    code: 406,
  }
  assert.deepEqual(
    refusal(() => negotiate('text/html', customList)),
    custom,
  )
  assert.deepEqual(
    refusal(() => negotiate('image/png, text/plain', customList)),
    custom,
  )
  assert.deepEqual(
    refusal(() => negotiate('application/vnd.kubernetes.protobuf', customList)),
    custom,
  )
  const builtIn = refusal(() => negotiate('text/html', builtInList))
  assert.match(builtIn.message ?? '', /^406: Not Acceptable/)
  assert.deepEqual(builtIn.details, {})
})

test('TA-004 TA-005 the first Table version listed wins', () => {
  const kubectl = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json'
  assert.deepEqual(negotiate(kubectl, customList), { encoding: 'json', as: 'Table', version: 'v1' })
  const older = 'application/json;as=Table;v=v1beta1;g=meta.k8s.io'
  assert.deepEqual(negotiate(older, { shape: 'object', isCustom: false }), { encoding: 'json', as: 'Table', version: 'v1beta1' })
})

test('TA-006 unknown versions, groups and forms are passed over', () => {
  for (const form of ['as=Table;v=v9;g=meta.k8s.io', 'as=Table;v=v1;g=example.com', 'as=Chair;v=v1;g=meta.k8s.io']) {
    assert.equal(
      refusal(() => negotiate(`application/json;${form}`, builtInList)).message?.startsWith('only the following media types'),
      true,
    )
    assert.deepEqual(negotiate(`application/json;${form},application/json`, customList), plain)
  }
})

test('TA-021 TA-022 TA-025 partial forms go with the right answers only', () => {
  const one = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
  const many = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json'
  assert.equal(negotiate(one, { shape: 'object', isCustom: true }).as, 'PartialObjectMetadata')
  assert.equal(
    negotiate(`${one},application/json`, { shape: 'watch', isCustom: true, sendsInitialEvents: true }).as,
    'PartialObjectMetadata',
  )
  assert.equal(negotiate(many, customList).as, 'PartialObjectMetadataList')
  assert.equal(refusal(() => negotiate(one, customList)).code, 406)
  assert.equal(refusal(() => negotiate(many, { shape: 'object', isCustom: true })).code, 406)
})

test('TA-027 an answer that is no resource has no Table', () => {
  const status = refusal(() => negotiate('application/json;as=Table;v=v1;g=meta.k8s.io', { shape: 'other', isCustom: false }))
  assert.equal(status.message, 'only the following media types are accepted: application/json')
})

test('C6 a watch that begins with the present state cannot be a Table', () => {
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  assert.equal(negotiate(table, { shape: 'watch', isCustom: true }).as, 'Table')
  assert.equal(refusal(() => negotiate(table, { shape: 'watch', isCustom: true, sendsInitialEvents: true })).code, 406)
  assert.deepEqual(negotiate('application/json;stream=watch', { shape: 'watch', isCustom: true }), plain)
})

const types = (header: string): readonly string[] => parseAccept(header).map(({ type, subtype }) => `${type}/${subtype}`)

test('quality decides before order, wildcards come last, quality 0 is a refusal', () => {
  assert.deepEqual(types('*/*, a/b;q=0.5, c/*, d/e'), ['d/e', 'c/*', '*/*', 'a/b'])
  assert.deepEqual(types('a/b;q=0, c/d'), ['c/d'])
  assert.equal(negotiate('application/json;q=0.1,application/json;as=Table;v=v1;g=meta.k8s.io', customList).as, 'Table')
})

test('negotiation refuses with 406 or not at all', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('application/json;=*,q vTbl.')) }), (accept) => {
      try {
        negotiate(accept, customList)
      } catch (error) {
        assert.ok(error instanceof ApiError && error.code === 406)
      }
    }),
  )
})

const v2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

test('DI-009 DI-011 DI-015 aggregated discovery goes to clients that list v2, with or without a profile', () => {
  assert.equal(negotiateDiscovery(v2), 'aggregated')
  assert.equal(negotiateDiscovery(`${v2};profile=nopeer,${v2},application/json`), 'aggregated')
  assert.equal(negotiateDiscovery(`${v2.replace('v2', 'v2beta1')},application/json`), 'legacy')
  assert.equal(negotiateDiscovery(undefined), 'legacy')
  assert.equal(negotiateDiscovery('*/*'), 'legacy')
  assert.equal(refusal(() => negotiateDiscovery(v2.replace('v2', 'v2beta1'))).code, 406)
})

test('NE-015 NE-016 ER-007 the formats of bodies', () => {
  assert.equal(bodyFormat(undefined), 'json')
  assert.equal(bodyFormat('application/json; charset=utf-8'), 'json')
  assert.equal(bodyFormat('application/yaml'), 'yaml')
  assert.equal(bodyFormat('application/vnd.kubernetes.protobuf'), 'protobuf')
  for (const type of ['text/plain', 'application/cbor', 'application/x-www-form-urlencoded', 'application/xml']) {
    const status = refusal(() => bodyFormat(type))
    assert.equal(status.code, 415)
    assert.equal(status.reason, 'UnsupportedMediaType')
    assert.match(
      status.message ?? '',
      /^the body of the request was in an unknown format - accepted media types include: application\/json/,
    )
  }
})

test('PA-034 PA-035 PA-036 the formats of patches', () => {
  assert.equal(patchFormat('application/json-patch+json;charset=UTF-8', { isCustom: true }), 'json-patch')
  assert.equal(patchFormat('application/merge-patch+json', { isCustom: true }), 'merge-patch')
  assert.equal(patchFormat('application/apply-patch+yaml', { isCustom: false }), 'apply-patch')
  assert.equal(patchFormat('application/strategic-merge-patch+json', { isCustom: false }), 'strategic-merge-patch')
  for (const type of ['application/strategic-merge-patch+json', 'application/json', 'text/plain', undefined]) {
    assert.equal(
      refusal(() => patchFormat(type, { isCustom: true })).message,
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    )
  }
  const builtIn = refusal(() => patchFormat('application/json', { isCustom: false }))
  assert.equal(builtIn.message, '415: Unsupported Media Type')
  assert.deepEqual(builtIn.details, {})
})

test('NE-026 long answers are compressed for clients that accept it', () => {
  assert.equal(shouldCompress('gzip', 200_000), true)
  assert.equal(shouldCompress('deflate, gzip;q=0.5', 200_000), true)
  assert.equal(shouldCompress('gzip', 128 * 1024), false)
  assert.equal(shouldCompress(undefined, 200_000), false)
  assert.equal(shouldCompress('gzip;q=0, br', 200_000), false)
})

test('NE-027 people get indented answers', () => {
  assert.equal(wantsPretty('true', 'x'), true)
  assert.equal(wantsPretty(undefined, 'curl/8.0'), true)
  assert.equal(wantsPretty('false', 'curl/8.0'), false)
  assert.equal(wantsPretty(undefined, 'kubectl/v1.33'), false)
})
