import type { ComponentView } from '@windlass/fleet/contract'

/** Who waits for whom in a hosted control plane. */
const dependencies: Readonly<Record<string, readonly string[]>> = {
  etcd: [],
  'cluster-api': [],
  'control-plane-operator': [],
  'kube-apiserver': ['etcd'],
  'control-plane-pki-operator': ['kube-apiserver'],
  'kube-controller-manager': ['kube-apiserver', 'etcd'],
  'kube-scheduler': ['kube-apiserver', 'etcd'],
  'openshift-apiserver': ['kube-apiserver', 'etcd'],
  'openshift-oauth-apiserver': ['kube-apiserver', 'etcd'],
  'oauth-openshift': ['openshift-oauth-apiserver', 'kube-apiserver'],
  'openshift-controller-manager': ['kube-apiserver', 'openshift-apiserver'],
  'openshift-route-controller-manager': ['kube-apiserver', 'openshift-apiserver'],
  'cluster-policy-controller': ['kube-apiserver'],
  'cluster-version-operator': ['kube-apiserver'],
  'hosted-cluster-config-operator': ['kube-apiserver'],
  'cluster-network-operator': ['kube-apiserver'],
  'multus-admission-controller': ['cluster-network-operator'],
  'ovnkube-control-plane': ['cluster-network-operator'],
  'network-node-identity': ['cluster-network-operator'],
  'dns-operator': ['kube-apiserver'],
  'ingress-operator': ['kube-apiserver'],
  'cluster-image-registry-operator': ['kube-apiserver'],
  'cluster-storage-operator': ['kube-apiserver'],
  'csi-snapshot-controller-operator': ['kube-apiserver'],
  'cluster-node-tuning-operator': ['kube-apiserver'],
  'machine-approver': ['kube-apiserver'],
  'cluster-autoscaler': ['cluster-api', 'kube-apiserver'],
  'capi-provider': ['cluster-api'],
  'olm-operator': ['kube-apiserver'],
  'catalog-operator': ['kube-apiserver', 'olm-operator'],
  'certified-operators-catalog': ['catalog-operator'],
  'community-operators-catalog': ['catalog-operator'],
  packageserver: ['olm-operator', 'catalog-operator'],
  'konnectivity-agent': ['kube-apiserver'],
  'ignition-server': ['kube-apiserver'],
  router: ['kube-apiserver'],
  'aws-cloud-controller-manager': ['kube-apiserver'],
}

export const componentNames = Object.keys(dependencies)

/** Components of a control plane on its way: those of `done` are through, one rolls, and whoever waits for it waits. */
export function componentsAt(
  from: string,
  to: string,
  done: ReadonlySet<string>,
  rolling: string | undefined,
  isFailing = false,
): readonly ComponentView[] {
  return componentNames.map((name): ComponentView => {
    const wanted = dependencies[name] ?? []
    if (done.has(name)) return { name, version: to, state: 'Done', dependencies: wanted }
    if (name === rolling) {
      return isFailing
        ? {
            name,
            version: from,
            state: 'Failing',
            dependencies: wanted,
            reason: 'ImagePullBackOff',
            message: `Pod ${name}-7d9c5b6f4-x2x9p cannot pull its image`,
          }
        : {
            name,
            version: from,
            state: 'Rolling',
            dependencies: wanted,
            reason: 'RolloutInProgress',
            message: '1 of 3 replicas is updated',
          }
    }
    const waitsFor = wanted.filter((each) => !done.has(each))
    if (waitsFor.length > 0)
      return {
        name,
        version: from,
        state: 'Waiting',
        dependencies: wanted,
        reason: 'WaitingForDependencies',
        message: `Waits for ${waitsFor.join(', ')}`,
      }
    return { name, version: from, state: 'Behind', dependencies: wanted }
  })
}
