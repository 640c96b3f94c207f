import { formatTime, type Instant, type LearnedEstimate, parseTime } from '@windlass/core'
import { roundedDuration } from './durations.ts'
import type { ControlPlaneView, HealthView, LearnedView, PoolView } from './view.ts'

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

type Doubtful = Exclude<LearnedView, { readonly state: 'expected' }>

/** Whether finished updates say that nobody can tell when this one will be done. */
export function isDoubtful(view: LearnedView | undefined): view is Doubtful {
  return view !== undefined && view.state !== 'expected'
}

/**
 * What finished updates of the cluster say against this one, beside what insights say. A warning: a handful of updates is not enough to call it an error, but one
 * that should be further is not proceeding well. What the control plane waits for is not said of its pools again.
 */
export function doubtsIn({ learned }: Pick<ControlPlaneView, 'learned'>, pools: readonly PoolView[]): readonly HealthView[] {
  if (isDoubtful(learned)) return [doubt('Update', learned)]
  return pools.flatMap((pool) => (isDoubtful(pool.learned) ? [doubt(`Update of pool ${pool.name}`, pool.learned)] : []))
}

function doubt(subject: string, { state, updates, on, due }: Doubtful): HealthView {
  const others = updates === 1 ? 'the last update' : `the last ${updates} updates`
  const awaited = on.length === 0 ? 'all' : on.join(', ')
  const warning = { since: due, level: 'Warning', resources: [] } as const
  if (state === 'stalled') {
    const summary = `${subject} has stopped where ${others} went on: ${awaited} should have been done`
    const description = `By how ${others} went, ${awaited} should have been done by ${due}. Nothing else has happened since either.`
    return { ...warning, name: 'learned-stalled', impact: 'Update Stalled', summary, description }
  }
  const description = `By how ${others} went, it should have been done by ${due}.${on.length === 0 ? '' : ` It waits for ${awaited}.`}`
  return { ...warning, name: 'learned-slower', impact: 'Update Speed', summary: `${subject} is slower than ${others}`, description }
}

function rangeWords({ earliest, latest }: Extract<LearnedView, { readonly state: 'expected' }>, now: Instant): string {
  const [soonest, longest] = [earliest, latest].map((time) => roundedDuration(Math.max(0, (parseTime(time) ?? now) - now)))
  // Below a second there is nothing to tell apart.
  return soonest === 'now' || soonest === longest ? `up to ${longest}` : `${soonest} to ${longest}`
}
