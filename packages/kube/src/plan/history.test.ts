import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FinishedPass, History, plan, status, wait } from './index.ts'
import { Recent } from './recent.ts'
import { aStoredWidget, Widget } from './testing/index.ts'

const ref = { namespace: 'default', name: 'a' }
const key = 'default/a'
const noon = Date.UTC(2026, 0, 1, 12)

function aPass(number: number, parts: Partial<FinishedPass> = {}): FinishedPass {
  return { reconcileID: `id-${number}`, startedAt: noon + number * 1_000, milliseconds: 2, result: 'success', ...parts }
}

describe('history', () => {
  it('N20 says what was decided and why, what came of it, and what it waits for', () => {
    const history = new History()
    const action = status(Widget, aStoredWidget('a'), { phase: 'Up' }, 'all parts are up')
    const never = status(Widget, aStoredWidget('a'), { replicas: 1 }, 'one is ready')
    const error = new Error('the server is busy')
    history.record(
      key,
      aPass(0, {
        result: 'error',
        plan: plan(action, never, { actions: [], requeueAfter: 5_000, waitingFor: 'the machine' }),
        execution: {
          results: [{ action, outcome: 'failed', detail: error.message, patch: { status: { phase: 'Up' } } }],
          marks: [],
          failure: { error, isConflict: false },
        },
        error,
      }),
    )
    assert.deepEqual(JSON.parse(JSON.stringify(history.of(ref))), [
      {
        reconcileID: 'id-0',
        startedAt: '2026-01-01T12:00:00Z',
        milliseconds: 2,
        result: 'error',
        actions: [
          {
            do: 'status',
            kind: 'Widget',
            object: 'default/a',
            because: 'all parts are up',
            outcome: 'failed',
            detail: 'the server is busy',
            patch: { status: { phase: 'Up' } },
          },
          { do: 'status', kind: 'Widget', object: 'default/a', because: 'one is ready', outcome: 'not reached' },
        ],
        waitingFor: 'the machine',
        requeueAfterMilliseconds: 5_000,
        error: 'Error: the server is busy',
      },
    ])
  })

  it('N20 keeps the last ten passes, newest first', () => {
    const history = new History()
    for (let number = 0; number < 25; number++) history.record(key, aPass(number, { plan: wait(`part ${number}`) }))
    assert.deepEqual(
      history.of(ref).map(({ reconcileID }) => reconcileID),
      Array.from({ length: 10 }, (_, index) => `id-${24 - index}`),
    )
  })

  it('N20 passes in a row that do nothing and wait for the same are one', () => {
    const history = new History()
    for (let number = 0; number < 1_000; number++) history.record(key, aPass(number, { plan: wait('the drain') }))
    history.record(key, aPass(1_000, { plan: wait('the next drain') }))
    assert.deepEqual(
      history.of(ref).map(({ startedAt, lastStartedAt, times, waitingFor }) => ({ startedAt, lastStartedAt, times, waitingFor })),
      [
        { startedAt: '2026-01-01T12:16:40Z', lastStartedAt: undefined, times: undefined, waitingFor: 'the next drain' },
        { startedAt: '2026-01-01T12:00:00Z', lastStartedAt: '2026-01-01T12:16:39Z', times: 1_000, waitingFor: 'the drain' },
      ],
    )
  })

  it('N20 forgets the objects that were looked at longest ago', () => {
    const history = new History({ objects: 100 })
    for (let number = 0; number < 1_000; number++) history.record(`w${number}`, aPass(number))
    const keys = [...history.keys()]
    assert.ok(keys.length >= 100 && keys.length <= 200, `${keys.length} are remembered`)
    assert.ok(keys.includes('w999') && !keys.includes('w0'))
    assert.deepEqual(history.of({ name: 'w0' }), [])
  })
})

describe('a map that forgets', () => {
  it('N20 keeps at least as many of the last used as it says, and no more than twice as many', () => {
    const recent = new Recent<number>(10)
    recent.set('kept', 1)
    for (let number = 0; number < 100; number++) {
      recent.set(`key-${number}`, number)
      assert.equal(recent.get('kept'), 1)
      assert.ok([...recent.keys()].length <= 20)
      for (let back = 0; back < Math.min(9, number); back++) assert.equal(recent.get(`key-${number - back}`), number - back)
    }
    assert.equal(recent.get('key-0'), undefined)
    recent.delete('kept')
    assert.equal(recent.get('kept'), undefined)
  })
})
