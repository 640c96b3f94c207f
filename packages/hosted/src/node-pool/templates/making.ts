import type { HostedCluster, NodePool } from '@windlass/api'

/** What a machine of a pool is made from. */
export interface Making {
  readonly pool: NodePool
  readonly cluster: HostedCluster
  /** The image of the release; undefined when it names none for this platform. */
  readonly bootImage: string | undefined
  /** KubeVirt: whether machines are spread over hosts in the way of new pools. */
  readonly isSpread: boolean
}

/** The spec of a machine; or why there is none: it cannot be made from what the pool says, or something is not there yet. */
export type Made = { readonly spec: object } | { readonly problem: string } | { readonly waitingFor: string }

export function notReady(waitingFor: string): Made {
  return { waitingFor }
}
