import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { firstState, next, type Outcome, type ReflectorState, type Result, type Step, streamed } from './reflector-state.ts'

const now = 1_000_000

function outcome(result: Result, more: Partial<Outcome> = {}): Outcome {
  return { result, resourceVersion: '50', lasted: 5000, hasNews: false, retryAfter: 0, ...more }
}

function after(action: Step['do'], from: string, how: Outcome, isStreaming = true): ReflectorState {
  return next({ ...firstState, step: { do: action, from }, isStreaming }, how, now, 0)
}

/** `watch 50`, `list newest in 800`. */
function summary({ step, delay }: ReflectorState): string {
  return `${step.do} ${step.from === '' ? 'newest' : step.from}${delay === 0 ? '' : ` in ${delay}`}`
}

/** The contract, one row for each way a step can end. */
const table: readonly [what: string, action: Step['do'], from: string, how: Outcome, expected: string][] = [
  ['a stream that is refused as such', 'stream', '', outcome('unsupported', { resourceVersion: '' }), 'list 0'],
  ['a stream that no state comes from', 'stream', '', outcome('stalled', { resourceVersion: '' }), 'list 0'],
  ['a stream that ends before the state is complete', 'stream', '', outcome('ended', { resourceVersion: '' }), 'list 0'],
  ['a stream that breaks off, later on', 'stream', '50', outcome('unreachable'), 'list 50 in 800'],
  ['a stream that is refused for now', 'stream', '50', outcome('refused'), 'list 50 in 800'],
  ['a stream from a revision that the server has not reached', 'stream', '50', outcome('tooLarge'), 'list newest'],
  ['a list that is complete', 'list', '0', outcome('done'), 'watch 50'],
  ['a list whose pages are forgotten', 'list', '50', outcome('expired'), 'list newest'],
  ['a list of the newest state whose pages are forgotten', 'list', '', outcome('expired'), 'list newest in 800'],
  ['a list from a revision that the server has not reached', 'list', '50', outcome('tooLarge'), 'list newest'],
  ['a list that is refused', 'list', '0', outcome('refused', { resourceVersion: '' }), 'list 0 in 800'],
  ['a list that is refused with a time to wait', 'list', '0', outcome('refused', { retryAfter: 7000 }), 'list 0 in 7000'],
  ['a list without an answer', 'list', '50', outcome('unreachable'), 'list 50 in 800'],
  ['a watch that ends', 'watch', '40', outcome('ended'), 'watch 50'],
  ['a watch that ends at once with news', 'watch', '40', outcome('ended', { lasted: 10, hasNews: true }), 'watch 50'],
  ['a watch that ends at once without news', 'watch', '50', outcome('ended', { lasted: 999 }), 'watch 50 in 800'],
  ['a watch that stalls', 'watch', '40', outcome('stalled'), 'check 50'],
  ['a watch from a forgotten revision', 'watch', '50', outcome('expired', { lasted: 10 }), 'stream 50 in 800'],
  ['a watch that falls behind after a while', 'watch', '40', outcome('expired'), 'stream 50'],
  ['a watch from the future', 'watch', '50', outcome('tooLarge'), 'list newest'],
  ['a watch that breaks off after a while', 'watch', '40', outcome('unreachable'), 'check 50'],
  ['a watch that does not come about', 'watch', '50', outcome('unreachable', { lasted: 3 }), 'check 50 in 800'],
  ['a watch that is refused', 'watch', '50', outcome('refused'), 'watch 50 in 800'],
  ['a watch that is refused with a time to wait', 'watch', '50', outcome('refused', { retryAfter: 2000 }), 'watch 50 in 2000'],
  ['a state that the server still knows', 'check', '50', outcome('done', { lasted: 2 }), 'watch 50'],
  ['a state that the server does not know any more', 'check', '50', outcome('tooLarge'), 'list newest'],
  ['a question that gets no answer', 'check', '50', outcome('unreachable', { lasted: 2 }), 'check 50 in 800'],
]

describe('N3 what follows', () => {
  for (const [what, action, from, how, expected] of table) {
    test(`N3 after ${what}: ${expected}`, () => assert.equal(summary(after(action, from, how)), expected))
  }
})

test('N3 the first thing is a stream of the newest state', () => assert.equal(summary(firstState), 'stream newest'))

test('N3 the stream goes on as a watch when the state has come', () => {
  assert.equal(summary(next(streamed(firstState, '50'), outcome('ended'), now, 0)), 'watch 50')
})

test('N3 a server that cannot stream is not asked to again, one that failed once is', () => {
  const refused = after('stream', '', outcome('unsupported'))
  assert.equal(summary(next({ ...refused, step: { do: 'watch', from: '50' } }, outcome('expired'), now, 0)), 'list 50')
  const failed = after('stream', '', outcome('refused'))
  assert.equal(summary(next({ ...failed, step: { do: 'watch', from: '50' } }, outcome('expired'), now, 0)), 'stream 50')
})

test('N3 whatever happens there is a next step, and never two quick ones without news in a row for long', () => {
  const results: readonly Result[] = ['done', 'ended', 'stalled', 'expired', 'tooLarge', 'unreachable', 'refused', 'unsupported']
  // What takes its time by nature: a list that came, a question that was answered, a silence that was waited for.
  const quick = fc.record({ result: fc.constantFrom(...results), lasted: fc.nat(999) })
  fc.assert(
    fc.property(fc.array(quick, { minLength: 20, maxLength: 60 }), fc.double({ min: 0, max: 1, noNaN: true }), (steps, chance) => {
      let state = firstState
      let atOnce = 0
      for (const { result, lasted } of steps) {
        const takesTime = result === 'done' || result === 'stalled'
        state = next(state, outcome(result, { lasted: takesTime ? 120_000 : lasted }), now, chance)
        atOnce = state.delay > 0 || takesTime ? 0 : atOnce + 1
        assert.ok(atOnce <= 2, `${atOnce} steps at once`)
        assert.ok(state.delay === 0 || (state.delay >= 800 && state.delay <= 60_000))
      }
    }),
  )
})
