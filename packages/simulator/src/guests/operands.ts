import type { HostedControlPlane } from '@windlass/api'

/** A Deployment that an operator makes in the namespace of its control plane. */
export interface Operand {
  readonly name: string
  readonly container: string
  /** The name of its image in the payload. */
  readonly image: string
}

const operand = (name: string, container = name, image = container): Operand => ({ name, container, image })

type Operands = (controlPlane: HostedControlPlane) => readonly Operand[]

const clouds = ['AWS', 'Azure', 'GCP', 'OpenStack']

/** What the network operator makes depends on the network: other ones than OVN run on the nodes alone. */
const network: Operands = ({ spec: { networking, platform, operatorConfiguration } }) => {
  const isOvn = (networking?.networkType ?? 'OVNKubernetes') === 'OVNKubernetes'
  const hasMultus = operatorConfiguration?.clusterNetworkOperator?.disableMultiNetwork !== true
  return [
    ...(isOvn ? [operand('ovnkube-control-plane', 'ovnkube-control-plane', 'ovn-kubernetes')] : []),
    ...(isOvn ? [operand('network-node-identity', 'approver', 'ovn-kubernetes')] : []),
    ...(isOvn && clouds.includes(platform.type)
      ? [operand('cloud-network-config-controller', 'controller', 'cloud-network-config-controller')]
      : []),
    ...(hasMultus ? [operand('multus-admission-controller')] : []),
  ]
}

const drivers: Readonly<Record<string, readonly string[]>> = {
  AWS: ['aws-ebs-csi-driver'],
  Azure: ['azure-disk-csi-driver', 'azure-file-csi-driver'],
}

const storage: Operands = ({ spec: { platform } }) =>
  (drivers[platform.type] ?? []).flatMap((driver) => [operand(`${driver}-operator`), operand(`${driver}-controller`, 'csi-driver', driver)])

const snapshots: Operands = () => [operand('csi-snapshot-controller', 'snapshot-controller', 'csi-snapshot-controller')]

/** What operators of a control plane make there by themselves, by the name of the operator. The rest of what they make is in the guest. */
export const operandsOf: ReadonlyMap<string, Operands> = new Map([
  ['cluster-network-operator', network],
  ['cluster-storage-operator', storage],
  ['csi-snapshot-controller-operator', snapshots],
])
