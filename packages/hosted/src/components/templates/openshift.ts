import type { Template } from './template.ts'
import {
  answers,
  asks,
  guestKubeconfig,
  healthy,
  mayLead,
  mayRead,
  mayReadControlPlane,
  mayTell,
  mayUpdate,
  mayUpdateControlPlane,
  mayWrite,
  secrets,
  service,
  settings,
} from './words.ts'

const apiProbes = {
  live: answers('/livez?exclude=etcd', 8443, { delay: 30 }),
  ready: answers('/readyz?exclude=etcd&exclude=etcd-readiness', 8443),
}

const controller = (cpu: string, memory: string) => asks(cpu, memory, { ports: { https: 8443 }, ...healthy('/healthz', 8443) })
const forMonitoring = (name: string) => ({ ...service(name, 'https', 8443), isForMonitoring: true }) as const

/** What OpenShift adds to the API, and what watches over its configuration, certificates and version. */
export const openshift: Readonly<Record<string, Template>> = {
  'control-plane-pki-operator': {
    containers: { 'control-plane-pki-operator': asks('10m', '80Mi', { ports: { metrics: 8443 } }) },
    role: [
      mayUpdateControlPlane,
      mayWrite('', 'configmaps', 'secrets'),
      mayRead('', 'pods'),
      mayRead('apps', 'deployments', 'replicasets'),
      mayUpdate('certificates.hypershift.openshift.io', 'certificatesigningrequestapprovals', 'certificaterevocationrequests'),
      mayUpdate('certificates.hypershift.openshift.io', 'certificaterevocationrequests/status'),
      mayLead,
      mayTell,
    ],
  },
  'openshift-apiserver': {
    containers: {
      'openshift-apiserver': asks('100m', '200Mi', { ports: { https: 8443 }, ...apiProbes }),
      'audit-logs': asks('5m', '10Mi'),
    },
    secrets: [guestKubeconfig, ...secrets('openshift-apiserver-cert', 'etcd-client-tls', 'pull-secret')],
    configMaps: ['aggregator-client-ca', 'etcd-ca', 'client-ca'],
    scratch: ['work-logs', 'oas-trust-anchor'],
    settings: settings('openshift-apiserver', ['configuration.apiServer', 'configuration.image', 'configuration.proxy', 'dns', 'etcd']),
    metrics: { port: 'https', scheme: 'https' },
    isSpread: true,
    budget: (name) => name,
  },
  'openshift-oauth-apiserver': {
    containers: {
      'openshift-oauth-apiserver': asks('150m', '80Mi', { ports: { https: 8443 }, ...apiProbes }),
      'audit-logs': asks('5m', '10Mi'),
    },
    secrets: [guestKubeconfig, ...secrets('openshift-oauth-apiserver-cert', 'etcd-client-tls')],
    configMaps: ['aggregator-client-ca', 'etcd-ca', 'client-ca'],
    scratch: ['work-logs'],
    settings: settings('openshift-oauth-apiserver-audit', ['configuration.apiServer', 'configuration.oauth', 'etcd']),
    isSpread: true,
    budget: (name) => name,
  },
  'oauth-openshift': {
    containers: {
      'oauth-openshift': asks('25m', '40Mi', { ports: { https: 6443 }, ...healthy('/healthz', 6443) }),
      'audit-logs': asks('5m', '10Mi'),
    },
    secrets: [guestKubeconfig, ...secrets('oauth-server-crt', 'oauth-openshift-session')],
    configMaps: ['oauth-master-ca-bundle'],
    scratch: ['logs'],
    settings: settings('oauth-openshift', ['configuration.oauth', 'configuration.apiServer', 'dns', 'services']),
    isSpread: true,
    budget: (name) => name,
  },
  'openshift-controller-manager': {
    containers: { 'openshift-controller-manager': controller('100m', '100Mi') },
    secrets: [guestKubeconfig, ...secrets('openshift-controller-manager-cert')],
    configMaps: ['client-ca'],
    settings: settings('openshift-controller-manager-config', ['configuration.image', 'configuration.build', 'networking', 'capabilities']),
    services: [forMonitoring('openshift-controller-manager')],
    metrics: { port: 'https', scheme: 'https', canBeDisabled: true },
    isSpread: true,
  },
  'openshift-route-controller-manager': {
    containers: { 'openshift-route-controller-manager': controller('100m', '100Mi') },
    secrets: [guestKubeconfig, ...secrets('openshift-route-controller-manager-cert')],
    configMaps: ['client-ca'],
    settings: settings('openshift-route-controller-manager-config', ['configuration.ingress', 'networking']),
    services: [forMonitoring('openshift-route-controller-manager')],
    metrics: { port: 'https', scheme: 'https', canBeDisabled: true },
    isSpread: true,
  },
  'cluster-policy-controller': {
    containers: { 'cluster-policy-controller': asks('10m', '200Mi') },
    secrets: [guestKubeconfig, ...secrets('cluster-policy-controller-cert')],
    configMaps: ['client-ca'],
    settings: settings('cluster-policy-controller-config', ['configuration.apiServer', 'configuration.featureGate']),
    isSpread: true,
  },
  'cluster-version-operator': {
    containers: { 'cluster-version-operator': asks('20m', '70Mi', { ports: { https: 8443 } }) },
    secrets: [guestKubeconfig, ...secrets('cvo-server')],
    scratch: ['payload', 'update-payloads'],
    role: [mayRead('metrics.k8s.io', 'pods')],
    services: [forMonitoring('cluster-version-operator')],
    metrics: { port: 'https', scheme: 'https', canBeDisabled: true },
  },
  'hosted-cluster-config-operator': {
    containers: {
      'hosted-cluster-config-operator': asks('60m', '80Mi', {
        ports: { metrics: 8080 },
        live: answers('/healthz', 6060, { scheme: 'HTTP', delay: 60 }),
        ready: answers('/readyz', 6060, { scheme: 'HTTP' }),
      }),
    },
    secrets: secrets('hcco-kubeconfig'),
    configMaps: ['root-ca', 'kubelet-client-ca'],
    role: [
      mayUpdateControlPlane,
      mayUpdate('hypershift.openshift.io', 'hostedcontrolplanes/finalizers'),
      mayWrite('', 'configmaps', 'pods', 'secrets', 'services'),
      mayUpdate('apps', 'deployments'),
      mayWrite('cluster.x-k8s.io', 'machinesets', 'machines'),
      mayLead,
      mayTell,
    ],
    services: [service('hosted-cluster-config-operator', 'metrics', 8080)],
    metrics: { port: 'metrics', scheme: 'http' },
  },
  'ignition-server': {
    containers: {
      'ignition-server': asks('10m', '40Mi', { ports: { https: 9090, metrics: 8080 }, ...healthy('/healthz', 9090) }),
    },
    secrets: secrets('ignition-server'),
    scratch: ['payloads', 'bootstrap-manifests', 'manifests', 'shared'],
    role: [mayUpdateControlPlane, mayWrite('', 'secrets'), mayRead('', 'configmaps'), mayTell],
    services: [{ name: 'ignition-server', ports: { https: { port: 443, to: 'https' }, metrics: { port: 8080, to: 'metrics' } } }],
    metrics: { port: 'metrics', scheme: 'http' },
    isSpread: true,
  },
  'ignition-server-proxy': {
    containers: { haproxy: asks('10m', '20Mi', { ports: { https: 8443 } }) },
    secrets: secrets('ignition-server-serving-cert'),
    configMaps: ['root-ca'],
    services: [service('ignition-server-proxy', 'https', 443)],
    isSpread: true,
  },
  router: {
    containers: {
      router: asks('50m', '40Mi', { ports: { https: 8443 }, live: answers('/haproxy_ready', 9444, { scheme: 'HTTP', delay: 50 }) }),
    },
    settings: settings('router', ['services', 'platform.type', 'dns']),
    isSpread: true,
    budget: (name) => name,
  },
  'endpoint-resolver': {
    containers: { 'endpoint-resolver': asks('5m', '20Mi', { ports: { https: 9444 }, ...healthy('/healthz', 9444) }) },
    secrets: secrets('endpoint-resolver-serving-cert'),
    role: [mayRead('', 'pods')],
    services: [service('endpoint-resolver', 'https', 443)],
  },
  'metrics-proxy': {
    containers: { 'metrics-proxy': asks('10m', '40Mi', { ports: { https: 9443 }, ...healthy('/healthz', 9443) }) },
    secrets: secrets('metrics-proxy-serving-cert', 'cluster-signer-ca', 'endpoint-resolver-ca'),
    settings: settings('metrics-proxy-config', ['monitoring', 'etcd']),
    services: [service('metrics-proxy', 'https', 443)],
  },
  'control-plane-operator': {
    containers: {
      'control-plane-operator': asks('10m', '80Mi', {
        ports: { metrics: 8080 },
        live: answers('/healthz', 6060, { scheme: 'HTTP', delay: 60 }),
        ready: answers('/readyz', 6060, { scheme: 'HTTP' }),
        imageAnnotation: 'hypershift.openshift.io/control-plane-operator-image',
      }),
    },
    role: [
      mayWrite('hypershift.openshift.io', '*'),
      mayWrite('certificates.hypershift.openshift.io', '*'),
      mayWrite('', 'configmaps', 'endpoints', 'persistentvolumeclaims', 'pods', 'secrets', 'serviceaccounts', 'services'),
      mayWrite('apps', 'deployments', 'replicasets', 'statefulsets'),
      mayWrite('batch', 'cronjobs', 'jobs'),
      mayWrite('policy', 'poddisruptionbudgets'),
      mayWrite('rbac.authorization.k8s.io', 'roles', 'rolebindings'),
      mayWrite('route.openshift.io', 'routes', 'routes/custom-host'),
      mayWrite('monitoring.coreos.com', 'servicemonitors', 'podmonitors', 'prometheusrules'),
      mayWrite('discovery.k8s.io', 'endpointslices'),
      mayRead('cluster.x-k8s.io', '*'),
      mayReadControlPlane,
      mayLead,
      mayTell,
    ],
    services: [service('control-plane-operator', 'metrics', 8080)],
    metrics: { port: 'metrics', scheme: 'http' },
  },
}
