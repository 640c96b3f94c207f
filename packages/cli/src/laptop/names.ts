import { type KubernetesObject, type Resource, Route, Service } from '@windlass/api'
import type { Client } from '@windlass/kube'
import { dnsAnnotation } from '@windlass/simulator'

/**
 * Looks a name up where there is no DNS: the simulator writes on Services and Routes which names are known by now. Resolves when it is; rejects when it is not.
 *
 * Caveat: it looks through all of them. Only clusters whose API has a name of its own are asked about.
 */
export function simulatedNames(client: Client): (hostname: string, signal: AbortSignal) => Promise<void> {
  return async (hostname, signal) => {
    for (const kind of [Service, Route] as readonly Resource[]) {
      for await (const object of client.list(kind, { signal })) if (isKnownBy(object, hostname)) return
    }
    throw new Error(`${hostname} is not known yet: no Service and no Route has it`)
  }
}

function isKnownBy({ metadata }: KubernetesObject, hostname: string): boolean {
  return metadata.annotations?.[dnsAnnotation] === hostname
}
