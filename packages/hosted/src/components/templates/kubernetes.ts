import { Annotation } from '../wire.ts'
import type { Template } from './template.ts'
import {
  answers,
  asks,
  guestKubeconfig,
  healthy,
  infraKubeconfig,
  mayLead,
  mayRead,
  mayTell,
  mayWrite,
  secrets,
  service,
  settings,
} from './words.ts'

const own = (name: string) => `hypershift.openshift.io/${name}`

/** The parts that every Kubernetes has: the store, the API, the controllers, and what connects them to the nodes. */
export const kubernetes: Readonly<Record<string, Template>> = {
  etcd: {
    containers: {
      etcd: asks('300m', '600Mi', {
        ports: { client: 2379, peer: 2380 },
        live: answers('/healthz', 9980, { delay: 30 }),
        ready: answers('/readyz', 9980),
      }),
      'etcd-metrics': asks('40m', '200Mi', { ports: { metrics: 2381 } }),
      healthz: asks('10m', '50Mi', { ports: { healthz: 9980 } }),
    },
    secrets: secrets('etcd-peer-tls', 'etcd-server-tls', 'etcd-client-tls'),
    configMaps: ['etcd-ca', 'etcd-metrics-ca'],
    scratch: ['cluster-state'],
    role: [mayWrite('discovery.k8s.io', 'endpointslices'), mayRead('', 'pods'), mayLead, mayTell],
    services: [
      {
        name: (component) => `${component}-discovery`,
        isHeadless: true,
        ports: { peer: { port: 2380, to: 'peer' }, 'etcd-client': { port: 2379, to: 'client' } },
      },
      {
        name: (component) => `${component}-client`,
        ports: { 'etcd-client': { port: 2379, to: 'client' }, metrics: { port: 2381, to: 'metrics' } },
      },
    ],
    metrics: { port: 'metrics', scheme: 'https' },
    isSpread: true,
    budget: (name) => name,
    storage: { volume: 'data', mountPath: '/var/lib', service: (component) => `${component}-discovery` },
  },
  'featuregate-generator': {
    containers: { apply: asks('30m', '50Mi') },
    scratch: ['manifests', 'work'],
    settings: settings('featuregate-generator', ['configuration.featureGate']),
    serviceAccount: 'control-plane-operator',
  },
  'kube-apiserver': {
    containers: {
      'kube-apiserver': asks('350m', '2Gi', {
        ports: { client: 6443 },
        live: answers('/livez?exclude=etcd', 'client', { delay: 300 }),
        ready: answers('/readyz', 'client'),
      }),
      bootstrap: asks('10m', '10Mi'),
      'konnectivity-server': asks('10m', '50Mi', {
        ports: { agents: 8091 },
        ...healthy('/healthz', 2041, { scheme: 'HTTP' }),
        imageAnnotation: own('konnectivity-server-image'),
      }),
      'audit-logs': asks('5m', '10Mi'),
    },
    secrets: secrets(
      'localhost-kubeconfig',
      'kas-bootstrap-container-kubeconfig',
      'kas-server-crt',
      'kas-server-private-crt',
      'kas-aggregator-crt',
      'kas-kubelet-client-crt',
      'kas-authentication-token-webhook-config',
      'sa-signing-key',
      'etcd-client-tls',
      'konnectivity-client',
      'konnectivity-server',
      'konnectivity-cluster',
    ),
    configMaps: ['client-ca', 'aggregator-client-ca', 'etcd-ca', 'konnectivity-ca-bundle'],
    scratch: ['logs', 'bootstrap-manifests'],
    settings: settings(
      'kas-config',
      [
        'networking',
        'issuerURL',
        'etcd',
        'secretEncryption',
        'auditWebhook',
        'kubeAPIServerDNSName',
        'configuration.apiServer',
        'configuration.authentication',
        'configuration.featureGate',
      ],
      [
        Annotation.disableProfiling,
        ...[
          'gogc',
          'gomemlimit',
          'verbosity-level',
          'max-requests-inflight',
          'max-mutating-requests-inflight',
          'goaway-chance',
          'service-account-token-max-expiration',
        ].map((setting) => own(`kube-apiserver-${setting}`)),
      ],
    ),
    services: [service('konnectivity-server-local', 'konnectivity', 8090, 8090)],
    metrics: { port: 'client', scheme: 'https' },
    isSpread: true,
    budget: (name) => name,
  },
  'kube-controller-manager': {
    containers: {
      'kube-controller-manager': asks('100m', '600Mi', { ports: { client: 10_257 }, ...healthy('/healthz', 10_257) }),
    },
    secrets: secrets('kube-controller-manager-kubeconfig', 'cluster-signer-ca', 'sa-signing-key', 'kcm-server'),
    configMaps: ['root-ca'],
    scratch: ['logs', 'certs'],
    settings: settings('kcm-config', ['networking', 'platform.type', 'configuration.featureGate'], [Annotation.disableProfiling]),
    services: [service('kube-controller-manager', 'client', 10_257)],
    metrics: { port: 'client', scheme: 'https' },
    isSpread: true,
  },
  'kube-scheduler': {
    containers: { 'kube-scheduler': asks('25m', '150Mi', { ports: { client: 10_259 }, ...healthy('/livez', 10_259) }) },
    secrets: secrets('kube-scheduler-kubeconfig', 'scheduler-server'),
    settings: settings('kube-scheduler', ['configuration.scheduler', 'configuration.featureGate'], [Annotation.disableProfiling]),
    services: [service('kube-scheduler', 'client', 10_259)],
    metrics: { port: 'client', scheme: 'https' },
    isSpread: true,
  },
  'cluster-autoscaler': {
    containers: {
      'cluster-autoscaler': asks('10m', '60Mi', {
        ports: { metrics: 8085 },
        ...healthy('/health-check', 8085, { scheme: 'HTTP' }),
        imageAnnotation: own('cluster-autoscaler-image'),
      }),
    },
    secrets: [infraKubeconfig],
    settings: settings('cluster-autoscaler', ['autoscaling']),
    role: [
      mayWrite('cluster.x-k8s.io', 'machinedeployments', 'machinedeployments/scale', 'machines', 'machinesets', 'machinesets/scale'),
      mayRead('infrastructure.cluster.x-k8s.io', '*'),
    ],
    services: [service('cluster-autoscaler', 'metrics', 8085)],
    metrics: { port: 'metrics', scheme: 'http' },
  },
  'machine-approver': {
    containers: { 'machine-approver': asks('10m', '50Mi') },
    secrets: [guestKubeconfig],
    role: [mayRead('cluster.x-k8s.io', 'machines', 'machines/status')],
  },
  'konnectivity-agent': {
    containers: {
      'konnectivity-agent': asks('40m', '50Mi', {
        ...healthy('/healthz', 2041, { scheme: 'HTTP' }),
        imageAnnotation: own('konnectivity-agent-image'),
      }),
    },
    secrets: secrets('konnectivity-agent'),
    configMaps: ['konnectivity-ca-bundle'],
    isSpread: true,
  },
  'kube-storage-version-migrator': { containers: { migrator: asks('10m', '200Mi') }, secrets: [guestKubeconfig] },
}
