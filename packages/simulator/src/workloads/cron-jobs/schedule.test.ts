import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatTime, type Instant, parseTime } from '@windlass/core'
import * as fc from 'fast-check'
import { parseSchedule } from './schedule.ts'

const at = (text: string): Instant => parseTime(text) ?? assert.fail(text)
const next = (schedule: string, after: string, zone?: string): string | undefined => {
  const moment = parseSchedule(schedule, zone)?.next(at(after))
  return moment === undefined ? undefined : formatTime(moment)
}

describe('a schedule', () => {
  it('has five fields', () => {
    assert.equal(next('*/15 * * * *', '2026-03-06T12:01:30Z'), '2026-03-06T12:15:00Z')
    assert.equal(next('5 4 * * *', '2026-03-06T12:00:00Z'), '2026-03-07T04:05:00Z')
    assert.equal(next('0 0 1 jan *', '2026-03-06T12:00:00Z'), '2027-01-01T00:00:00Z')
    assert.equal(next('0 12 * * MON-FRI', '2026-03-06T12:00:00Z'), '2026-03-09T12:00:00Z', 'a Friday; the next is a Monday')
    assert.equal(next('10,40 8-10/2 * * *', '2026-03-06T08:40:00Z'), '2026-03-06T10:10:00Z')
    assert.equal(next('5/20 * * * *', '2026-03-06T08:26:00Z'), '2026-03-06T08:45:00Z')
  })

  it('with both kinds of days takes either', () => {
    assert.equal(next('0 0 13 * 5', '2026-03-06T12:00:00Z'), '2026-03-13T00:00:00Z')
    assert.equal(next('0 0 8 * 5', '2026-03-06T12:00:00Z'), '2026-03-08T00:00:00Z')
  })

  it('may be a word', () => {
    assert.equal(next('@hourly', '2026-03-06T12:01:30Z'), '2026-03-06T13:00:00Z')
    assert.equal(next('@weekly', '2026-03-06T12:01:30Z'), '2026-03-08T00:00:00Z')
    assert.equal(next('@every 1h30m', '2026-03-06T12:01:30Z'), '2026-03-06T13:31:30Z')
  })

  it('never comes on days that do not exist', () => assert.equal(next('0 0 30 2 *', '2026-03-06T12:00:00Z'), undefined))

  it('follows the clocks of its place', () => {
    assert.equal(next('30 9 * * *', '2026-03-06T12:00:00Z', 'Europe/Berlin'), '2026-03-07T08:30:00Z')
    assert.equal(next('30 9 * * *', '2026-07-06T12:00:00Z', 'Europe/Berlin'), '2026-07-07T07:30:00Z')
    assert.equal(
      next('30 2 * * *', '2026-03-28T12:00:00Z', 'Europe/Berlin'),
      '2026-03-30T00:30:00Z',
      'there is no half past two on the day before',
    )
  })

  it('that makes no sense is none', () => {
    for (const text of ['', '* * * *', '60 * * * *', '* * * * mun', '5-1 * * * *', '*/0 * * * *', '@sometimes', '@every now', '@every 0s'])
      assert.equal(parseSchedule(text), undefined, text)
  })

  it('finds the last time that was missed, wherever it looks from', () => {
    const schedules = ['*/15 * * * *', '5 4 * * *', '@hourly', '0 12 * * MON', '@every 7m']
    fc.assert(
      fc.property(
        fc.constantFrom(...schedules),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 0, max: 2_000_000 }),
        (text, start, length) => {
          const schedule = parseSchedule(text) ?? assert.fail(text)
          const after = at('2026-03-06T12:00:00Z') + start * 1_000
          const until = after + length * 1_000
          let expected: Instant | undefined
          for (let moment = schedule.next(after); moment !== undefined && moment <= until; moment = schedule.next(moment)) expected = moment
          assert.equal(schedule.latest(until, after), expected)
        },
      ),
    )
  })
})
