import type { KubernetesObject, Resource } from '@windlass/api'
import { create, patch, refOf, remove } from '@windlass/kube'
import type { Action } from '@windlass/kube'
import type { ApplyDecision } from './apply.ts'
import type { ManifestObject } from './manifest.ts'

/** A decision as something that can be carried out; none when there is nothing to do. */
export function actionsFor(kind: Resource<ManifestObject>, decision: ApplyDecision): readonly Action[] {
  switch (decision.do) {
    case 'create':
      return [create(kind, decision.object, decision.because)]
    case 'update':
      return [patch(kind, refOf(decision.live), decision.patch, decision.because, { ifStill: decision.live })]
    case 'delete':
      return removal(kind, decision.live, decision.because, 'Foreground')
    case 'leave':
    case 'await':
      return []
    default:
      return decision satisfies never
  }
}

/** Deletes an object that is there and not on its way out already. */
export function removal(
  kind: Resource,
  object: KubernetesObject | undefined,
  reason: string,
  propagation: 'Background' | 'Foreground' = 'Background',
): readonly Action[] {
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return []
  return [remove(kind, object, reason, { propagation })]
}
