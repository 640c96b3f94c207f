import { type Instant, parseTime, shortDuration } from '@windlass/core'
import type { UpgradeTimeline } from '@windlass/upgrades'
import { type Paint, plain } from '../colours.ts'
import { stateCell } from '../states.ts'
import { tableLines } from '../table.ts'

/** The timeline for people. */
export function timelineLines(timeline: UpgradeTimeline, now: Instant, paint: Paint = plain): readonly string[] {
  const { upgradeConfig, from = '?', to, type, upgradeAt, phase, startTime, completeTime, steps, waitsFor, told } = timeline
  const took = lengthOf(startTime, completeTime, now)
  return [
    `${upgradeConfig}: from ${from} to ${to}, ${type}, at ${upgradeAt}`,
    `Phase: ${paint(phase, stateCell(phase).colour)}${took === '' ? '' : phase === 'Upgrading' ? `, for ${took} now` : `, after ${took}`}`,
    ...(waitsFor === undefined ? [] : [`Now:   ${waitsFor}`]),
    ...(told.length === 0 ? [] : [`Told:  ${told.join(', ')}`]),
    '',
    ...tableLines(
      ['', 'STEP', 'STATE', 'STARTED', 'TOOK', 'MESSAGE'],
      steps.map(({ step, state, startTime: began, completeTime: ended, message = '' }, index) => [
        String(index + 1),
        step,
        stateCell(state),
        began ?? '-',
        lengthOf(began, ended, now) || '-',
        message,
      ]),
      paint,
    ),
  ]
}

function lengthOf(start: string | undefined, end: string | undefined, now: Instant): string {
  const from = parseTime(start)
  return from === undefined ? '' : shortDuration(Math.max(0, (parseTime(end) ?? now) - from))
}
