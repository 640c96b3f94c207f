import type { AgentMachineTemplate } from '@windlass/api'
import type { Made, Making } from './making.ts'

/** Bare metal: which hosts may be taken. Nothing of the release is in it, so that an update never takes other hosts. */
export function agentMachine({ pool }: Making): Made {
  const { agentLabelSelector } = pool.spec.platform.agent ?? {}
  const spec: AgentMachineTemplate['spec']['template']['spec'] = agentLabelSelector === undefined ? {} : { agentLabelSelector }
  return { spec }
}

/** What a cluster says of Power Virtual Server, which our schema leaves open. */
interface PowerVSCluster {
  readonly serviceInstanceID?: string
  readonly subnet?: { readonly id?: string; readonly name?: string }
}

const processorTypes = { dedicated: 'Dedicated', shared: 'Shared', capped: 'Capped' } as const

/** Power Virtual Server. */
export function powervsMachine({ pool, cluster, bootImage }: Making): Made {
  const { powervs } = pool.spec.platform
  if (powervs === undefined) return { problem: 'spec.platform.powervs is not set' }
  const where: PowerVSCluster = cluster.spec.platform.powervs ?? {}
  const { systemType = 's922', processorType = 'shared', processors = '0.5', memoryGiB = 32, image } = powervs
  const chosen = image ?? (bootImage === undefined ? undefined : { name: bootImage })
  if (chosen === undefined) return { problem: 'no image is known: set spec.platform.powervs.image' }
  if (where.serviceInstanceID === undefined || where.subnet === undefined) {
    return { problem: 'its HostedCluster does not say where machines run: set spec.platform.powervs.serviceInstanceID and subnet' }
  }
  const { serviceInstanceID, subnet: network } = where
  return {
    spec: { serviceInstanceID, image: chosen, network, systemType, processorType: processorTypes[processorType], processors, memoryGiB },
  }
}
