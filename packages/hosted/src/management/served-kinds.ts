import { capi, Route, ServiceMonitor } from '@windlass/api'
import type { Resource } from '@windlass/api'
import { isUnknownKind } from '@windlass/kube'
import type { Client } from '@windlass/kube'
import { infrastructureKinds } from '../hosted-cluster/infrastructure.ts'
import { leftoverKinds } from '../hosted-cluster/leftovers.ts'

/** Which of the kinds that a management cluster need not have it has. The others are there, or nothing works at all. */
export interface ServedKinds {
  has(kind: Resource): boolean
}

/** Kinds that not every management cluster has: those of OpenShift, of its monitoring, of Cluster API and of the providers of machines. */
export const optionalKinds: readonly Resource[] = [Route, ServiceMonitor, capi.Cluster, ...infrastructureKinds, ...leftoverKinds]

/** Of the optional kinds, only these. */
export function servedKinds(served: readonly Resource[]): ServedKinds {
  const present = new Set(served.map(nameOf))
  const absent = new Set(optionalKinds.map(nameOf).filter((name) => !present.has(name)))
  // Asked many times in every pass, about the same few declarations.
  const known = new Map<Resource, boolean>()
  return {
    has(kind) {
      const before = known.get(kind)
      if (before !== undefined) return before
      const isServed = !absent.has(nameOf(kind))
      known.set(kind, isServed)
      return isServed
    },
  }
}

/**
 * Asks a management cluster which kinds it has.
 *
 * Caveat: this is asked once, when controllers are made. A kind that is installed later is used after the next start.
 */
export async function discoverKinds(client: Pick<Client, 'pages'>, signal?: AbortSignal): Promise<ServedKinds> {
  const served: Resource[] = []
  for (const kind of optionalKinds) if (await isServed(client, kind, signal)) served.push(kind)
  return servedKinds(served)
}

async function isServed(client: Pick<Client, 'pages'>, kind: Resource, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    for await (const _ of client.pages(kind, { pageSize: 1, ...(signal === undefined ? {} : { signal }) })) break
    return true
  } catch (error) {
    if (isUnknownKind(error)) return false
    throw error
  }
}

function nameOf({ group, version, plural }: Resource): string {
  return `${group}/${version}/${plural}`
}
