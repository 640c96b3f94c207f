import type { HostedControlPlane } from '@windlass/api'
import type { Action, CacheReader, Watching } from '@windlass/kube'
import type { Leftovers } from '../hosted-cluster/leftovers.ts'
import type { Lookup } from '../hosted-cluster/lookup.ts'

/**
 * Where the API of a guest comes from, and how it is reached.
 *
 * There is one way now: `logicalClusterGuests`, where the embedded server serves it. A guest whose API server is the very workload that its control
 * plane runs needs certificates that nobody here issues; it would be another implementation of this.
 */
export interface GuestAccess {
  /** What tells that something about a guest has changed, with the control planes that it concerns. */
  readonly watches: readonly Watching[]
  look(controlPlane: HostedControlPlane, cache: CacheReader): Guest
}

/** What is known of a guest. */
export interface Guest {
  /** What has to be done so that it has an API; nothing when all is done. */
  readonly actions: readonly Action[]
  /** For those who may do everything there, in base64; or why there is none. */
  readonly kubeconfig: Lookup<string>
  /** Whether its API answers; how it fails when it does not. */
  readonly health: Lookup<unknown>
  /** What must go before the control plane may. */
  readonly leftovers: Leftovers
}
