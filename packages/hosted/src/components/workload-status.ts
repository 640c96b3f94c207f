import type { CronJob, Deployment, Job, StatefulSet } from '@windlass/api'
import { findCondition, isTrue } from '@windlass/core'
import type { ConditionStatus } from '@windlass/core'
import type { Workload } from './workload.ts'

/** What a condition says, before it is one. */
export interface Judgement {
  readonly status: ConditionStatus
  readonly reason: string
  readonly message: string
}

/** How far a workload is. */
export interface WorkloadStatus {
  readonly available: Judgement
  readonly rolledOut: Judgement
}

const yes = (reason: string, message: string): Judgement => ({ status: 'True', reason, message })
const no = (reason: string, message: string): Judgement => ({ status: 'False', reason, message })

export function workloadStatus(workload: Workload): WorkloadStatus {
  switch (workload.kind) {
    case 'Deployment':
      return ofDeployment(workload)
    case 'StatefulSet':
      return ofStatefulSet(workload)
    case 'Job':
      return ofJob(workload)
    case 'CronJob':
      return ofCronJob(workload)
    default:
      return workload satisfies never
  }
}

/**
 * Every pod that there should be is of the newest template and in service, none is left of an older one, and the counts were taken after the last
 * change. None of none is all of them: a workload that was scaled to zero is ready.
 */
export function isDeploymentReady({ metadata, spec, status }: Deployment): boolean {
  return areAllUpdated(metadata.generation, spec.replicas, status) && (status?.unavailableReplicas ?? 0) === 0
}

type Counts = Pick<
  NonNullable<Deployment['status']>,
  'observedGeneration' | 'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas'
>

/** The API server leaves counts out that are zero, and never the number that is wanted. */
function areAllUpdated(generation: number | undefined, wanted = 0, counts: Counts = {}): boolean {
  const { observedGeneration = 0, replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = counts
  return (
    availableReplicas === wanted &&
    readyReplicas === wanted &&
    updatedReplicas === wanted &&
    replicas === wanted &&
    observedGeneration === (generation ?? 0)
  )
}

function ofDeployment(deployment: Deployment): WorkloadStatus {
  const { metadata, spec, status } = deployment
  const name = metadata.name ?? ''
  const available = findCondition(status?.conditions, 'Available')
  return {
    available:
      available === undefined
        ? no('NotFound', `${name} Deployment Available condition not found`)
        : available.status === 'True'
          ? yes('AsExpected', `Deployment ${name} is available`)
          : no('WaitingForAvailable', `Deployment ${name} is not available: ${available.message ?? ''}`),
    rolledOut: isDeploymentReady(deployment)
      ? yes('AsExpected', `Deployment ${name} successfully rolled out`)
      : no('WaitingForRolloutComplete', waiting('deployment', name, status?.updatedReplicas, spec.replicas)),
  }
}

function ofStatefulSet({ metadata, spec, status }: StatefulSet): WorkloadStatus {
  const name = metadata.name ?? ''
  const wanted = spec.replicas ?? 0
  return {
    available:
      wanted === 0 || (status?.availableReplicas ?? 0) > 0
        ? yes('AsExpected', `StatefulSet ${name} is available`)
        : no('WaitingForAvailable', `StatefulSet ${name} is not available: ${status?.readyReplicas ?? 0}/${wanted} replicas ready`),
    rolledOut: areAllUpdated(metadata.generation, spec.replicas, status)
      ? yes('AsExpected', `StatefulSet ${name} successfully rolled out`)
      : no('WaitingForRolloutComplete', waiting('statefulset', name, status?.updatedReplicas, spec.replicas)),
  }
}

function waiting(kind: string, name: string, updated = 0, wanted = 0): string {
  return `Waiting for ${kind} ${name} rollout to finish: ${updated} out of ${wanted} new replicas have been updated`
}

function ofJob(job: Job): WorkloadStatus {
  if ((job.status?.active ?? 0) > 0)
    return { available: yes('JobActive', 'Job is still running'), rolledOut: no('JobActive', 'Job is still running') }
  const ended = endOfJob(job)
  return { available: ended, rolledOut: ended }
}

function endOfJob({ status }: Job): Judgement {
  if (isTrue(status?.conditions, 'Complete')) return yes('JobComplete', 'Job completed successfully')
  const failed = findCondition(status?.conditions, 'Failed')
  if (failed?.status !== 'True') return no('Unknown', 'Job status unknown')
  return no(validReason(failed.reason, 'JobFailed'), failed.message === undefined || failed.message === '' ? 'Job failed' : failed.message)
}

function ofCronJob({ metadata }: CronJob): WorkloadStatus {
  const fine = yes('AsExpected', `CronJob ${metadata.name ?? ''} is scheduled`)
  return { available: fine, rolledOut: fine }
}

const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/

/** The API server refuses a status with a reason that is not one word, and with it everything else that the status says. */
export function validReason(reason: string | undefined, otherwise: string): string {
  return reason !== undefined && reasonPattern.test(reason) ? reason : otherwise
}
