import type { ObjectMeta } from '../meta/object-meta.ts'
import { builtin } from './builtin.ts'
import type { PodTemplate } from './pods.ts'
import type { BuiltinCondition, LabelSelector, ObjectReference } from './shared.ts'

/** Everything but parallelism, suspend and the time to live is fixed once a Job is there: another template is another Job. */
export interface JobSpec {
  readonly parallelism?: number
  readonly completions?: number
  readonly backoffLimit?: number
  readonly activeDeadlineSeconds?: number
  readonly ttlSecondsAfterFinished?: number
  readonly suspend?: boolean
  /** Chosen by the server. */
  readonly selector?: LabelSelector
  readonly template: PodTemplate
}

export interface Job {
  readonly apiVersion: 'batch/v1'
  readonly kind: 'Job'
  readonly metadata: ObjectMeta
  readonly spec: JobSpec
  readonly status?: {
    readonly active?: number
    readonly ready?: number
    readonly terminating?: number
    readonly succeeded?: number
    readonly failed?: number
    readonly startTime?: string
    readonly completionTime?: string
    /** `Complete` or `Failed` when it has ended. */
    readonly conditions?: readonly JobCondition[]
  }
}

export const Job = builtin<Job>({ apiVersion: 'batch/v1', kind: 'Job', plural: 'jobs', hasStatusSubresource: true })

export interface JobCondition extends BuiltinCondition {
  readonly lastProbeTime?: string | null
}

export interface CronJob {
  readonly apiVersion: 'batch/v1'
  readonly kind: 'CronJob'
  readonly metadata: ObjectMeta
  readonly spec: {
    readonly schedule: string
    readonly timeZone?: string
    readonly startingDeadlineSeconds?: number
    readonly concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace'
    readonly suspend?: boolean
    readonly successfulJobsHistoryLimit?: number
    readonly failedJobsHistoryLimit?: number
    readonly jobTemplate: { readonly metadata?: ObjectMeta; readonly spec: JobSpec }
  }
  readonly status?: {
    readonly active?: readonly ObjectReference[]
    readonly lastScheduleTime?: string
    readonly lastSuccessfulTime?: string
  }
}

export const CronJob = builtin<CronJob>({ apiVersion: 'batch/v1', kind: 'CronJob', plural: 'cronjobs', hasStatusSubresource: true })
