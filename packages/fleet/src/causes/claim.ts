import type { KubernetesObject, Resource } from '@windlass/api'

/** Storage that a Pod has asked for. Nothing else here reads any, so that the kind is declared where it is needed. */
export interface PersistentVolumeClaim extends KubernetesObject {
  readonly apiVersion: 'v1'
  readonly kind: 'PersistentVolumeClaim'
  readonly spec?: { readonly storageClassName?: string; readonly volumeName?: string }
  readonly status?: { readonly phase?: string }
}

export const PersistentVolumeClaim: Resource<PersistentVolumeClaim> = {
  group: '',
  version: 'v1',
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  scope: 'Namespaced',
  hasStatusSubresource: true,
}
