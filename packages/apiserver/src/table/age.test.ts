import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ageOf, ageText } from './age.ts'

const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes
const days = 24 * hours

test('ages as kubectl prints them', () => {
  const texts: readonly (readonly [number, string])[] = [
    [0, '0s'],
    [119 * seconds, '119s'],
    [2 * minutes, '2m'],
    [3 * minutes + 20 * seconds, '3m20s'],
    [45 * minutes, '45m'],
    [5 * hours + 12 * minutes, '5h12m'],
    [30 * hours, '30h'],
    [3 * days + 4 * hours, '3d4h'],
    [400 * days, '400d'],
    [(3 * 365 + 20) * days, '3y20d'],
    [9 * 365 * days, '9y'],
    [-1 * seconds, '0s'],
    [-10 * seconds, '<invalid>'],
  ]
  for (const [elapsed, text] of texts) assert.equal(ageText(0, elapsed), text)
})

test('a time that is none has no age', () => {
  assert.equal(ageOf('yesterday', 0), '<invalid>')
  assert.equal(ageOf(undefined, 0), '<unknown>')
})

const unit: Readonly<Record<string, number>> = { s: seconds, m: minutes, h: hours, d: days, y: 365 * days }

function millisecondsIn(text: string): number {
  return [...text.matchAll(/(\d+)([smhdy])/g)].reduce((sum, [, count, name]) => sum + Number(count) * (unit[name ?? ''] ?? 0), 0)
}

test('an age never exceeds the truth and never falls while time passes', () => {
  const moment = fc.integer({ min: 0, max: 20 * 365 * days })
  fc.assert(
    fc.property(moment, moment, (a, b) => {
      const [earlier, later] = a < b ? [a, b] : [b, a]
      assert.ok(millisecondsIn(ageText(0, earlier)) <= earlier)
      assert.ok(millisecondsIn(ageText(0, earlier)) <= millisecondsIn(ageText(0, later)))
    }),
  )
})
