import type { HostedControlPlane } from '@windlass/api'
import type { Operand } from './component.ts'
import { isMultiNetworkDisabled, platformOf } from './control-plane.ts'

const operand = (deployment: string, container = deployment, image = container): Operand => ({ deployment, container, image })

/** Platforms whose cloud gives nodes addresses for egress. */
const withCloudNetworks = ['AWS', 'Azure', 'GCP', 'OpenStack']

export function networkOperands(hcp: HostedControlPlane): readonly Operand[] {
  const isOvn = (hcp.spec.networking?.networkType ?? 'OVNKubernetes') === 'OVNKubernetes'
  return [
    ...(isOvn
      ? [
          operand('ovnkube-control-plane', 'ovnkube-control-plane', 'ovn-kubernetes'),
          operand('network-node-identity', 'approver', 'ovn-kubernetes'),
        ]
      : []),
    ...(isOvn && withCloudNetworks.includes(platformOf(hcp))
      ? [operand('cloud-network-config-controller', 'controller', 'cloud-network-config-controller')]
      : []),
    ...(isMultiNetworkDisabled(hcp) ? [] : [operand('multus-admission-controller')]),
  ]
}

const storageDrivers: Readonly<Record<string, readonly string[]>> = {
  AWS: ['aws-ebs-csi-driver'],
  Azure: ['azure-disk-csi-driver', 'azure-file-csi-driver'],
}

export function storageOperands(hcp: HostedControlPlane): readonly Operand[] {
  const drivers = storageDrivers[platformOf(hcp)] ?? []
  return drivers.flatMap((driver) => [operand(`${driver}-operator`), operand(`${driver}-controller`, 'csi-driver', driver)])
}

export function snapshotOperands(): readonly Operand[] {
  return [operand('csi-snapshot-controller', 'snapshot-controller', 'csi-snapshot-controller')]
}

/** Images of all operands there are, on whatever platform. */
export const operandImages: readonly string[] = [
  'ovn-kubernetes',
  'cloud-network-config-controller',
  'multus-admission-controller',
  'csi-snapshot-controller',
  ...Object.values(storageDrivers)
    .flat()
    .flatMap((driver) => [driver, `${driver}-operator`]),
]
