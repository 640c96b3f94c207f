import { machinePlatformOf } from '../control-plane.ts'
import type { Template } from './template.ts'
import {
  asks,
  guestKubeconfig,
  healthy,
  infraKubeconfig,
  mayLead,
  mayRead,
  mayReadControlPlane,
  mayTell,
  mayUpdateControlPlane,
  mayWrite,
  secrets,
  service,
  settings,
} from './words.ts'

const own = (name: string) => `hypershift.openshift.io/${name}`

const lifecycleManager = (name: string, memory: string): Template => ({
  containers: { [name]: asks('10m', memory, { ports: { metrics: 8443 }, ...healthy('/healthz', 8443) }) },
  secrets: [guestKubeconfig, ...secrets(`${name}-serving-cert`, 'metrics-client')],
  services: [{ ...service(`${name}-metrics`, 'https-metrics', 8443, 'metrics'), isForMonitoring: true }],
  metrics: { port: 'https-metrics', scheme: 'https', canBeDisabled: true },
})

const catalog = (source: string, memory: string): Template => ({
  containers: { registry: asks('10m', memory, { ports: { grpc: 50_051 }, imageAnnotation: own(`${source}-catalog-image`) }) },
  scratch: ['utilities', 'catalog-content'],
  services: [service(source, 'grpc', 50_051)],
})

/** What runs others in the management cluster: Deployments with the rights that go with them. */
const mayDeploy = [
  mayWrite('apps', 'deployments', 'replicasets'),
  mayWrite('policy', 'poddisruptionbudgets'),
  mayWrite('', 'configmaps', 'pods', 'secrets', 'serviceaccounts', 'services'),
  mayReadControlPlane,
  mayLead,
  mayTell,
]

