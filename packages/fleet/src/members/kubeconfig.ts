import { type Clock, type Random, systemRandom } from '@windlass/core'
import { createClient, HttpsTransport, type Kubeconfig, KubeconfigError, type Log } from '@windlass/kube'
import type { MemberSource } from './source.ts'

export interface KubeconfigMembersOptions {
  readonly clock: Clock
  /** The system's unless told. */
  readonly random?: Random
  readonly log?: Log
  /** Names this program in the logs of servers: `windlass/0.1.0`. */
  readonly userAgent: string
  /** By name; all of the kubeconfig unless told. */
  readonly contexts?: readonly string[]
}

/**
 * One member for each context of a kubeconfig. A context that leads nowhere is a member that cannot be reached, with the reason: it is no reason to show nothing of
 * the others.
 *
 * # Errors
 *
 * `KubeconfigError` when a context is asked for that is not there, or when there is none at all.
 */
export function membersByContext(kubeconfig: Kubeconfig, options: KubeconfigMembersOptions): readonly MemberSource[] {
  const { contexts, random = systemRandom, ...rest } = options
  const present = kubeconfig.contexts.map(({ name }) => name)
  const chosen = [...new Set(contexts ?? present)]
  const missing = chosen.find((name) => !present.includes(name))
  if (missing !== undefined) {
    throw new KubeconfigError(`${kubeconfig.name} has no context ${missing}: it has ${present.length === 0 ? 'none' : present.join(', ')}`)
  }
  if (chosen.length === 0) throw new KubeconfigError(`${kubeconfig.name} has no contexts: a fleet needs at least one`)
  return chosen.map((context) => ({
    name: memberName(context),
    // The fleet writes nothing, but a client of it may: whose fields those are is said here.
    connect: async () =>
      createClient({ ...rest, random, fieldManager: 'windlass', transport: new HttpsTransport(await kubeconfig.access(context)) }),
  }))
}

/** Contexts that tools write have slashes in them (`default/api-example-com:6443/admin`), and ids of clusters are separated by them. */
export function memberName(context: string): string {
  return context.replaceAll('/', ':')
}
