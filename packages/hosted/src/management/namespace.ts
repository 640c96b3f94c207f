import { ConfigMap, Route, Secret } from '@windlass/api'
import type { CacheReader } from '@windlass/kube'
import { contentsHash } from '../components/index.ts'
import type { Facts, LiveNamespace } from '../components/index.ts'
import type { ServedKinds } from './served-kinds.ts'

/** The namespace of a control plane, as the caches show it. */
export function liveNamespace(cache: CacheReader, served: ServedKinds, namespace: string): LiveNamespace {
  return {
    find: (kind, name) => (served.has(kind) ? cache.get(kind, { namespace, name }) : undefined),
    list: (kind, label, value) =>
      served.has(kind) ? cache.list(kind, { namespace }).filter(({ metadata }) => metadata.labels?.[label] === value) : [],
    serves: (kind) => served.has(kind),
  }
}

/** What components ask about the rest of the namespace. */
export function factsOf(cache: CacheReader, served: ServedKinds, namespace: string): Facts {
  return {
    secrets: fingerprints(cache.list(Secret, { namespace })),
    configMaps: fingerprints(cache.list(ConfigMap, { namespace })),
    routes: new Set(served.has(Route) ? cache.list(Route, { namespace }).flatMap(nameWithHost) : []),
  }
}

/** Objects are immutable, so each is looked at once. */
const known = new WeakMap<Secret | ConfigMap, string>()

function fingerprints(objects: readonly (Secret | ConfigMap)[]): ReadonlyMap<string, string> {
  return new Map(objects.map((object) => [object.metadata.name ?? '', fingerprint(object)]))
}

function fingerprint(object: Secret | ConfigMap): string {
  const before = known.get(object)
  if (before !== undefined) return before
  const hash = contentsHash(object)
  known.set(object, hash)
  return hash
}

function nameWithHost({ metadata, spec }: Route): readonly string[] {
  return spec.host ? [metadata.name ?? ''] : []
}
