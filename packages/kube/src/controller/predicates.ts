import type { KubernetesObject } from '@windlass/api'
import type { CacheChange, Receives } from '../cache/cache.ts'
import { equalJson } from '../objects/equal.ts'
import type { Predicate } from './definition.ts'

/** Every change. */
export const always: Predicate<KubernetesObject> = () => true

/**
 * A predicate about updates, by what the object was and is. Objects that appear or vanish are always a reason to look.
 */
function onUpdate<T>(hasChanged: (old: T, now: T) => boolean): Predicate<T> {
  return (change: CacheChange<T>) => change.type !== 'updated' || hasChanged(change.old, change.object)
}

/**
 * The spec has changed, or deletion was asked for; status, labels and annotations do not count. Kinds whose objects have no generation
 * (ConfigMaps, Secrets) change with every write.
 */
export const generationChanged: Predicate<KubernetesObject> = onUpdate(
  (old: KubernetesObject, { metadata }) => metadata.generation === undefined || old.metadata.generation !== metadata.generation,
)

/** Any write at all; not the same object told again. */
export const resourceVersionChanged: Predicate<KubernetesObject> = onUpdate(
  (old: KubernetesObject, now) => old.metadata.resourceVersion !== now.metadata.resourceVersion,
)

/** One of these labels has changed; any, when none is named. */
export function labelChanged(...names: readonly string[]): Predicate<KubernetesObject> {
  return onUpdate((old: KubernetesObject, now) => differ(old.metadata.labels, now.metadata.labels, names))
}

/** One of these annotations has changed; any, when none is named. */
export function annotationChanged(...names: readonly string[]): Predicate<KubernetesObject> {
  return onUpdate((old: KubernetesObject, now) => differ(old.metadata.annotations, now.metadata.annotations, names))
}

/** What `of` picks has changed: `changed((pool: NodePool) => pool.spec.release)`. */
export function changed<T extends KubernetesObject>(of: Receives<T, unknown>): Predicate<T> {
  return onUpdate((old: T, now) => !equalJson(of(old), of(now)))
}

/** Deletion was asked for, or the object is gone; nothing else. One that is first seen on its way out counts. */
export const deletion: Predicate<KubernetesObject> = (change) => {
  if (change.type === 'deleted') return true
  if (change.object.metadata.deletionTimestamp === undefined) return false
  return change.type === 'added' || change.old.metadata.deletionTimestamp === undefined
}

export function and<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change))
}

export function or<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change))
}

/** The opposite, of appearing and vanishing too: `not(generationChanged)` lets no new object through. */
export function not<T>(predicate: Predicate<T>): Predicate<T> {
  return (change) => !predicate(change)
}

type Texts = Readonly<Record<string, string>>

function differ(old: Texts = {}, now: Texts = {}, names: readonly string[]): boolean {
  return names.length === 0 ? !equalJson(old, now) : names.some((name) => old[name] !== now[name])
}
