import type { Job } from '@windlass/api'
import { type Instant, parseTime } from '@windlass/core'
import type { Tally } from './counts.ts'

/** How a Job ends, and why. */
export interface Outcome {
  readonly isSuccess: boolean
  readonly reason: string
  readonly message: string
}

const completed: Outcome = { isSuccess: true, reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' }
const givenUp: Outcome = { isSuccess: false, reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' }
const tooLate: Outcome = { isSuccess: false, reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' }

/** Undefined while it goes on. What was decided once stays so, though the Pods that decided it are gone. */
export function outcomeOf(job: Job, tally: Tally, now: Instant): Outcome | undefined {
  const decided = decidedOutcome(job)
  if (decided !== undefined) return decided
  if (hasFailedTooOften(job, tally)) return givenUp
  if (untilDeadline(job, now) <= 0) return tooLate
  return isComplete(job, tally) ? completed : undefined
}

function decidedOutcome({ status }: Job): Outcome | undefined {
  const condition = status?.conditions?.find(
    ({ type, status }) => (type === 'SuccessCriteriaMet' || type === 'FailureTarget') && status === 'True',
  )
  if (condition === undefined) return undefined
  return { isSuccess: condition.type === 'SuccessCriteriaMet', reason: condition.reason ?? '', message: condition.message ?? '' }
}

/** Containers that are started again in their Pods count like Pods that have failed. */
function hasFailedTooOften({ spec }: Job, { failed, restarts }: Tally): boolean {
  const { backoffLimit = 6, template } = spec
  if (failed > backoffLimit) return true
  return template.spec.restartPolicy === 'OnFailure' && restarts > 0 && restarts >= backoffLimit
}

/** Without a number of completions, the first that succeeds says that the work is done, and the others may finish. */
function isComplete({ spec }: Job, { active, succeeded }: Tally): boolean {
  return spec.completions === undefined ? succeeded > 0 && active.length === 0 : succeeded >= spec.completions
}

/** Infinite when there is none. */
export function untilDeadline({ spec, status }: Job, now: Instant): number {
  const started = parseTime(status?.startTime)
  if (spec.activeDeadlineSeconds === undefined || started === undefined) return Number.POSITIVE_INFINITY
  return started + spec.activeDeadlineSeconds * 1_000 - now
}
