import type { capi } from '@windlass/api'
import { formatDuration, tryParseDuration } from '@windlass/core'
import { resourcesNameOf } from '../names.ts'
import type { Seen } from '../seen.ts'
import type { Target } from '../target.ts'
import { isSpotPool, type TargetTemplate } from '../templates/index.ts'
import { Annotation, Label } from '../wire.ts'
import { canScaleFromZero, capacityAnnotations, capacityAnnotationsFor } from './scale-from-zero.ts'
import { scalingOf } from './replicas.ts'

export type Template = NonNullable<capi.MachineSet['spec']['template']>
type MachineSpec = NonNullable<Template['spec']>

/** What a MachineDeployment and a MachineSet have in common. */
export interface MachineOwner {
  readonly metadata: capi.MachineSet['metadata']
  readonly spec: { readonly replicas?: number; readonly template?: Template }
}

/** Whether machines are to be made from something else than now. */
export function differs(
  { spec }: MachineOwner,
  target: Target,
  template: TargetTemplate,
): { readonly userData: boolean; readonly template: boolean } {
  const { bootstrap, infrastructureRef } = spec.template?.spec ?? {}
  return { userData: bootstrap?.dataSecretName !== target.userDataSecret, template: infrastructureRef?.name !== template.name }
}

/** The labels by which machines of a pool are known. */
export function machineLabels({ cluster, pool }: Seen): Readonly<Record<string, string>> {
  const resourcesName = resourcesNameOf(cluster, pool)
  return { [Label.clusterName]: cluster.spec.infraID ?? '', [resourcesName]: resourcesName }
}

/** Machines that the cloud may take back at any time. */
export function isSpot({ pool }: Seen): boolean {
  return isSpotPool(pool)
}

/** Annotations and the number of machines; no longer paused. */
export function ownerMetadata(
  seen: Seen,
  live: MachineOwner | undefined,
  template: TargetTemplate,
): {
  readonly replicas: number
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
} {
  const scaling = scalingOf(seen.pool, live?.spec.replicas ?? 0, canScaleFromZero(seen, template.live))
  const offered = capacityAnnotationsFor(seen, template.live)
  const { [Annotation.paused]: _, ...before } = live?.metadata.annotations ?? {}
  const kept = offered === undefined ? before : without(before, capacityAnnotations)
  return {
    replicas: scaling.replicas,
    labels: { ...live?.metadata.labels, [Label.clusterName]: seen.cluster.spec.infraID ?? '' },
    annotations: { ...kept, ...offered, ...scaling.annotations, [Annotation.nodePool]: seen.key },
  }
}

/**
 * The spec of a machine. User data and version go together: the version says what the user data will make of it. It is the version of OpenShift, not that
 * of Kubernetes.
 */
export function machineSpecOf(seen: Seen, before: MachineSpec | undefined, target: Target, template: TargetTemplate): MachineSpec {
  const { nodeDrainTimeout, nodeVolumeDetachTimeout } = seen.pool.spec
  const { nodeDrainTimeout: _drain, nodeVolumeDetachTimeout: _detach, ...rest } = before ?? {}
  const isSame = before?.bootstrap.dataSecretName === target.userDataSecret
  return {
    ...rest,
    clusterName: seen.cluster.spec.infraID ?? '',
    bootstrap: isSame ? before.bootstrap : { ...before?.bootstrap, dataSecretName: target.userDataSecret },
    ...(isSame && before.version !== undefined ? { version: before.version } : { version: target.version.text }),
    infrastructureRef:
      before?.infrastructureRef.name === template.name
        ? before.infrastructureRef
        : { apiVersion: template.kind.apiVersion, kind: template.kind.kind, namespace: seen.namespace, name: template.name },
    ...(nodeDrainTimeout === undefined ? {} : { nodeDrainTimeout: canonicalDuration(nodeDrainTimeout) }),
    ...(nodeVolumeDetachTimeout === undefined ? {} : { nodeVolumeDetachTimeout: canonicalDuration(nodeVolumeDetachTimeout) }),
  }
}

/** A duration as Go writes it; a text that is none stays as it is, for the API to refuse. */
export function canonicalDuration(text: string): string {
  const duration = tryParseDuration(text)
  return duration === undefined ? text : formatDuration(duration)
}

function without(record: Readonly<Record<string, string>>, keys: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))
}
