import type { Clock, Duration } from '@windlass/core'
import type { Client } from '@windlass/kube'

/** What it takes to look into clusters. */
export interface Means {
  readonly clock: Clock
  /** From the kubeconfig of a hosted cluster to a client for it, which is closed afterwards. Without it, nothing in such clusters is looked at. */
  readonly connect?: (kubeconfig: string, name: string) => Client | Promise<Client>
  /** How long an update may take before it has stalled, as for the fleet; 60 minutes unless told. */
  readonly threshold?: Duration
  /** Ends it, with the signal's reason. */
  readonly signal?: AbortSignal
}
