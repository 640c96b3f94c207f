import { NetworkPolicy } from '@windlass/api'
import type { HostedCluster, NetworkPeer, NetworkPort } from '@windlass/api'
import type { Action } from '@windlass/kube'
import { familyOf, parseCidr } from './ip.ts'
import { clusterKeyOf, controlPlaneNamespaceOf } from './namespace-name.ts'
import type { ManagementCluster, ObservedHostedCluster } from './observed.ts'
import { areRoutesServedByControlPlane } from './routes.ts'
import { ensured, removed } from './snapshot.ts'
import { Annotation } from './wire.ts'

type Spec = NetworkPolicy['spec']

interface Row {
  readonly name: string
  /** Whether the cluster has it. */
  readonly isWanted: (cluster: HostedCluster) => boolean
  readonly spec: (observed: ObservedHostedCluster) => Spec
  /** One that the cluster does not want any more is removed. The others follow from what cannot change. */
  readonly isRemoved?: boolean
}

const always = (): boolean => true
const on =
  (...types: readonly string[]) =>
  ({ spec }: HostedCluster): boolean =>
    types.includes(spec.platform.type)
const publishedBy =
  (service: string, type: string) =>
  ({ spec }: HostedCluster): boolean =>
    spec.services.some((each) => each.service === service && each.servicePublishingStrategy.type === type)

/** Who may talk to whom in the namespace of a control plane. */
const rows: readonly Row[] = [
  { name: 'same-namespace', isWanted: always, spec: () => ingressFrom({}, { podSelector: {} }) },
  { name: 'kas', isWanted: always, spec: ({ cluster }) => ingressTo('kube-apiserver', ...apiServerPorts(cluster)) },
  { name: 'openshift-monitoring', isWanted: always, spec: () => ingressFrom({}, policyGroup('monitoring')) },
  {
    name: 'openshift-ingress',
    isWanted: (cluster) => !areRoutesServedByControlPlane(cluster),
    spec: () => ingressFrom({}, policyGroup('ingress')),
    isRemoved: true,
  },
  { name: 'management-kas', isWanted: on('AWS'), spec: ({ management }) => managementKas(management) },
  { name: 'private-router', isWanted: on('AWS', 'Azure', 'GCP'), spec: ({ management }) => privateRouter(management) },
  { name: 'virt-launcher', isWanted: on('KubeVirt'), spec: virtLauncher },
  { name: 'nodeport-oauth', isWanted: publishedBy('OAuthServer', 'NodePort'), spec: () => ingressTo('oauth-openshift', 6443) },
  { name: 'nodeport-ignition', isWanted: publishedBy('Ignition', 'NodePort'), spec: () => ingressTo('ignition-server', 9090) },
  { name: 'nodeport-ignition-proxy', isWanted: publishedBy('Ignition', 'NodePort'), spec: () => ingressTo('ignition-server-proxy', 8443) },
  { name: 'nodeport-konnectivity', isWanted: publishedBy('Konnectivity', 'NodePort'), spec: () => ingressTo('konnectivity-server', 8091) },
  { name: 'nodeport-konnectivity-kas', isWanted: publishedBy('Konnectivity', 'NodePort'), spec: () => ingressTo('kube-apiserver', 8091) },
  { name: 'loadbalancer-oauth', isWanted: publishedBy('OAuthServer', 'LoadBalancer'), spec: () => ingressTo('oauth-openshift', 6443) },
]

export function networkPolicies(observed: ObservedHostedCluster): readonly Action[] {
  const { cluster, objects } = observed
  const namespace = controlPlaneNamespaceOf(cluster)
  const annotations = { [Annotation.cluster]: clusterKeyOf(cluster) }
  return rows.flatMap(({ name, isWanted, spec, isRemoved = false }): readonly Action[] => {
    if (isWanted(cluster)) {
      const draft = { metadata: { name, namespace, annotations }, spec: spec(observed) }
      return ensured(objects, NetworkPolicy, draft, 'nothing else may talk to the control plane')
    }
    const live = isRemoved ? objects.find(NetworkPolicy, { namespace, name }) : undefined
    return removed(NetworkPolicy, live, 'the control plane serves its Routes itself')
  })
}

function tcp(...ports: readonly number[]): readonly NetworkPort[] {
  return ports.map((port) => ({ protocol: 'TCP', port }))
}

/** Anybody may reach these ports of an app. */
function ingressTo(app: string, ...ports: readonly number[]): Spec {
  return { podSelector: { matchLabels: { app } }, policyTypes: ['Ingress'], ingress: [{ ports: tcp(...ports) }] }
}

function ingressFrom(podSelector: NonNullable<Spec['podSelector']>, ...from: readonly NetworkPeer[]): Spec {
  return { podSelector, policyTypes: ['Ingress'], ingress: [{ from }] }
}

