import type { KubernetesObject, Resource } from '@windlass/api'
import type { CachedKind, CacheReader } from '../cache/cache.ts'
import { kindOf } from '../cache/declaration.ts'
import type { Ref } from '../client/client.ts'
import { controllerOf } from '../objects/owners.ts'
import type { Predicate, Watching } from './definition.ts'
import { always } from './predicates.ts'

/** A kind as a controller names it: all of its objects, or as many as a declaration says. */
export type Watched<T extends KubernetesObject = KubernetesObject> = CachedKind<T, string> | Resource<T>

/**
 * Watches another kind, and says whom of ours a change concerns: `watching(Secret, (secret, cache) => clustersUsing(secret, cache))`. After a change, `map` is asked
 * about the object as it is and as it was: whoever it no longer concerns must look too.
 */
export function watching<T extends KubernetesObject>(
  of: Watched<T>,
  map: (object: T, cache: CacheReader) => readonly Ref[],
  predicate: Predicate<T> = always,
): Watching<T> {
  return { of, map, predicate }
}

/** Watches a kind whose objects have one of `owners` as their controller. */
export function watchingOwned(of: Watched, owners: Watched): Watching {
  return watching(of, (object, cache) => {
    const owner = ownerIn(owners, object, cache)
    return owner === undefined ? [] : [owner]
  })
}

/**
 * Which object of the kind controls this one. The version does not matter: references name the one that was current when they were made. An
 * owner of the same name but with another uid is another object, and none of its business; one that is not in the cache may come yet.
 */
function ownerIn(owners: Watched, object: KubernetesObject, cache: CacheReader): Ref | undefined {
  const kind = kindOf(owners)
  const owner = controllerOf(object)
  if (owner === undefined || owner.kind !== kind.kind || groupOf(owner.apiVersion) !== kind.group) return undefined
  const { namespace } = object.metadata
  const ref = kind.scope === 'Namespaced' && namespace !== undefined ? { namespace, name: owner.name } : { name: owner.name }
  const known = cache.get(owners, ref)
  return known === undefined || known.metadata.uid === owner.uid ? ref : undefined
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? '' : apiVersion.slice(0, slash)
}
