import type {
  ConfigMap,
  HostedControlPlane,
  KubernetesObject,
  ObjectMeta,
  PodDisruptionBudget,
  Resource,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  ServiceMonitor,
} from '@windlass/api'
import type { Component } from './component.ts'
import { annotationOf, namespaceOf, ownerReferenceTo } from './control-plane.ts'
import type { ControlPlane } from './control-plane.ts'
import type { Workload } from './workload.ts'
import { Annotation } from './wire.ts'

/** Every kind of object that is made for a component. */
export type ManifestObject =
  | Workload
  | ServiceAccount
  | Role
  | RoleBinding
  | ConfigMap
  | Secret
  | Service
  | PodDisruptionBudget
  | ServiceMonitor

/** One object besides its workload that a component has. */
export interface Manifest<T extends ManifestObject = ManifestObject> {
  readonly kind: Resource<T>
  readonly name: string
  /** False: the object is removed, if it is ours. */
  readonly isWanted: (hcp: HostedControlPlane) => boolean
  /** False: the object is not made yet, and kept if it is there. */
  readonly isDue: (hcp: HostedControlPlane) => boolean
  /** It belongs to another component, which makes and removes it. */
  readonly isShared: boolean
  /** `metadata` is what all objects of the component have in common; `live` is what is there, for those that are filled by others. */
  build(controlPlane: ControlPlane, metadata: ObjectMeta, live: T | undefined): T
}

/** The namespace of the control plane, as it was read. */
export interface LiveNamespace {
  find<T extends KubernetesObject>(kind: Resource<T>, name: string): T | undefined
  /** Objects with this label. */
  list<T extends KubernetesObject>(kind: Resource<T>, label: string, value: string): readonly T[]
  /** Whether the API server knows the kind. Monitors are a custom resource that a management cluster may not have. */
  serves(kind: Resource): boolean
}

/**
 * What all objects of a component have in common: the namespace, and the control plane as owner. What the controller of HostedClusters makes has no
 * owner; it is found again by an annotation.
 */
export function commonMetadata(component: Component, hcp: HostedControlPlane): ObjectMeta {
  const namespace = namespaceOf(hcp)
  if (component.runBy !== 'hosted-cluster') return { namespace, ownerReferences: [ownerReferenceTo(hcp)] }
  const cluster = annotationOf(hcp, Annotation.cluster)
  return { namespace, ...(cluster === undefined ? {} : { annotations: { [Annotation.cluster]: cluster } }) }
}

/** The object carries our owner reference: it is ours to delete. */
export function isOwnedByControlPlane(object: KubernetesObject, hcp: HostedControlPlane): boolean {
  return object.metadata.ownerReferences?.some(({ uid }) => uid === hcp.metadata.uid) === true
}
