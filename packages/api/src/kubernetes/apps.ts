import type { ObjectMeta } from '../meta/object-meta.ts'
import { builtin } from './builtin.ts'
import type { PodTemplate } from './pods.ts'
import type { BuiltinCondition, IntOrPercent, LabelSelector } from './shared.ts'
import type { VolumeClaimTemplate } from './volumes.ts'

/** How many Pods a rollout may add and miss. */
export interface RollingUpdate {
  readonly maxSurge?: IntOrPercent
  readonly maxUnavailable?: IntOrPercent
}

export interface Deployment {
  readonly apiVersion: 'apps/v1'
  readonly kind: 'Deployment'
  readonly metadata: ObjectMeta
  readonly spec: {
    readonly replicas?: number
    readonly selector: LabelSelector
    readonly template: PodTemplate
    readonly strategy?: { readonly type?: 'RollingUpdate' | 'Recreate'; readonly rollingUpdate?: RollingUpdate }
    readonly minReadySeconds?: number
    readonly revisionHistoryLimit?: number
    readonly progressDeadlineSeconds?: number
    readonly paused?: boolean
  }
  /** Counts that are zero are left out. */
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly updatedReplicas?: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
    readonly unavailableReplicas?: number
    readonly conditions?: readonly DeploymentCondition[]
  }
}

export const Deployment = builtin<Deployment>({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  plural: 'deployments',
  hasStatusSubresource: true,
})

export interface DeploymentCondition extends BuiltinCondition {
  readonly lastUpdateTime?: string | null
}

export interface StatefulSet {
  readonly apiVersion: 'apps/v1'
  readonly kind: 'StatefulSet'
  readonly metadata: ObjectMeta
  readonly spec: {
    readonly replicas?: number
    readonly selector: LabelSelector
    readonly template: PodTemplate
    readonly serviceName: string
    readonly podManagementPolicy?: 'OrderedReady' | 'Parallel'
    readonly updateStrategy?: {
      readonly type?: 'RollingUpdate' | 'OnDelete'
      readonly rollingUpdate?: { readonly partition?: number; readonly maxUnavailable?: IntOrPercent }
    }
    readonly minReadySeconds?: number
    readonly ordinals?: { readonly start: number }
    readonly revisionHistoryLimit?: number
    readonly volumeClaimTemplates?: readonly VolumeClaimTemplate[]
  }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas: number
    readonly currentReplicas?: number
    readonly updatedReplicas?: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
    readonly currentRevision?: string
    readonly updateRevision?: string
    readonly conditions?: readonly BuiltinCondition[]
  }
}

export const StatefulSet = builtin<StatefulSet>({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  hasStatusSubresource: true,
})

export interface ReplicaSet {
  readonly apiVersion: 'apps/v1'
  readonly kind: 'ReplicaSet'
  readonly metadata: ObjectMeta
  readonly spec: {
    readonly replicas?: number
    readonly selector: LabelSelector
    readonly template?: PodTemplate
    readonly minReadySeconds?: number
  }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas: number
    readonly fullyLabeledReplicas?: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
    readonly conditions?: readonly BuiltinCondition[]
  }
}

export const ReplicaSet = builtin<ReplicaSet>({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  hasStatusSubresource: true,
})

export interface DaemonSet {
  readonly apiVersion: 'apps/v1'
  readonly kind: 'DaemonSet'
  readonly metadata: ObjectMeta
  readonly spec: {
    readonly selector: LabelSelector
    readonly template: PodTemplate
    readonly updateStrategy?: { readonly type?: 'RollingUpdate' | 'OnDelete'; readonly rollingUpdate?: RollingUpdate }
    readonly minReadySeconds?: number
  }
  readonly status?: {
    readonly observedGeneration?: number
    readonly currentNumberScheduled: number
    readonly numberMisscheduled: number
    readonly desiredNumberScheduled: number
    readonly numberReady: number
    readonly updatedNumberScheduled?: number
    readonly numberAvailable?: number
    readonly numberUnavailable?: number
    readonly conditions?: readonly BuiltinCondition[]
  }
}

export const DaemonSet = builtin<DaemonSet>({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  hasStatusSubresource: true,
})
