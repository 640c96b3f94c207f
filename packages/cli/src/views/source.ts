import type { KubernetesObject, Resource } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { type Client, isUnknownKind, type Ref } from '@windlass/kube'

/** Which objects of a kind; all without it. */
export interface Which {
  readonly namespace?: string
  readonly name?: string
  /** Pods on a node. */
  readonly nodeName?: string
}

/** Where the objects come from that a command looks at: a cluster, or files. */
export interface Source {
  find<T extends KubernetesObject>(kind: Resource<T>, ref: Ref): Promise<T | undefined>
  /** Empty also for a kind that is not known there. */
  list<T extends KubernetesObject>(kind: Resource<T>, which?: Which): Promise<readonly T[]>
  /** The moment that is looked at. */
  now(): Instant
}

/** A cluster as it is when it is asked. */
export function clusterSource(client: Client, now: () => Instant): Source {
  return {
    find: (kind, ref) => orNothing(() => client.find(kind, ref), undefined),
    list: (kind, which = {}) => orNothing(() => all(client.list(kind, selectionOf(which))), []),
    now,
  }
}

/** To have none of a kind and not to know it is the same to somebody who looks for objects. */
async function orNothing<R, N>(ask: () => Promise<R>, nothing: N): Promise<R | N> {
  try {
    return await ask()
  } catch (error) {
    if (isUnknownKind(error)) return nothing
    throw error
  }
}

async function all<T>(objects: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const object of objects) found.push(object)
  return found
}

function selectionOf({ namespace, name, nodeName }: Which): { readonly namespace?: string; readonly fieldSelector?: string } {
  const fields = [
    ...(name === undefined ? [] : [`metadata.name=${name}`]),
    ...(nodeName === undefined ? [] : [`spec.nodeName=${nodeName}`]),
  ]
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(fields.length === 0 ? {} : { fieldSelector: fields.join(',') }),
  }
}
