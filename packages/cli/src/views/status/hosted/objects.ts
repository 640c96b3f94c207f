import type { ControlPlaneComponent, HostedCluster, NodePool } from '@windlass/api'

/** What the view of a hosted cluster is made from. */
export interface HostedObjects {
  readonly cluster: HostedCluster
  /** Of its control plane. */
  readonly components: readonly ControlPlaneComponent[]
  /** Of this cluster. */
  readonly pools: readonly NodePool[]
}
