import type { Resource } from '../kind.ts'
import type { KubernetesObject } from '../meta/object-meta.ts'

interface Declaration<T extends KubernetesObject> {
  readonly apiVersion: T['apiVersion']
  readonly kind: T['kind']
  readonly plural: string
  /** Namespaced unless told. */
  readonly scope?: 'Namespaced' | 'Cluster'
  readonly hasStatusSubresource?: boolean
}

/** A kind that every Kubernetes API has. It needs no schema from us: the server has its own. */
export function builtin<T extends KubernetesObject>(declaration: Declaration<T>): Resource<T> {
  const { apiVersion, kind, plural, scope = 'Namespaced', hasStatusSubresource = false } = declaration
  const slash = apiVersion.indexOf('/')
  return {
    group: slash < 0 ? '' : apiVersion.slice(0, slash),
    version: apiVersion.slice(slash + 1),
    apiVersion,
    kind,
    plural,
    scope,
    hasStatusSubresource,
  }
}
