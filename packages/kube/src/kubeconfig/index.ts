/**
 * Where clusters are, and who we are there.
 *
 * - `connect.ts`: a client of whatever cluster this program is to work with.
 * - `kubeconfig.ts`: kubeconfigs from files, merged as kubectl does it; `section.ts` reads their fields. `from-secret.ts`: kubeconfigs that
 *   objects of the API hold. `in-cluster.ts`: a pod's way to its own cluster.
 * - `access.ts`: from a cluster and a user to `TransportOptions`. `file-credentials.ts` reads rotated files; `plugin-user.ts` and
 *   `plugin-credentials.ts` are for users who log in by a program. `proxy.ts`: the environment's proxies.
 * - `system.ts`: the only place that reaches for the real environment and the real files.
 */
export { connect, type ConnectOptions } from './connect.ts'
export { kubeconfigFromSecret, type SecretKubeconfigOptions } from './from-secret.ts'
export { inClusterNamespace, inClusterOptions, isInCluster } from './in-cluster.ts'
export { KubeconfigError } from './kubeconfig-error.ts'
export { type Kubeconfig, type KubeconfigContext, type KubeconfigOptions, loadKubeconfig, parseKubeconfig } from './kubeconfig.ts'
export { proxyFromEnvironment } from './proxy.ts'
export type { Environment, ReadFile, Surroundings } from './system.ts'
