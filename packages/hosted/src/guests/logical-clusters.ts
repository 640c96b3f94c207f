import { HostedControlPlane, LogicalCluster, Secret } from '@windlass/api'
import type { KubernetesObject } from '@windlass/api'
import { create, keyOf, parseKey, refOf, watching } from '@windlass/kube'
import type { CacheReader, Ref } from '@windlass/kube'
import type { Leftovers } from '../hosted-cluster/leftovers.ts'
import { failed, found } from '../hosted-cluster/lookup.ts'
import type { Lookup } from '../hosted-cluster/lookup.ts'
import { removed } from '../hosted-cluster/snapshot.ts'
import type { Guest, GuestAccess } from './guest-access.ts'

/** On a LogicalCluster: the control plane that it was made for. It has no namespace, so that nobody can own it. */
export const madeForAnnotation = 'windlass.dev/hosted-control-plane'

export interface LogicalClusterGuestsOptions {
  /** The logical cluster whose kinds guests start with; none but Kubernetes' own unless told. */
  readonly template?: string
}

/**
 * Guests whose API is served by the embedded server: each is a LogicalCluster with the name of its control plane's namespace. On a laptop kubectl
 * reaches them, though no pod runs.
 *
 * Caveat: there is one kubeconfig for each, which everybody who needs one gets: administrators, and components that act as an account of the guest.
 */
export function logicalClusterGuests({ template }: LogicalClusterGuestsOptions = {}): GuestAccess {
  return {
    watches: [
      watching(LogicalCluster, madeFor),
      watching(Secret, ({ metadata: { ownerReferences = [] } }, cache) =>
        ownerReferences.flatMap(({ kind, name }) => (kind === LogicalCluster.kind ? madeFor(cache.get(LogicalCluster, { name })) : [])),
      ),
    ],
    look(controlPlane, cache) {
      const name = controlPlane.metadata.namespace ?? ''
      const live = cache.get(LogicalCluster, { name })
      if (live === undefined) return absent(controlPlane, name, template)
      return isMadeFor(live, controlPlane) ? present(live, cache) : taken(live)
    },
  }
}

function absent(controlPlane: HostedControlPlane, name: string, template: string | undefined): Guest {
  const problem = failed(`LogicalCluster ${name}, which is to serve the API of the guest, is not there yet`)
  const metadata = { name, annotations: { [madeForAnnotation]: keyOf(refOf(controlPlane)) } }
  const draft = { metadata, spec: template === undefined ? {} : { template } }
  return {
    actions: [create(LogicalCluster, draft, 'it serves the API of the guest')],
    kubeconfig: problem,
    health: problem,
    leftovers: nothing,
  }
}

/** Somebody else's is neither used nor deleted. */
function taken({ metadata: { name = '' } }: LogicalCluster): Guest {
  const problem = failed(
    `LogicalCluster ${name}, which is to serve the API of the guest, was not made for this control plane. Delete it, or give the cluster another name`,
  )
  return { actions: [], kubeconfig: problem, health: problem, leftovers: nothing }
}

function present(live: LogicalCluster, cache: CacheReader): Guest {
  const { name = '', deletionTimestamp } = live.metadata
  const { phase = 'Creating' } = live.status ?? {}
  const isServed = phase === 'Ready' && deletionTimestamp === undefined
  return {
    actions: [],
    kubeconfig: kubeconfigOf(live, cache),
    health: isServed
      ? found(true)
      : failed(`LogicalCluster ${name}, which serves the API of the guest, is ${deletionTimestamp === undefined ? phase : 'Deleting'}`),
    leftovers: {
      actions: removed(LogicalCluster, live, 'the control plane of the guest is being deleted'),
      remaining: [`LogicalCluster ${name}`],
    },
  }
}

const nothing: Leftovers = { actions: [], remaining: [] }

function kubeconfigOf({ metadata: { name = '' }, status }: LogicalCluster, cache: CacheReader): Lookup<string> {
  const ref = status?.kubeconfigSecretRef
  if (ref === undefined) return failed(`LogicalCluster ${name} does not say yet how it is reached`)
  const text = cache.get(Secret, { namespace: ref.namespace, name: ref.name })?.data?.[ref.key]
  return text === undefined
    ? failed(`Secret ${ref.namespace}/${ref.name} with the kubeconfig of LogicalCluster ${name} has no ${ref.key} yet`)
    : found(text)
}

function isMadeFor({ metadata }: KubernetesObject, controlPlane: HostedControlPlane): boolean {
  return metadata.annotations?.[madeForAnnotation] === keyOf(refOf(controlPlane))
}

function madeFor(object: KubernetesObject | undefined): readonly Ref[] {
  const key = object?.metadata.annotations?.[madeForAnnotation]
  return key === undefined ? [] : [parseKey(key)]
}
