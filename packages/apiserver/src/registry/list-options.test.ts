import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors/api-error.ts'
import { listOptions } from './list-options.ts'

function refusal(query: string, isWatch: boolean): ApiError {
  try {
    listOptions(new URLSearchParams(query), isWatch)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  return assert.fail(`${query} was accepted`)
}

const onLists: readonly [query: string, why: string][] = [
  ['resourceVersionMatch=Exact', 'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided'],
  [
    'resourceVersionMatch=NotOlderThan&continue=x&resourceVersion=1',
    'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
  ],
  [
    'resourceVersionMatch=Newest&resourceVersion=1',
    'resourceVersionMatch: Unsupported value: "Newest": supported values: "Exact", "NotOlderThan", ""',
  ],
  [
    'resourceVersionMatch=Exact&resourceVersion=0',
    'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
  ],
  ['sendInitialEvents=true', 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
]

for (const [query, why] of onLists) {
  test(`R3 a list with ${query} is 422`, () => {
    const { code, message } = refusal(query, false)
    assert.equal(code, 422)
    assert.equal(message, `ListOptions.meta.k8s.io "" is invalid: ${why}`)
  })
}

const onWatches: readonly [query: string, why: RegExp][] = [
  ['sendInitialEvents=true', /sendInitialEvents requires setting resourceVersionMatch to NotOlderThan/],
  ['sendInitialEvents=false&resourceVersionMatch=Exact', /sendInitialEvents requires setting resourceVersionMatch to NotOlderThan/],
  ['resourceVersionMatch=NotOlderThan', /resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided/],
]

for (const [query, why] of onWatches) {
  test(`R3 a watch with ${query} is 422`, () => {
    const { code, message } = refusal(query, true)
    assert.equal(code, 422)
    assert.match(message, /^ListOptions.meta.k8s.io "" is invalid: /)
    assert.match(message, why)
  })
}

test('R3 what a client asks for is read', () => {
  assert.deepEqual(listOptions(new URLSearchParams('limit=5&resourceVersion=7&resourceVersionMatch=Exact'), false), {
    limit: 5,
    token: undefined,
    revision: 7,
    match: 'Exact',
    sendInitialEvents: undefined,
    allowBookmarks: false,
    timeoutSeconds: undefined,
  })
  const watch = listOptions(
    new URLSearchParams('sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=30'),
    true,
  )
  assert.equal(watch.sendInitialEvents, true)
  assert.equal(watch.allowBookmarks, true)
  assert.equal(watch.timeoutSeconds, 30)
})

test('R5 a limit that is no number is 400, a negative one is none', () => {
  assert.equal(refusal('limit=many', false).message, 'strconv.ParseInt: parsing "many": invalid syntax')
  assert.equal(listOptions(new URLSearchParams('limit=-1'), false).limit, 0)
})
