import type { AgentMachineTemplate } from '@windlass/api'
import type { Made, Making } from './making.ts'

/** Bare metal: which hosts may be taken. Nothing of the release is in it, so that an update never takes other hosts. */
export function agentMachine({ pool }: Making): Made {
  const { agentLabelSelector } = pool.spec.platform.agent ?? {}
  const spec: AgentMachineTemplate['spec']['template']['spec'] = agentLabelSelector === undefined ? {} : { agentLabelSelector }
  return { spec }
}

/** Azure: what the pool says goes to the provider as it is, with the image of the release where the pool brings none. */
export function azureMachine({ pool, bootImage }: Making): Made {
  const { azure } = pool.spec.platform
  if (azure === undefined) return { problem: 'spec.platform.azure is not set' }
  const { vmSize, ...rest } = azure
  const image = 'image' in rest || bootImage === undefined ? {} : { image: { id: bootImage } }
  return { spec: { vmSize, ...image, ...rest, sshPublicKey: '' } }
}

/** Power Virtual Server. */
export function powervsMachine({ pool, bootImage }: Making): Made {
  const { powervs } = pool.spec.platform
  if (powervs === undefined) return { problem: 'spec.platform.powervs is not set' }
  const { systemType = 's922', processorType = 'shared', processors = '0.5', memoryGiB = 32, image } = powervs
  const chosen = image ?? (bootImage === undefined ? undefined : { name: bootImage })
  if (chosen === undefined) return { problem: 'no image is known: set spec.platform.powervs.image' }
  return { spec: { systemType, processorType, processors, memoryGiB, image: chosen } }
}