/** Operators of the guest that run here, machines, and what people can install. */
export const operators: Readonly<Record<string, Template>> = {
  'cloud-credential-operator': {
    containers: { 'cloud-credential-operator': asks('10m', '75Mi') },
    guestAccount: {
      namespace: 'openshift-cloud-credential-operator',
      name: 'cloud-credential-operator',
      mountPath: '/etc/kubernetes/guest',
    },
    isSpread: true,
  },
  'cluster-storage-operator': {
    containers: { 'cluster-storage-operator': asks('10m', '20Mi', { ports: { metrics: 8443 } }) },
    secrets: [guestKubeconfig, ...secrets('cluster-storage-operator-serving-cert')],
    settings: settings('cluster-storage-operator-config', ['platform.type', 'configuration.apiServer']),
    role: [...mayDeploy, mayWrite('rbac.authorization.k8s.io', 'roles', 'rolebindings')],
  },
  'cluster-network-operator': {
    containers: { 'cluster-network-operator': asks('10m', '100Mi'), 'client-token-minter': asks('10m', '30Mi') },
    secrets: [guestKubeconfig, ...secrets('root-ca')],
    scratch: ['configs', 'client-token'],
    settings: settings('cluster-network-operator', ['networking', 'operatorConfiguration.clusterNetworkOperator', 'configuration.proxy']),
    role: [
      ...mayDeploy,
      mayUpdateControlPlane,
      mayWrite('apps', 'statefulsets'),
      mayWrite('route.openshift.io', 'routes', 'routes/custom-host'),
      mayWrite('monitoring.coreos.com', 'servicemonitors', 'prometheusrules'),
    ],
  },
  'cluster-node-tuning-operator': {
    containers: { 'cluster-node-tuning-operator': asks('10m', '50Mi', { ports: { metrics: 60_000 } }) },
    secrets: [guestKubeconfig, ...secrets('node-tuning-operator-tls', 'metrics-client')],
    configMaps: ['trusted-ca'],
    role: [mayWrite('', 'configmaps', 'configmaps/finalizers'), mayTell],
    services: [service('node-tuning-operator', 'metrics', 60_000)],
    metrics: { port: 'metrics', scheme: 'https' },
  },
  'dns-operator': {
    containers: { 'dns-operator': asks('10m', '29Mi') },
    guestAccount: { namespace: 'openshift-dns-operator', name: 'dns-operator', mountPath: '/etc/kubernetes/guest' },
    isSpread: true,
  },
  'ingress-operator': {
    containers: { 'ingress-operator': asks('10m', '80Mi', { ports: { metrics: 60_000 } }) },
    secrets: [guestKubeconfig],
    settings: settings(
      'ingress-operator',
      ['configuration.ingress', 'platform.type', 'dns'],
      [own('private-ingress-controller'), own('ingress-controller-load-balancer-scope')],
    ),
    guestAccount: { namespace: 'openshift-ingress-operator', name: 'ingress-operator', mountPath: '/etc/kubernetes/guest' },
    services: [service('ingress-operator', 'metrics', 60_000)],
    metrics: { port: 'metrics', scheme: 'http' },
  },
  'csi-snapshot-controller-operator': {
    containers: { 'csi-snapshot-controller-operator': asks('10m', '65Mi') },
    secrets: [guestKubeconfig, ...secrets('csi-snapshot-controller-operator-serving-cert')],
    settings: settings('csi-snapshot-controller-operator-config', ['configuration.apiServer']),
    role: mayDeploy,
  },
  'cluster-image-registry-operator': {
    containers: { 'cluster-image-registry-operator': asks('10m', '50Mi', { ports: { metrics: 60_000 } }) },
    secrets: [guestKubeconfig, ...secrets('cluster-image-registry-operator', 'root-ca')],
    settings: settings('image-registry-controller-config', ['configuration.image', 'configuration.proxy']),
    services: [service('cluster-image-registry-operator', 'metrics', 60_000)],
    metrics: { port: 'metrics', scheme: 'https' },
    isSpread: true,
  },
  'catalog-operator': lifecycleManager('catalog-operator', '80Mi'),
  'olm-operator': lifecycleManager('olm-operator', '160Mi'),
  packageserver: {
    containers: { packageserver: asks('10m', '250Mi', { ports: { https: 5443 }, ...healthy('/healthz', 5443) }) },
    secrets: [guestKubeconfig, ...secrets('packageserver-cert')],
    scratch: ['tmpfs'],
    isSpread: true,
    budget: (name) => `${name}-pdb`,
  },
  'olm-collect-profiles': {
    containers: { 'collect-profiles': asks('10m', '80Mi') },
    secrets: secrets('metrics-client'),
    role: [mayWrite('', 'configmaps'), mayRead('', 'secrets')],
    ownSecret: { name: 'pprof-cert', keys: ['tls.crt', 'tls.key'] },
    everyMinutes: 15,
  },
  'redhat-operators-catalog': catalog('redhat-operators', '420Mi'),
  'community-operators-catalog': catalog('community-operators', '160Mi'),
  'certified-operators-catalog': catalog('certified-operators', '160Mi'),
  'cluster-api': {
    containers: {
      manager: asks('10m', '40Mi', { ...healthy('/healthz', 9440, { scheme: 'HTTP' }), imageAnnotation: own('capi-manager-image') }),
    },
    secrets: secrets('capi-webhooks-tls'),
    role: [
      ...['cluster.x-k8s.io', 'infrastructure.cluster.x-k8s.io', 'capi-provider.agent-install.openshift.io'].map((group) =>
        mayWrite(group, '*'),
      ),
      mayUpdateControlPlane,
      mayRead('', 'configmaps', 'secrets'),
      mayLead,
      mayTell,
    ],
  },
  'capi-provider': {
    containers: {
      manager: asks('10m', '40Mi', { imageAnnotation: (hcp) => own(`capi-provider-${machinePlatformOf(hcp).toLowerCase()}-image`) }),
    },
    role: [
      ...['cluster.x-k8s.io', 'infrastructure.cluster.x-k8s.io', 'capi-provider.agent-install.openshift.io'].map((group) =>
        mayWrite(group, '*'),
      ),
      mayUpdateControlPlane,
      mayWrite('', 'configmaps', 'secrets'),
      mayLead,
      mayTell,
    ],
  },
  'karpenter-operator': {
    containers: {
      'karpenter-operator': asks('10m', '60Mi', { ports: { metrics: 8080 }, imageAnnotation: own('karpenter-operator-image') }),
    },
    secrets: secrets('hcco-kubeconfig'),
    role: [
      ...mayDeploy,
      mayUpdateControlPlane,
      mayWrite('hypershift.openshift.io', 'controlplanecomponents', 'controlplanecomponents/status'),
    ],
  },
  karpenter: {
    containers: {
      karpenter: asks('10m', '60Mi', {
        ports: { metrics: 8080, http: 8081 },
        ...healthy('/healthz', 'http', { scheme: 'HTTP' }),
        imageAnnotation: own('karpenter-provider-aws-image'),
      }),
    },
    secrets: [infraKubeconfig, ...secrets('karpenter-credentials')],
    role: [mayLead],
  },
}
