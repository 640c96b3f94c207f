/**
 * Kinds that every Kubernetes API has, with the fields that we read or write; what else an object carries is kept, not described.
 *
 * A file per API group. The core group has more: `pods.ts` and what Pods are made of (`volumes.ts`, `scheduling.ts`), `nodes.ts`.
 * `builtin.ts` is what a declaration is, `shared.ts` what several kinds have in common.
 */
export { CustomResourceDefinition } from './apiextensions.ts'
export type { CrdNames, CrdVersion } from './apiextensions.ts'
export { DaemonSet, Deployment, ReplicaSet, StatefulSet } from './apps.ts'
export type { DeploymentCondition, RollingUpdate } from './apps.ts'
export { CronJob, Job } from './batch.ts'
export type { JobCondition, JobSpec } from './batch.ts'
export { ConfigMap, Namespace, Secret, Service, ServiceAccount } from './core.ts'
export type { ServicePort } from './core.ts'
export { Lease } from './coordination.ts'
export { Event, type EventReference } from './events.ts'
export { NetworkPolicy } from './networking.ts'
export type { NetworkPeer, NetworkPort } from './networking.ts'
export { Node } from './nodes.ts'
export type { NodeCondition, NodeInfo } from './nodes.ts'
export { Pod } from './pods.ts'
export type {
  Container,
  ContainerState,
  ContainerStatus,
  EnvironmentVariable,
  KeyReference,
  PodCondition,
  PodSpec,
  PodTemplate,
  ResourceRequirements,
} from './pods.ts'
export { PodDisruptionBudget } from './policy.ts'
export { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from './rbac.ts'
export type { PolicyRule, RoleReference, Subject } from './rbac.ts'
export type { Affinity, NodeSelectorTerm, PodAffinity, PodAffinityTerm, Taint, TaintEffect, Toleration } from './scheduling.ts'
export type { BuiltinCondition, IntOrPercent, LabelRequirement, LabelSelector, LocalReference, ObjectReference } from './shared.ts'
export type { ConfigMapSource, KeyToPath, ProjectedSource, Volume, VolumeClaimTemplate } from './volumes.ts'
