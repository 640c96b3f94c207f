import type { JsonObject } from '../json.ts'
import type { ObjectMeta } from '../meta/object-meta.ts'
import { builtin } from './builtin.ts'
import type { Affinity, Toleration } from './scheduling.ts'
import type { BuiltinCondition, LocalReference } from './shared.ts'
import type { Volume } from './volumes.ts'

export interface Pod {
  readonly apiVersion: 'v1'
  readonly kind: 'Pod'
  readonly metadata: ObjectMeta
  readonly spec: PodSpec
  readonly status?: {
    readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
    readonly reason?: string
    readonly message?: string
    readonly conditions?: readonly PodCondition[]
    readonly hostIP?: string
    readonly podIP?: string
    readonly startTime?: string
    readonly initContainerStatuses?: readonly ContainerStatus[]
    readonly containerStatuses?: readonly ContainerStatus[]
  }
}

export const Pod = builtin<Pod>({ apiVersion: 'v1', kind: 'Pod', plural: 'pods', hasStatusSubresource: true })

export interface PodCondition extends BuiltinCondition {
  readonly lastProbeTime?: string | null
}

export interface ContainerStatus {
  readonly name: string
  readonly ready: boolean
  readonly restartCount: number
  readonly image: string
  readonly imageID: string
  readonly started?: boolean
  readonly state?: ContainerState
  /** How its last run ended, once there was one. */
  readonly lastState?: ContainerState
}

/** One of the three, or none while nothing is known. */
export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string }
  readonly running?: { readonly startedAt?: string }
  readonly terminated?: {
    readonly exitCode: number
    readonly reason?: string
    readonly message?: string
    readonly startedAt?: string
    readonly finishedAt?: string
  }
}

/** What the controllers of workloads make Pods from. */
export interface PodTemplate {
  readonly metadata?: ObjectMeta
  readonly spec: PodSpec
}

export interface PodSpec {
  readonly containers: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly volumes?: readonly Volume[]
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never'
  readonly terminationGracePeriodSeconds?: number
  readonly serviceAccountName?: string
  readonly automountServiceAccountToken?: boolean
  readonly imagePullSecrets?: readonly LocalReference[]
  /** The node that it was put on; empty before. */
  readonly nodeName?: string
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly affinity?: Affinity
  readonly tolerations?: readonly Toleration[]
  readonly priorityClassName?: string
  readonly hostNetwork?: boolean
  readonly hostPID?: boolean
  readonly securityContext?: { readonly runAsUser?: number; readonly runAsNonRoot?: boolean; readonly fsGroup?: number }
}

export interface Container {
  readonly name: string
  readonly image?: string
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never'
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: readonly EnvironmentVariable[]
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number; readonly protocol?: string }[]
  readonly resources?: ResourceRequirements
  readonly volumeMounts?: readonly {
    readonly name: string
    readonly mountPath: string
    readonly subPath?: string
    readonly readOnly?: boolean
  }[]
  /** Probes are passed on as they are. */
  readonly livenessProbe?: JsonObject
  readonly readinessProbe?: JsonObject
  readonly startupProbe?: JsonObject
  readonly securityContext?: {
    readonly privileged?: boolean
    readonly runAsUser?: number
    readonly runAsNonRoot?: boolean
    readonly readOnlyRootFilesystem?: boolean
    readonly allowPrivilegeEscalation?: boolean
    readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] }
  }
}

/** Quantities by the name of the resource: `{ cpu: '100m', memory: '1Gi' }`. */
export interface ResourceRequirements {
  readonly requests?: Readonly<Record<string, string>>
  readonly limits?: Readonly<Record<string, string>>
}

export interface EnvironmentVariable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: {
    readonly configMapKeyRef?: KeyReference
    readonly secretKeyRef?: KeyReference
    readonly fieldRef?: { readonly fieldPath: string }
  }
}

/** One key of a ConfigMap or of a Secret. */
export interface KeyReference extends LocalReference {
  readonly key: string
  readonly optional?: boolean
}
