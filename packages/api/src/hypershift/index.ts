/**
 * `hypershift.openshift.io`: hosted clusters.
 *
 * The four kinds have a file each; what they share is in the others: `hosted-cluster-fields.ts` (what HostedCluster and
 * HostedControlPlane say in the same words), `platform*.ts`, `networking.ts`, `etcd.ts`, `services.ts`, and the two histories of
 * versions (`control-plane-version.ts`, `cluster-version-status.ts`), which look alike and differ in how they write a running update.
 */
export { ControlPlaneComponent } from './control-plane-component.ts'
export { HostedCluster } from './hosted-cluster.ts'
export { HostedControlPlane } from './hosted-control-plane.ts'
export { NodePool } from './node-pool.ts'
export { platformTypes } from './platform.ts'
