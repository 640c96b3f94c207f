import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { seededRandom } from '@windlass/core'
import { availabilityProblem, type DependencyAttempt, judgeAttempt } from './index.ts'

/** Attempts until a verdict: how many, what it was, and how long was waited in between. */
function attemptsOf(answers: readonly DependencyAttempt[], seed = 'a') {
  const random = seededRandom(seed)
  const waits: number[] = []
  for (const [index, answer] of answers.entries()) {
    const verdict = judgeAttempt(answer, index + 1, waits.at(-1) ?? 0, random)
    if (verdict.is !== 'again') return { verdict, requests: index + 1, waits }
    waits.push(verdict.after)
  }
  return assert.fail('it was never over')
}

describe('an external dependency', () => {
  it('A01 is available when it answers well, and is asked once when it blames us', () => {
    assert.deepEqual(attemptsOf([{ status: 200 }]).verdict, { is: 'available' })
    assert.deepEqual(attemptsOf([{ status: 399 }]).verdict, { is: 'available' })
    const refused = attemptsOf([{ status: 404 }])
    assert.deepEqual([refused.verdict, refused.requests], [{ is: 'failed', why: 'answered with status 404' }, 1])
  })

  it('A02 is asked up to three times when it blames itself', () => {
    const result = attemptsOf([{ status: 500 }, { status: 500 }, { status: 200 }])
    assert.deepEqual([result.verdict.is, result.requests], ['available', 3])
    const never = attemptsOf([{ status: 500 }, { problem: 'reset' }, { status: 503 }])
    assert.deepEqual([never.verdict, never.requests], [{ is: 'failed', why: 'answered with status 503' }, 3])
  })

  it('A03 Δ18 is given up after three attempts, with short waits in between', () => {
    const hang = { problem: 'no answer within 10 s' }
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const { verdict, requests, waits } = attemptsOf([hang, hang, hang], seed)
        assert.deepEqual([verdict.is, requests], ['failed', 3])
        const [first = 0, second = 0] = waits
        assert.ok(first >= 1000 && first < 1500)
        assert.ok(second >= 2 * first && second < 3 * first)
      }),
    )
  })

  it('is named with its cause, and so are all others', () => {
    const failures = [
      { url: 'https://a', why: 'reset' },
      { url: 'https://b', why: 'answered with status 404' },
    ]
    assert.match(availabilityProblem(failures) ?? '', /https:\/\/a: reset; https:\/\/b: answered with status 404/)
    assert.equal(availabilityProblem([]), undefined)
  })
})
