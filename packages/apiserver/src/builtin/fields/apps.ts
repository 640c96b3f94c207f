import {
  always,
  at,
  boolean,
  int32,
  int64,
  intOrString,
  jsonOnly,
  list,
  listBy,
  pointer,
  retainKeys,
  string,
  struct,
  time,
} from '../dsl/index.ts'
import { labelSelector, objectMeta } from './meta.ts'
import { persistentVolumeClaimSpec, persistentVolumeClaimStatus } from './claims.ts'
import { podTemplateSpec } from './pods.ts'

/** Workloads that keep Pods running. */

export const rollingUpdateDeployment = struct({
  maxUnavailable: pointer(intOrString),
  maxSurge: pointer(intOrString),
})

export const deploymentStrategy = struct({
  type: string,
  rollingUpdate: pointer(rollingUpdateDeployment),
})

export const deploymentSpec = struct({
  replicas: pointer(int32),
  selector: always(pointer(labelSelector)),
  template: podTemplateSpec,
  strategy: retainKeys(deploymentStrategy),
  minReadySeconds: int32,
  revisionHistoryLimit: pointer(int32),
  paused: boolean,
  progressDeadlineSeconds: at(9, pointer(int32)),
})

export const deploymentCondition = struct({
  type: always(string),
  status: always(string),
  reason: at(4, string),
  message: string,
  lastUpdateTime: time,
  lastTransitionTime: time,
})

export const deploymentStatus = struct({
  observedGeneration: int64,
  replicas: int32,
  updatedReplicas: int32,
  availableReplicas: int32,
  unavailableReplicas: int32,
  conditions: listBy('type', deploymentCondition),
  readyReplicas: int32,
  collisionCount: pointer(int32),
  terminatingReplicas: pointer(int32),
})

/** A whole object inside another one: it says what it is. */
export const persistentVolumeClaim = struct({
  kind: jsonOnly(string),
  apiVersion: jsonOnly(string),
  metadata: objectMeta,
  spec: persistentVolumeClaimSpec,
  status: persistentVolumeClaimStatus,
})

export const rollingUpdateStatefulSetStrategy = struct({
  partition: pointer(int32),
  maxUnavailable: pointer(intOrString),
})

export const statefulSetUpdateStrategy = struct({
  type: string,
  rollingUpdate: pointer(rollingUpdateStatefulSetStrategy),
})

export const statefulSetPersistentVolumeClaimRetentionPolicy = struct({
  whenDeleted: string,
  whenScaled: string,
})

export const statefulSetOrdinals = struct({
  start: always(int32),
})

export const statefulSetSpec = struct({
  replicas: pointer(int32),
  selector: always(pointer(labelSelector)),
  template: podTemplateSpec,
  volumeClaimTemplates: list(persistentVolumeClaim),
  serviceName: always(string),
  podManagementPolicy: string,
  updateStrategy: statefulSetUpdateStrategy,
  revisionHistoryLimit: pointer(int32),
  minReadySeconds: int32,
  persistentVolumeClaimRetentionPolicy: pointer(statefulSetPersistentVolumeClaimRetentionPolicy),
  ordinals: pointer(statefulSetOrdinals),
})

export const statefulSetCondition = struct({
  type: always(string),
  status: always(string),
  lastTransitionTime: time,
  reason: string,
  message: string,
})

export const statefulSetStatus = struct({
  observedGeneration: int64,
  replicas: always(int32),
  readyReplicas: int32,
  currentReplicas: int32,
  updatedReplicas: int32,
  currentRevision: string,
  updateRevision: string,
  collisionCount: at(9, pointer(int32)),
  conditions: listBy('type', statefulSetCondition),
  availableReplicas: always(int32),
})

export const rollingUpdateDaemonSet = struct({
  maxUnavailable: pointer(intOrString),
  maxSurge: pointer(intOrString),
})

export const daemonSetUpdateStrategy = struct({
  type: string,
  rollingUpdate: pointer(rollingUpdateDaemonSet),
})

export const daemonSetSpec = struct({
  selector: always(pointer(labelSelector)),
  template: podTemplateSpec,
  updateStrategy: daemonSetUpdateStrategy,
  minReadySeconds: int32,
  revisionHistoryLimit: at(6, pointer(int32)),
})

export const daemonSetCondition = struct({
  type: always(string),
  status: always(string),
  lastTransitionTime: time,
  reason: string,
  message: string,
})

export const daemonSetStatus = struct({
  currentNumberScheduled: always(int32),
  numberMisscheduled: always(int32),
  desiredNumberScheduled: always(int32),
  numberReady: always(int32),
  observedGeneration: int64,
  updatedNumberScheduled: int32,
  numberAvailable: int32,
  numberUnavailable: int32,
  collisionCount: pointer(int32),
  conditions: listBy('type', daemonSetCondition),
})

export const replicaSetSpec = struct({
  replicas: pointer(int32),
  selector: always(pointer(labelSelector)),
  template: podTemplateSpec,
  minReadySeconds: int32,
})

export const replicaSetCondition = struct({
  type: always(string),
  status: always(string),
  lastTransitionTime: time,
  reason: string,
  message: string,
})

export const replicaSetStatus = struct({
  replicas: always(int32),
  fullyLabeledReplicas: int32,
  observedGeneration: int64,
  readyReplicas: int32,
  availableReplicas: int32,
  conditions: listBy('type', replicaSetCondition),
  terminatingReplicas: pointer(int32),
})
