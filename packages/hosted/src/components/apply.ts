import type { Deployment, Job, JsonObject, LocalReference, ObjectMeta, OwnerReference, StatefulSet } from '@windlass/api'
import { isTrue } from '@windlass/core'
import { ensurePatch, mergePatchBetween } from '@windlass/kube'
import { hashOf } from './hash.ts'
import type { ManifestObject } from './manifest.ts'
import { Annotation } from './wire.ts'

/** What is to be done about one object, and why. */
export type ApplyDecision<T extends ManifestObject = ManifestObject> =
  | { readonly do: 'create'; readonly object: ManifestObject; readonly because: string }
  /** By a merge patch. */
  | { readonly do: 'update'; readonly live: T; readonly patch: JsonObject; readonly because: string }
  | { readonly do: 'leave'; readonly live: T }
  /** It is on its way out: it is made anew once it is gone. */
  | { readonly do: 'await'; readonly live: T }
  /** It is made anew in a later pass. */
  | { readonly do: 'delete'; readonly live: T; readonly because: string }

/**
 * How a live object becomes the desired one.
 *
 * The hash of the desired state is kept on the object. When it differs, what the object has beyond its desired state goes too: it may be something
 * that we wanted earlier. When it does not, only what is missing is put back. Either way labels, annotations, finalizers and owners of others stay,
 * and so does what cannot be changed.
 *
 * `without` are labels that must not be there, which nothing else would remove.
 */
export function decideApply<T extends ManifestObject>(desired: T, live: T | undefined, without: readonly string[] = []): ApplyDecision<T> {
  const hash = hashOf(desired)
  if (live === undefined) return { do: 'create', object: withHash(desired, hash), because: 'it is missing' }
  if (live.metadata.deletionTimestamp !== undefined) return { do: 'await', live }
  if (desired.kind === 'Job' && live.kind === 'Job') {
    const problem = problemOfJob(desired, live)
    return problem === undefined ? { do: 'leave', live } : { do: 'delete', live, because: problem }
  }
  const kept = withHash(keepLive(desired, live), hash)
  const superfluous = without.filter((label) => live.metadata.labels?.[label] !== undefined)
  if (live.metadata.annotations?.[Annotation.desiredStateHash] !== hash)
    return update(live, mergePatchBetween(live, replaced(live, kept, without)), 'its desired state has changed')
  if (superfluous.length > 0)
    return update(live, mergePatchBetween(live, replaced(live, kept, without)), `it must not have the label ${superfluous.join(', ')}`)
  return update(live, ensurePatch(live, kept), 'it is not as it was left')
}

function update<T extends ManifestObject>(live: T, patch: JsonObject | undefined, because: string): ApplyDecision<T> {
  return patch === undefined ? { do: 'leave', live } : { do: 'update', live, patch, because }
}

/** Jobs cannot be changed: one that failed, or that was made from another spec, is made anew. */
function problemOfJob(desired: Job, live: Job): string | undefined {
  if (isFailed(live)) return 'it failed'
  const wanted = { metadata: {}, spec: desired.spec }
  return ensurePatch(live, wanted) === undefined ? undefined : 'it was made from another spec'
}

export function isFailed({ status }: Job): boolean {
  return isTrue(status?.conditions, 'Failed')
}

function withHash<T extends ManifestObject>(object: T, hash: string): T {
  const { metadata } = object
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [Annotation.desiredStateHash]: hash } } }
}

/** Everything of the live object that is not ours to say, and everything else as it is desired. */
function replaced(live: ManifestObject, desired: ManifestObject, without: readonly string[]): object {
  const { metadata, ...rest } = desired
  return {
    ...rest,
    metadata: mergedMetadata(live.metadata, metadata, without),
    ...('status' in live ? { status: live.status } : {}),
  }
}

function mergedMetadata(live: ObjectMeta, desired: ObjectMeta, without: readonly string[]): ObjectMeta {
  const labels = { ...live.labels, ...desired.labels }
  return {
    ...live,
    ...(Object.keys(labels).length === 0
      ? {}
      : { labels: Object.fromEntries(Object.entries(labels).filter(([label]) => !without.includes(label))) }),
    annotations: { ...live.annotations, ...desired.annotations },
    ...(desired.ownerReferences === undefined ? {} : { ownerReferences: mergedOwners(live.ownerReferences, desired.ownerReferences) }),
  }
}

function mergedOwners(live: readonly OwnerReference[] = [], desired: readonly OwnerReference[]): readonly OwnerReference[] {
  return [...live.filter(({ uid }) => desired.every((owner) => owner.uid !== uid)), ...desired]
}

/** What cannot be changed, or is filled in by others after an object was made, is taken from the live one. */
function keepLive(desired: ManifestObject, live: ManifestObject): ManifestObject {
  if (desired.kind === 'Deployment' && live.kind === 'Deployment') return keepSelector(desired, live)
  if (desired.kind === 'StatefulSet' && live.kind === 'StatefulSet') return keepIdentity(desired, live)
  if (desired.kind === 'ServiceAccount' && live.kind === 'ServiceAccount')
    return {
      ...desired,
      imagePullSecrets: mergedReferences(desired.imagePullSecrets, live.imagePullSecrets),
      ...(live.secrets === undefined ? {} : { secrets: live.secrets }),
    }
  // Addresses were allocated to it.
  if (desired.kind === 'Service' && live.kind === 'Service') return { ...desired, spec: { ...live.spec, ...desired.spec } }
  return desired
}

/** Selectors cannot be changed; pods must keep the labels that they select. */
function keepSelector(desired: Deployment, live: Deployment): Deployment {
  const { selector } = live.spec
  return { ...desired, spec: { ...desired.spec, selector, template: selected(desired.spec.template, selector) } }
}

function keepIdentity(desired: StatefulSet, live: StatefulSet): StatefulSet {
  const { selector, serviceName, podManagementPolicy, volumeClaimTemplates } = live.spec
  return {
    ...desired,
    spec: {
      ...desired.spec,
      selector,
      serviceName,
      template: selected(desired.spec.template, selector),
      ...(podManagementPolicy === undefined ? {} : { podManagementPolicy }),
      ...(volumeClaimTemplates === undefined ? {} : { volumeClaimTemplates }),
    },
  }
}

function selected(
  template: Deployment['spec']['template'],
  { matchLabels = {} }: Deployment['spec']['selector'],
): Deployment['spec']['template'] {
  const { metadata } = template
  return { ...template, metadata: { ...metadata, labels: { ...metadata?.labels, ...matchLabels } } }
}

/** In the order in which they are there: another order would look like a change. */
function mergedReferences(desired: readonly LocalReference[] = [], live: readonly LocalReference[] = []): readonly LocalReference[] {
  const missing = desired.filter(({ name }) => live.every((reference) => reference.name !== name))
  return [...live, ...missing]
}
