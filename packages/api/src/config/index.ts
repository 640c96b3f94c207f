/** `config.openshift.io`: what a cluster says about its own version. Written by the cluster, read by us. */
export { ClusterOperator } from './cluster-operator.ts'
export { ClusterVersion } from './cluster-version.ts'
