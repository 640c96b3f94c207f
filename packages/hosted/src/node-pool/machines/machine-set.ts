import { capi } from '@windlass/api'
import { type Action, create, mergePatchBetween, patch, refOf } from '@windlass/kube'
import type { Draft } from '@windlass/kube'
import { resourcesNameOf } from '../names.ts'
import { ownMachineSetOf, type Seen } from '../seen.ts'
import type { Target } from '../target.ts'
import type { TargetTemplate } from '../templates/index.ts'
import { Annotation, Label, PoolAnnotation } from '../wire.ts'
import { isMachineSetComplete } from './completion.ts'
import { differs, isSpot, machineLabels, machineSpecOf, ownerMetadata } from './machine-template.ts'
import { managedLabels, taintsText } from './node-metadata.ts'
import type { MachinesOutcome } from './outcome.ts'
import { inPlaceMaxUnavailable } from './replicas.ts'

/**
 * The MachineSet of an InPlace pool. What it is made from matters for new machines only; those that are there are brought to the target by the in-place
 * upgrader, which is asked by an annotation and answers by another.
 */
export function machineSetOutcome(seen: Seen, target: Target, template: TargetTemplate): MachinesOutcome {
  const live = ownMachineSetOf(seen)
  if (live === undefined) {
    return { actions: [create(capi.MachineSet, machineSet(seen, undefined, target, template), 'the pool needs machines')], seen: undefined }
  }
  const change = mergePatchBetween(live, { ...live, ...machineSet(seen, live, target, template) })
  const difference = differs(live, target, template)
  const isRetargeted = difference.userData || difference.template
  const because = isRetargeted ? `nodes are to have configuration ${target.hash}` : 'the pool says so'
  const actions: readonly Action[] = change === undefined ? [] : [patch(capi.MachineSet, refOf(live), change, because)]
  if (isRetargeted) return { actions, seen: undefined }
  const isAsked = live.metadata.annotations?.[Annotation.targetConfigVersion] === target.hash
  return {
    actions,
    seen: {
      isComplete: isAsked && isMachineSetComplete(live),
      available: live.status?.availableReplicas ?? 0,
      conditions: live.status?.conditions ?? [],
    },
  }
}

function machineSet(seen: Seen, live: capi.MachineSet | undefined, target: Target, template: TargetTemplate): Draft<capi.MachineSet> {
  const { replicas, labels, annotations } = ownerMetadata(seen, live, template)
  const resourcesName = resourcesNameOf(seen.cluster, seen.pool)
  // A set that is only just made has no nodes that could be at another configuration.
  const current = live?.metadata.annotations?.[PoolAnnotation.currentConfigVersion] ?? target.hash
  const before = live?.spec.template
  return {
    metadata: {
      ...live?.metadata,
      name: seen.name,
      namespace: seen.namespace,
      labels,
      annotations: {
        ...annotations,
        [Annotation.maxUnavailable]: `${inPlaceMaxUnavailable(seen.pool)}`,
        [Annotation.targetConfigVersion]: target.hash,
        [PoolAnnotation.currentConfigVersion]: current,
      },
    },
    spec: {
      ...live?.spec,
      clusterName: seen.cluster.spec.infraID ?? '',
      replicas,
      selector: live?.spec.selector ?? { matchLabels: { [resourcesName]: resourcesName } },
      template: {
        metadata: {
          ...before?.metadata,
          labels: { ...machineLabels(seen), ...managedLabels(seen.pool), ...(isSpot(seen) ? { [Label.interruptible]: '' } : {}) },
          annotations: { ...before?.metadata?.annotations, [Annotation.nodePool]: seen.key, [Annotation.taints]: taintsText(seen.pool) },
        },
        spec: machineSpecOf(seen, before?.spec, target, template),
      },
    },
  }
}