function policyGroup(group: string): NetworkPeer {
  return { namespaceSelector: { matchLabels: { 'network.openshift.io/policy-group': group } } }
}

function apiServerPorts({ spec }: HostedCluster): readonly number[] {
  const port = spec.platform.type === 'IBMCloud' ? 2040 : 6443
  return [...new Set([port, spec.networking.apiServer?.port ?? port])]
}

/** Where names are resolved. */
function dns({ hasOpenShiftDns }: ManagementCluster): NonNullable<Spec['egress']>[number] {
  const ports = (port: number): readonly NetworkPort[] => [
    { protocol: 'UDP', port },
    { protocol: 'TCP', port },
  ]
  if (!hasOpenShiftDns) return { ports: ports(53) }
  return { to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'openshift-dns' } } }], ports: ports(5353) }
}

/** Everything but the management cluster itself: neither its pods nor its API. */
function outside({ apiServers, clusterNetworks }: ManagementCluster): NetworkPeer {
  const hosts = apiServers.filter((address) => familyOf(address) === 'ipv4').map((address) => `${address}/32`)
  const except = [...hosts, ...clusterNetworks.filter(isIpv4)]
  return { ipBlock: { cidr: '0.0.0.0/0', ...(except.length === 0 ? {} : { except }) } }
}

const isIpv4 = (cidr: string): boolean => parseCidr(cidr)?.family === 'ipv4'

/** Pods that have no business with the management API cannot reach it. */
function managementKas(management: ManagementCluster): Spec {
  return {
    podSelector: {
      matchExpressions: [
        { key: 'hypershift.openshift.io/need-management-kas-access', operator: 'DoesNotExist' },
        { key: 'name', operator: 'NotIn', values: ['aws-ebs-csi-driver-operator'] },
      ],
    },
    policyTypes: ['Egress'],
    egress: [{ to: [{ podSelector: {} }] }, { to: [outside(management)] }, dns(management)],
  }
}

function privateRouter(management: ManagementCluster): Spec {
  const servers = { matchExpressions: [{ key: 'hypershift.openshift.io/request-serving-component', operator: 'Exists' }] }
  return {
    podSelector: { matchLabels: { 'hypershift.openshift.io/control-plane-component': 'router' } },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ ports: tcp(8080, 8443) }],
    egress: [{ to: [outside(management)] }, { to: [{ podSelector: servers }] }, dns(management)],
  }
}

/** Virtual machines of the guest run beside its control plane and must not see more of it than machines elsewhere would. */
function virtLauncher({ cluster, management }: ObservedHostedCluster): Spec {
  const machines = { matchLabels: { 'hypershift.openshift.io/infra-id': cluster.spec.infraID ?? '', 'kubevirt.io': 'virt-launcher' } }
  const networks = [...management.clusterNetworks, ...management.serviceNetworks]
  const component = (name: string): NetworkPeer => ({
    podSelector: { matchLabels: { 'hypershift.openshift.io/control-plane-component': name } },
  })
  const inNamespace = (label: string, namespace: string, podLabel: string): NetworkPeer => ({
    podSelector: { matchLabels: { [podLabel]: 'default' } },
    namespaceSelector: { matchLabels: { [label]: namespace } },
  })
  const to: readonly NetworkPeer[] = [
    except('0.0.0.0/0', networks.filter(isIpv4)),
    except(
      '::/0',
      networks.filter((cidr) => !isIpv4(cidr)),
    ),
    { podSelector: machines },
    inNamespace('kubernetes.io/metadata.name', 'openshift-dns', 'dns.operator.openshift.io/daemonset-dns'),
    inNamespace('name', 'openshift-ingress', 'ingresscontroller.operator.openshift.io/deployment-ingresscontroller'),
    component('kube-apiserver'),
    component('oauth-openshift'),
    { podSelector: { matchLabels: { app: 'ignition-server-proxy' } } },
  ]
  return {
    podSelector: machines,
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ ports: (['TCP', 'UDP', 'SCTP'] as const).map((protocol) => ({ protocol })) }],
    egress: [{ to }, ...nodeAddresses(cluster).map((cidr) => ({ to: [{ ipBlock: { cidr } }] }))],
  }
}

function except(cidr: string, networks: readonly string[]): NetworkPeer {
  return { ipBlock: { cidr, ...(networks.length === 0 ? {} : { except: networks }) } }
}

/** Addresses of nodes at which services of the control plane are published. A name cannot be said in a policy. */
function nodeAddresses({ spec }: HostedCluster): readonly string[] {
  const addresses = spec.services.flatMap(({ servicePublishingStrategy: { nodePort } }) =>
    nodePort === undefined ? [] : [nodePort.address],
  )
  return [...new Set(addresses)].flatMap((address) => {
    const family = familyOf(address)
    return family === undefined ? [] : [`${address}/${family === 'ipv4' ? 32 : 128}`]
  })
}
