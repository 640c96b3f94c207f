import { CronJob, Job, type ObjectReference } from '@windlass/api'
import { formatTime, type Instant, isTrue, parseTime } from '@windlass/core'
import {
  type Action,
  create,
  done,
  type Draft,
  event,
  type Plan,
  plan,
  remove,
  requeueAfter,
  setControllerReference,
  status,
} from '@windlass/kube'
import { parseSchedule, type Schedule } from './schedule.ts'

export interface Observed {
  readonly cronJob: CronJob
  /** All that it controls. */
  readonly jobs: readonly Job[]
}

/** Makes a Job whenever the schedule says so, and clears away old ones. */
export function decide({ cronJob, jobs }: Observed, now: Instant): Plan {
  const { metadata, spec } = cronJob
  if (metadata.deletionTimestamp !== undefined) return done
  const schedule = parseSchedule(spec.schedule, spec.timeZone)
  if (schedule === undefined) {
    return plan(
      event(
        cronJob,
        'Warning',
        'UnparseableSchedule',
        `the schedule "${spec.schedule}" cannot be followed: write five fields as cron takes them`,
      ),
    )
  }
  const running = jobs.filter((job) => !hasEnded(job))
  const due = spec.suspend === true ? undefined : dueAt(cronJob, schedule, now)
  const start = due === undefined ? undefined : startOf(cronJob, running, due)
  const next = spec.suspend === true ? undefined : schedule.next(now)
  return plan(
    ...(start?.replaces === true ? running.map((job) => remove(Job, job, 'the next one takes its place')) : []),
    start === undefined ? undefined : create(Job, start.job, `it is due at ${formatTime(due ?? now)}`),
    ...outdated(cronJob, jobs),
    status(CronJob, cronJob, statusOf(cronJob, jobs, running, start === undefined ? undefined : due), 'its Jobs have changed', {
      ifUnchanged: true,
    }),
    next === undefined ? undefined : requeueAfter(next - now, 'the next time on its schedule'),
  )
}

const ends = ['Complete', 'Failed']

function hasEnded({ status }: Job): boolean {
  return ends.some((type) => isTrue(status?.conditions, type))
}

/** The last time that was missed, if it is not too late for it; those before it are forgotten. */
function dueAt({ metadata, spec, status }: CronJob, schedule: Schedule, now: Instant): Instant | undefined {
  const since = parseTime(status?.lastScheduleTime) ?? parseTime(metadata.creationTimestamp) ?? now
  const due = schedule.latest(now, since)
  if (due === undefined || spec.startingDeadlineSeconds === undefined) return due
  return now - due <= spec.startingDeadlineSeconds * 1_000 ? due : undefined
}

/** Undefined when another one must end first. */
function startOf(
  cronJob: CronJob,
  running: readonly Job[],
  due: Instant,
): { readonly job: Draft<Job>; readonly replaces: boolean } | undefined {
  const policy = cronJob.spec.concurrencyPolicy ?? 'Allow'
  if (policy === 'Forbid' && running.length > 0) return undefined
  return { job: jobFor(cronJob, due), replaces: policy === 'Replace' }
}

/** Named after its minute: the same minute never makes two. */
function jobFor(cronJob: CronJob, due: Instant): Draft<Job> {
  const { metadata, spec } = cronJob
  const { labels, annotations } = spec.jobTemplate.metadata ?? {}
  const draft: Draft<Job> = {
    metadata: {
      name: `${metadata.name}-${Math.floor(due / 60_000)}`,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      ...(labels === undefined ? {} : { labels }),
      annotations: { ...annotations, 'batch.kubernetes.io/cronjob-scheduled-timestamp': formatTime(due) },
    },
    spec: spec.jobTemplate.spec,
  }
  return setControllerReference(draft, cronJob)
}

/** The newest of each sort are kept, for people to look at. */
function outdated({ spec }: CronJob, jobs: readonly Job[]): readonly Action[] {
  const limits = [
    ['Complete', spec.successfulJobsHistoryLimit ?? 3],
    ['Failed', spec.failedJobsHistoryLimit ?? 1],
  ] as const
  return limits.flatMap(([type, limit]) =>
    jobs
      .filter(({ metadata, status }) => isTrue(status?.conditions, type) && metadata.deletionTimestamp === undefined)
      .toSorted((a, b) => startedAt(b) - startedAt(a))
      .slice(limit)
      .map((job) => remove(Job, job, `no more than ${limit} that are ${type} are kept`)),
  )
}

function startedAt({ metadata, status }: Job): Instant {
  return parseTime(status?.startTime) ?? parseTime(metadata.creationTimestamp) ?? 0
}

/** A Job that is made now is told of in the next look, when it is there. */
function statusOf({ status: before }: CronJob, jobs: readonly Job[], running: readonly Job[], started: Instant | undefined) {
  const active = running.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(referenceTo)
  const ended = jobs.flatMap(({ status }) => parseTime(status?.completionTime) ?? [])
  const last = Math.max(parseTime(before?.lastSuccessfulTime) ?? 0, ...ended)
  return {
    active: active.length === 0 ? undefined : active,
    lastScheduleTime: started === undefined ? before?.lastScheduleTime : formatTime(started),
    lastSuccessfulTime: last === 0 ? undefined : formatTime(last),
  }
}

function referenceTo({ apiVersion, kind, metadata: { namespace = '', name = '', uid = '' } }: Job): ObjectReference {
  return { apiVersion, kind, namespace, name, uid }
}
