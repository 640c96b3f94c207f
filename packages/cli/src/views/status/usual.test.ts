import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { usualDuration, usualWords } from './usual.ts'

const at = (time: string): string => `2026-03-06T${time}:00Z`
/** `C 10:00-10:20`, `P 10:00`. */
const history = (...updates: readonly string[]) =>
  updates.map((text) => {
    const [letter, times = ''] = text.split(' ')
    const [started = '', ended] = times.split('-')
    return {
      state: letter === 'C' ? 'Completed' : 'Partial',
      startedTime: at(started),
      completionTime: ended === undefined ? null : at(ended),
    }
  })

describe('how long an update usually takes', () => {
  it('is what the finished ones before it took, without the installation', () => {
    assert.deepEqual(usualDuration(history('P 12:00', 'C 10:00-10:20', 'C 09:00-09:35', 'C 01:00-02:00')), {
      updates: 2,
      shortestSeconds: 1200,
      longestSeconds: 2100,
    })
  })

  it('is not known from an installation, from updates without an end, or from those that took no time', () => {
    for (const known of [
      [],
      ['P 12:00'],
      ['P 12:00', 'C 01:00-02:00'],
      ['P 12:00', 'P 10:00-11:00', 'C 09:00', 'C 08:00-08:00', 'C 01:00-02:00'],
    ])
      assert.equal(usualDuration(history(...known)), undefined)
  })

  it('counts the last five', () => {
    const many = Array.from({ length: 9 }, (_, index) => `C 0${9 - index}:00-0${9 - index}:${10 + index}`)
    assert.deepEqual(usualDuration(history('P 12:00', ...many)), { updates: 5, shortestSeconds: 600, longestSeconds: 840 })
  })

  it('is told as a fact, also when it is past', () => {
    const usual = { updates: 2, shortestSeconds: 1200, longestSeconds: 2100 }
    assert.equal(usualWords({ durationSeconds: 2100, usual }), 'its last 2 updates took 20m to 35m')
    assert.equal(usualWords({ durationSeconds: 2101, usual }), 'longer than its last 2 updates, which took 20m to 35m')
    assert.equal(usualWords({ durationSeconds: 60, usual: { ...usual, updates: 1, shortestSeconds: 2100 } }), 'its last update took 35m')
    assert.equal(usualWords({ durationSeconds: 60 }), undefined)
  })
})
