import { formatTime, type Instant, type LearnedEstimate, parseTime } from '@windlass/core'
import { roundedDuration } from './durations.ts'
import type { LearnedView } from './view.ts'

/** Undefined where there is nothing to learn from. */
export function learnedOf(estimate: LearnedEstimate | undefined): LearnedView | undefined {
  if (estimate === undefined || estimate.state === 'unlearned') return undefined
  const { state, updates } = estimate
  if (state !== 'expected') return { state, updates, on: estimate.on, due: formatTime(estimate.due) }
  const { earliest, latest, likely } = estimate
  return { state, updates, earliest: formatTime(earliest), latest: formatTime(latest), likely: formatTime(likely) }
}

/** `25m to 38m left, by 3 finished updates`, or why nobody can tell. */
export function learnedWords(view: LearnedView, now: Instant): string {
  const { updates } = view
  if (view.state === 'expected') return `${rangeWords(view, now)} left, by ${updates} finished ${updates === 1 ? 'update' : 'updates'}`
  const { on, due } = view
  const awaited = on.length === 0 ? 'it' : on.join(', ')
  if (view.state === 'stalled') return `unknown, stalled because ${awaited} should have been done by ${due}`
  const others = updates === 1 ? 'its last update' : `its last ${updates} updates`
  return `unknown, slower than ${others}: should have been done by ${due}${on.length === 0 ? '' : `, waits for ${awaited}`}`
}

function rangeWords({ earliest, latest }: Extract<LearnedView, { readonly state: 'expected' }>, now: Instant): string {
  const [soonest, longest] = [earliest, latest].map((time) => roundedDuration(Math.max(0, (parseTime(time) ?? now) - now)))
  // Below a second there is nothing to tell apart.
  return soonest === 'now' || soonest === longest ? `up to ${longest}` : `${soonest} to ${longest}`
}
