import { always, at, boolean, int32, int64, list, pointer, string, struct, time } from '../dsl/index.ts'
import { labelSelector, objectMeta } from './meta.ts'
import { podTemplateSpec } from './pods.ts'
import { objectReference } from './references.ts'

/** Workloads that end. */

export const podFailurePolicyOnExitCodesRequirement = struct({
  containerName: pointer(string),
  operator: always(string),
  values: always(list(int32, { set: true })),
})

export const podFailurePolicyOnPodConditionsPattern = struct({
  type: always(string),
  status: always(string),
})

export const podFailurePolicyRule = struct({
  action: always(string),
  onExitCodes: pointer(podFailurePolicyOnExitCodesRequirement),
  onPodConditions: list(podFailurePolicyOnPodConditionsPattern),
})

export const podFailurePolicy = struct({
  rules: always(list(podFailurePolicyRule)),
})

export const successPolicyRule = struct({
  succeededIndexes: pointer(string),
  succeededCount: pointer(int32),
})

export const successPolicy = struct({
  rules: always(list(successPolicyRule)),
})

export const jobSpec = struct({
  parallelism: pointer(int32),
  completions: pointer(int32),
  activeDeadlineSeconds: pointer(int64),
  selector: pointer(labelSelector),
  manualSelector: pointer(boolean),
  template: podTemplateSpec,
  backoffLimit: pointer(int32),
  ttlSecondsAfterFinished: pointer(int32),
  completionMode: pointer(string),
  suspend: pointer(boolean),
  podFailurePolicy: pointer(podFailurePolicy),
  backoffLimitPerIndex: pointer(int32),
  maxFailedIndexes: pointer(int32),
  podReplacementPolicy: pointer(string),
  managedBy: pointer(string),
  successPolicy: pointer(successPolicy),
})

export const jobCondition = struct({
  type: always(string),
  status: always(string),
  lastProbeTime: time,
  lastTransitionTime: time,
  reason: string,
  message: string,
})

export const uncountedTerminatedPods = struct({
  succeeded: list(string, { set: true }),
  failed: list(string, { set: true }),
})

export const jobStatus = struct({
  conditions: list(jobCondition, { merge: 'type' }),
  startTime: pointer(time),
  completionTime: pointer(time),
  active: int32,
  succeeded: int32,
  failed: int32,
  completedIndexes: string,
  uncountedTerminatedPods: pointer(uncountedTerminatedPods),
  ready: pointer(int32),
  failedIndexes: pointer(string),
  terminating: pointer(int32),
})

export const jobTemplateSpec = struct({
  metadata: objectMeta,
  spec: jobSpec,
})

export const cronJobSpec = struct({
  schedule: always(string),
  startingDeadlineSeconds: pointer(int64),
  concurrencyPolicy: string,
  suspend: pointer(boolean),
  jobTemplate: jobTemplateSpec,
  successfulJobsHistoryLimit: pointer(int32),
  failedJobsHistoryLimit: pointer(int32),
  timeZone: pointer(string),
})

export const cronJobStatus = struct({
  active: list(objectReference),
  lastScheduleTime: at(4, pointer(time)),
  lastSuccessfulTime: pointer(time),
})
