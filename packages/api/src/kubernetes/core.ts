import type { Condition } from '@windlass/core'
import type { ObjectMeta } from '../meta/object-meta.ts'
import { builtin } from './builtin.ts'

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
