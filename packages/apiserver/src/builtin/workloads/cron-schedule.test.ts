import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scheduleProblem } from './cron-schedule.ts'

describe('cron schedules', () => {
  for (const schedule of [
    '*/5 * * * *',
    '0 0 1 1 *',
    '0 22 * * 1-5',
    '0,30 8-18/2 * jan-mar MON',
    '@daily',
    '@every 1h30m',
    '5 4 ? * sun',
    '30/10 * * * *',
  ]) {
    it(`${schedule} can be followed`, () => assert.equal(scheduleProblem(schedule), undefined))
  }

  const broken: readonly (readonly [schedule: string, problem: string])[] = [
    ['often', 'expected exactly 5 fields, found 1: [often]'],
    ['* * * * * *', 'expected exactly 5 fields, found 6: [* * * * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['@sometimes', 'unrecognized descriptor: @sometimes'],
  ]
  for (const [schedule, problem] of broken) {
    it(`${schedule} cannot: ${problem}`, () => assert.equal(scheduleProblem(schedule), problem))
  }
})
