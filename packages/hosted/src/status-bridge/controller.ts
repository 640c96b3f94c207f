import { HostedControlPlane } from '@windlass/api'
import type { KubernetesObject } from '@windlass/api'
import { done, plan, requeueAfter, watching } from '@windlass/kube'
import type { AsyncControllerDefinition, CacheReader, Client, Plan, ReconcileContext, Ref } from '@windlass/kube'
import { failed } from '../hosted-cluster/lookup.ts'
import { clusters, isControlPlaneInScope, secrets } from '../management/index.ts'
import { decideStatusBridge } from './decide.ts'
import { GuestVersions } from './guest-versions.ts'

export interface StatusBridgeOptions {
  /** From the kubeconfig of a guest to a client for it. */
  readonly connect: (kubeconfig: string, name: string) => Client | Promise<Client>
  /** Only control planes of clusters of this scope; all of them without it. */
  readonly scope?: string
}

/** That a guest does not answer any more is told by nobody: it has to be looked at. */
const pollMilliseconds = 30_000

/** Repeats on control planes what their guests say about their versions. */
export function statusBridge({ connect, scope }: StatusBridgeOptions): AsyncControllerDefinition<HostedControlPlane> {
  const guests = new GuestVersions(connect)
  return {
    name: 'status-bridge',
    for: HostedControlPlane,
    watches: [watching(secrets, kubeconfigOf)],
    ...(scope === undefined ? {} : { reads: [clusters] }),
    sources: [guests.source],
    maxConcurrent: 10,
    backOff: { first: 1_000, longest: 60_000 },
    reconcile: (ref, context) => bridge(ref, { guests, scope }, context),
  }
}

interface Bridge {
  readonly guests: GuestVersions
  readonly scope: string | undefined
}

async function bridge(ref: Ref, { guests, scope }: Bridge, context: ReconcileContext): Promise<Plan> {
  const { cache, clock } = context
  const found = cache.get(HostedControlPlane, ref)
  const controlPlane = found !== undefined && isControlPlaneInScope(found, scope, cache) ? found : undefined
  const kubeconfig = controlPlane?.metadata.deletionTimestamp === undefined ? kubeconfigIn(controlPlane, cache) : undefined
  if (controlPlane === undefined || kubeconfig === undefined) {
    guests.forget(ref)
    return done
  }
  const version = await read(ref, kubeconfig, guests, context)
  // After a restart this is so of every guest: what is said of them stands until they answer, or do not.
  if (version === undefined) return requeueAfter(pollMilliseconds, 'the first answer of its guest')
  return plan(decideStatusBridge(controlPlane, version, clock.now()), requeueAfter(pollMilliseconds))
}

/** A kubeconfig that cannot be used is one way not to reach a guest. */
async function read(ref: Ref, kubeconfig: string, guests: GuestVersions, context: ReconcileContext): ReturnType<GuestVersions['read']> {
  try {
    return await guests.read(ref, kubeconfig, context)
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}

/** The kubeconfig of the guest, once there is one. Before, there is nobody to ask. */
function kubeconfigIn(controlPlane: HostedControlPlane | undefined, cache: CacheReader): string | undefined {
  const ref = controlPlane?.status?.kubeConfig
  const namespace = controlPlane?.metadata.namespace ?? ''
  const text = ref === undefined ? undefined : cache.get(secrets, { namespace, name: ref.name })?.data?.[ref.key]
  return text === undefined ? undefined : Buffer.from(text, 'base64').toString()
}

function kubeconfigOf({ metadata: { namespace = '', name = '' } }: KubernetesObject, cache: CacheReader): readonly Ref[] {
  const uses = cache.list(HostedControlPlane, { namespace }).filter(({ status }) => status?.kubeConfig?.name === name)
  return uses.map(({ metadata }) => ({ namespace, name: metadata.name ?? '' }))
}
