import type { HostedControlPlane } from '@windlass/api'
import { annotationOf } from './control-plane.ts'
import type { Traits } from './rows.ts'

/** What rows of the registry say that would not fit in a line: the images of components with more than one container, and pinned replicas. */

/** One replica whatever the availability policy says: upstream runs these once. */
export function one(images?: string): Traits {
  return { replicas: () => 1, ...(images === undefined ? {} : { images }) }
}

/** One replica, or none while the annotation says that there is nothing to do. */
export function oneUnless(annotation: string): Traits {
  return { replicas: (hcp: HostedControlPlane) => (annotationOf(hcp, annotation) === 'true' ? 0 : 1) }
}

export const etcd: Traits = {
  images: { etcd: 'etcd', 'etcd-metrics': 'etcd', healthz: 'cluster-etcd-operator' },
  initImages: { 'ensure-dns': 'controlplane-operator', 'reset-member': 'etcd' },
}

export const featureGates: Traits = {
  images: { apply: 'controlplane-operator' },
  initImages: { 'render-feature-gates': 'cluster-config-api' },
}

export const kubeApiServer: Traits = {
  images: {
    'kube-apiserver': 'hyperkube',
    bootstrap: 'controlplane-operator',
    'konnectivity-server': 'apiserver-network-proxy',
    'audit-logs': 'cli',
  },
  initImages: {
    'init-bootstrap-render': 'cluster-config-api',
    'init-auth-bootstrap-render': 'cluster-authentication-operator',
    'wait-for-etcd': 'cli',
  },
}

export const openshiftApiServer: Traits = {
  images: { 'openshift-apiserver': 'openshift-apiserver', 'audit-logs': 'cli' },
  initImages: { 'oas-trust-anchor-generator': 'openshift-apiserver' },
}

export const oauthApiServer: Traits = {
  images: { 'openshift-oauth-apiserver': 'oauth-apiserver', 'audit-logs': 'cli' },
  initImages: { 'wait-for-etcd': 'cli' },
}

export const oauthServer: Traits = { images: { 'oauth-openshift': 'oauth-server', 'audit-logs': 'cli' } }

export const clusterVersion: Traits = { initImages: { 'prepare-payload': 'cluster-version-operator', bootstrap: 'cli' } }

export const network: Traits = {
  images: { 'cluster-network-operator': 'cluster-network-operator', 'client-token-minter': 'token-minter' },
  initImages: { 'remove-old-cno': 'cli', 'init-client-token-minter': 'token-minter', 'rewrite-config': 'cli' },
}

export const terminationHandler: Traits = {
  images: { 'aws-node-termination-handler': 'aws-node-termination-handler', 'token-minter-kube': 'token-minter' },
}

export const ignition: Traits = {
  images: 'controlplane-operator',
  initImages: { 'fetch-feature-gate': 'cluster-config-api' },
}

export const kubevirtStorage: Traits = {
  images: {
    'csi-driver': 'kubevirt-csi-driver',
    'csi-provisioner': 'csi-external-provisioner',
    'csi-attacher': 'csi-external-attacher',
    'csi-liveness-probe': 'csi-livenessprobe',
    'csi-snapshotter': 'csi-external-snapshotter',
    'csi-resizer': 'csi-external-resizer',
  },
}

/** The machine provider of a platform; which image that is depends on the platform (`images.ts`). */
export const machineProvider: Traits = { images: { manager: 'capi-provider' } }

export function cloudController(platform: string): Traits {
  return { images: { 'cloud-controller-manager': `${platform.toLowerCase()}-cloud-controller-manager` } }
}

export function catalog(name: string): Traits {
  return {
    ...one(),
    images: { registry: `catalogs:${name}` },
    initImages: { 'extract-utilities': 'operator-lifecycle-manager', 'extract-content': `catalogs:${name}` },
  }
}
