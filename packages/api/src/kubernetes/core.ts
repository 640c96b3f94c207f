import type { Condition } from '@windlass/core'
import type { ObjectMeta } from '../meta/object-meta.ts'
import { builtin } from './builtin.ts'
import type { LocalReference } from './shared.ts'

export interface Namespace {
  readonly apiVersion: 'v1'
  readonly kind: 'Namespace'
  readonly metadata: ObjectMeta
  readonly spec?: { readonly finalizers?: readonly string[] }
  readonly status?: { readonly phase?: 'Active' | 'Terminating'; readonly conditions?: readonly Condition[] }
}

export const Namespace = builtin<Namespace>({
  apiVersion: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
  hasStatusSubresource: true,
})

export interface ConfigMap {
  readonly apiVersion: 'v1'
  readonly kind: 'ConfigMap'
  readonly metadata: ObjectMeta
  readonly data?: Readonly<Record<string, string>>
  readonly binaryData?: Readonly<Record<string, string>>
  readonly immutable?: boolean
  readonly status?: never
}

export const ConfigMap = builtin<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' })

export interface Secret {
  readonly apiVersion: 'v1'
  readonly kind: 'Secret'
  readonly metadata: ObjectMeta
  readonly type?: string
  /** Values in base64. */
  readonly data?: Readonly<Record<string, string>>
  /** Values as they are, for writing only: the server turns them into `data`. */
  readonly stringData?: Readonly<Record<string, string>>
  readonly immutable?: boolean
  readonly status?: never
}

export const Secret = builtin<Secret>({ apiVersion: 'v1', kind: 'Secret', plural: 'secrets' })

export interface ServiceAccount {
  readonly apiVersion: 'v1'
  readonly kind: 'ServiceAccount'
  readonly metadata: ObjectMeta
  readonly imagePullSecrets?: readonly LocalReference[]
  readonly secrets?: readonly LocalReference[]
  readonly automountServiceAccountToken?: boolean
  readonly status?: never
}

export const ServiceAccount = builtin<ServiceAccount>({ apiVersion: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts' })

export interface Service {
  readonly apiVersion: 'v1'
  readonly kind: 'Service'
  readonly metadata: ObjectMeta
  readonly spec: {
    readonly type?: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName'
    readonly selector?: Readonly<Record<string, string>>
    readonly ports?: readonly ServicePort[]
    /** `None` for a Service that is only a name for its Pods. */
    readonly clusterIP?: string
    readonly externalName?: string
    readonly externalTrafficPolicy?: 'Cluster' | 'Local'
    readonly loadBalancerSourceRanges?: readonly string[]
    readonly publishNotReadyAddresses?: boolean
  }
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] }
  }
}

export const Service = builtin<Service>({ apiVersion: 'v1', kind: 'Service', plural: 'services', hasStatusSubresource: true })

export interface ServicePort {
  readonly name?: string
  readonly protocol?: string
  readonly port: number
  /** A port of the Pods, by number or by name. */
  readonly targetPort?: number | string
  readonly nodePort?: number
}
