import type { ObjectMeta } from '../meta/object-meta.ts'
import { builtin } from './builtin.ts'
import type { LabelSelector } from './shared.ts'

const apiVersion = 'rbac.authorization.k8s.io/v1'

export interface PolicyRule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}

export interface Subject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount'
  /** `rbac.authorization.k8s.io` for users and groups, nothing for service accounts. */
  readonly apiGroup?: string
  readonly name: string
  readonly namespace?: string
}

/** Cannot be changed: a binding to another role is another binding. */
export interface RoleReference {
  readonly apiGroup: 'rbac.authorization.k8s.io'
  readonly kind: 'Role' | 'ClusterRole'
  readonly name: string
}

export interface Role {
  readonly apiVersion: typeof apiVersion
  readonly kind: 'Role'
  readonly metadata: ObjectMeta
  readonly rules?: readonly PolicyRule[] | null
  readonly status?: never
}

export const Role = builtin<Role>({ apiVersion, kind: 'Role', plural: 'roles' })

export interface ClusterRole {
  readonly apiVersion: typeof apiVersion
  readonly kind: 'ClusterRole'
  readonly metadata: ObjectMeta
  readonly rules?: readonly PolicyRule[] | null
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] }
  readonly status?: never
}

export const ClusterRole = builtin<ClusterRole>({ apiVersion, kind: 'ClusterRole', plural: 'clusterroles', scope: 'Cluster' })

export interface RoleBinding {
  readonly apiVersion: typeof apiVersion
  readonly kind: 'RoleBinding'
  readonly metadata: ObjectMeta
  readonly subjects?: readonly Subject[]
  readonly roleRef: RoleReference
  readonly status?: never
}

export const RoleBinding = builtin<RoleBinding>({ apiVersion, kind: 'RoleBinding', plural: 'rolebindings' })

export interface ClusterRoleBinding {
  readonly apiVersion: typeof apiVersion
  readonly kind: 'ClusterRoleBinding'
  readonly metadata: ObjectMeta
  readonly subjects?: readonly Subject[]
  readonly roleRef: RoleReference
  readonly status?: never
}

export const ClusterRoleBinding = builtin<ClusterRoleBinding>({
  apiVersion,
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  scope: 'Cluster',
})
