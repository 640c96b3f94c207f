import { capi } from '@windlass/api'
import { type Action, create, mergePatchBetween, patch, refOf } from '@windlass/kube'
import type { Draft } from '@windlass/kube'
import type { Seen } from '../seen.ts'
import type { Target } from '../target.ts'
import type { TargetTemplate } from '../templates/index.ts'
import { Annotation, Label } from '../wire.ts'
import { isMachineDeploymentComplete } from './completion.ts'
import { differs, isSpot, machineLabels, machineSpecOf, ownerMetadata } from './machine-template.ts'
import type { MachinesOutcome } from './outcome.ts'

/**
 * The MachineDeployment of a Replace pool.
 *
 * A pass that gives it something new to make machines from says nothing about how far they are: the counters are those of before. Only a pass that
 * finds it as it should be looks at them.
 */
export function machineDeploymentOutcome(seen: Seen, target: Target, template: TargetTemplate): MachinesOutcome {
  const live = seen.machineDeployment
  if (live === undefined) {
    const draft = machineDeployment(seen, undefined, target, template)
    return { actions: [create(capi.MachineDeployment, draft, 'the pool needs machines')], seen: undefined }
  }
  const change = mergePatchBetween(live, { ...live, ...machineDeployment(seen, live, target, template) })
  const difference = differs(live, target, template)
  const isRetargeted = difference.userData || difference.template
  const because = isRetargeted ? `machines are to be made from ${target.userDataSecret} and ${template.name}` : 'the pool says so'
  const actions: readonly Action[] = change === undefined ? [] : [patch(capi.MachineDeployment, refOf(live), change, because)]
  if (isRetargeted) return { actions, seen: undefined }
  return {
    actions,
    seen: {
      // A change of this pass, such as another number of machines, is not counted yet either.
      isComplete: change?.['spec'] === undefined && isMachineDeploymentComplete(live),
      available: live.status?.availableReplicas ?? 0,
      conditions: live.status?.conditions ?? [],
    },
  }
}

function machineDeployment(
  seen: Seen,
  live: capi.MachineDeployment | undefined,
  target: Target,
  template: TargetTemplate,
): Draft<capi.MachineDeployment> {
  const { replicas, labels, annotations } = ownerMetadata(seen, live, template)
  const { strategy, rollingUpdate } = seen.pool.spec.management.replace ?? {}
  const before = live?.spec.template
  const isSameTarget = before?.spec?.bootstrap.dataSecretName === target.userDataSecret
  const version = (isSameTarget ? before.metadata?.annotations?.[Annotation.releaseVersion] : undefined) ?? target.version.text
  return {
    metadata: { ...live?.metadata, name: seen.name, namespace: seen.namespace, labels, annotations },
    spec: {
      ...live?.spec,
      clusterName: seen.cluster.spec.infraID ?? '',
      replicas,
      // Selectors cannot be changed.
      selector: live?.spec.selector ?? { matchLabels: machineLabels(seen) },
      strategy: {
        ...live?.spec.strategy,
        ...(strategy === undefined ? {} : { type: strategy }),
        ...(rollingUpdate === undefined ? {} : { rollingUpdate: { ...live?.spec.strategy?.rollingUpdate, ...rollingUpdate } }),
      },
      template: {
        metadata: {
          ...before?.metadata,
          labels: { ...before?.metadata?.labels, ...machineLabels(seen), ...(isSpot(seen) ? { [Label.interruptible]: '' } : {}) },
          annotations: { ...before?.metadata?.annotations, [Annotation.nodePool]: seen.key, [Annotation.releaseVersion]: version },
        },
        spec: machineSpecOf(seen, before?.spec, target, template),
      },
    },
  }
}
