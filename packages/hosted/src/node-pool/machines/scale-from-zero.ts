import type { Seen } from '../seen.ts'
import type { MachineTemplate } from '../templates/index.ts'

const capacity = 'capacity.cluster-autoscaler.kubernetes.io'

/** What the autoscaler is told about machines that do not exist yet. */
export const capacityAnnotations = [
  'machine.openshift.io/vCPU',
  'machine.openshift.io/memoryMb',
  'machine.openshift.io/GPU',
  `${capacity}/labels`,
  `${capacity}/taints`,
] as const

const platforms: ReadonlySet<string> = new Set(['AWS', 'Azure'])

/** Whether the autoscaler can make the first machine: the provider says what it would offer, or we do. */
export function canScaleFromZero({ pool, capacity: offered }: Seen, template: MachineTemplate | undefined): boolean {
  return isSelfDescribing(template) || (platforms.has(pool.spec.platform.type) && offered !== undefined)
}

/**
 * Annotations for a MachineDeployment or a MachineSet. Undefined leaves them as they are: what a machine offers could not be found out. A provider
 * that describes its templates needs none.
 */
export function capacityAnnotationsFor(seen: Seen, template: MachineTemplate | undefined): Readonly<Record<string, string>> | undefined {
  const { pool, capacity: offered } = seen
  if (pool.spec.autoScaling === undefined || isSelfDescribing(template) || !platforms.has(pool.spec.platform.type)) return {}
  if (offered === undefined || offered.is !== 'found') return undefined
  const { cpus, memoryMb, gpus, architecture } = offered.value
  const labels = Object.entries({ ...pool.spec.nodeLabels, 'kubernetes.io/arch': architecture }).map(([key, value]) => `${key}=${value}`)
  const taints = (pool.spec.taints ?? []).map(({ key, value = '', effect }) =>
    value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`,
  )
  return {
    'machine.openshift.io/vCPU': `${cpus}`,
    'machine.openshift.io/memoryMb': `${memoryMb}`,
    ...(gpus > 0 ? { 'machine.openshift.io/GPU': `${gpus}` } : {}),
    [`${capacity}/labels`]: labels.toSorted().join(','),
    ...(taints.length === 0 ? {} : { [`${capacity}/taints`]: taints.toSorted().join(',') }),
  }
}

function isSelfDescribing(template: MachineTemplate | undefined): boolean {
  return Object.keys(template?.status?.capacity ?? {}).length > 0
}
