import { always, at, list, listBy, map, pointer, quantity, string, struct, time } from '../dsl/index.ts'
import { labelSelector, objectMeta } from './meta.ts'
import { typedLocalObjectReference, typedObjectReference } from './references.ts'

/** Claims of storage: PersistentVolumeClaims and the templates of them. */

export const volumeResourceRequirements = struct({
  limits: map(quantity),
  requests: map(quantity),
})

export const persistentVolumeClaimSpec = struct({
  accessModes: list(string),
  resources: volumeResourceRequirements,
  volumeName: string,
  selector: pointer(labelSelector),
  storageClassName: pointer(string),
  volumeMode: pointer(string),
  dataSource: pointer(typedLocalObjectReference),
  dataSourceRef: pointer(typedObjectReference),
  volumeAttributesClassName: pointer(string),
})

export const persistentVolumeClaimCondition = struct({
  type: always(string),
  status: always(string),
  lastProbeTime: time,
  lastTransitionTime: time,
  reason: string,
  message: string,
})

export const modifyVolumeStatus = struct({
  targetVolumeAttributesClassName: string,
  status: always(string),
})

export const persistentVolumeClaimStatus = struct({
  phase: string,
  accessModes: list(string),
  capacity: map(quantity),
  conditions: listBy('type', persistentVolumeClaimCondition),
  allocatedResources: map(quantity),
  allocatedResourceStatuses: at(7, map(string)),
  currentVolumeAttributesClassName: pointer(string),
  modifyVolumeStatus: pointer(modifyVolumeStatus),
})

export const persistentVolumeClaimTemplate = struct({
  metadata: objectMeta,
  spec: persistentVolumeClaimSpec,
})
