import type { Node } from '@windlass/api'
import { type Instant, isTrue, parseTime } from '@windlass/core'

const role = (name: string): string => `node-role.kubernetes.io/${name}`
const machineConfig = (name: string): string => `machineconfiguration.openshift.io/${name}`
const cordonTaint = 'node.kubernetes.io/unschedulable'

export function isControlPlane({ metadata }: Node): boolean {
  return hasLabel(metadata.labels, role('master')) || hasLabel(metadata.labels, role('control-plane'))
}

/** A worker that holds what customers run: infra nodes are workers as well, but ours. */
export function isCustomerWorker({ metadata }: Node): boolean {
  return hasLabel(metadata.labels, role('worker')) && !hasLabel(metadata.labels, role('infra'))
}

/**
 * Cordoned, and since when. It takes the field and the taint both: either alone is somebody halfway through. The time is absent where whoever
 * set the taint did not say.
 */
export function cordonOf({ spec }: Node): { readonly since: Instant | undefined } | undefined {
  const taint = spec.taints?.find(({ key, effect }) => key === cordonTaint && effect === 'NoSchedule')
  return spec.unschedulable === true && taint !== undefined ? { since: parseTime(taint.timeAdded) } : undefined
}

/**
 * Whether the machine config operator is at work on the node.
 *
 * Its state turns to Degraded after an hour of failed drain and stays so, hence the second way to tell: those that hang are the ones that need us most.
 */
export function isBeingUpdated({ metadata: { annotations = {} } }: Node): boolean {
  if (annotations[machineConfig('state')] === 'Working') return true
  const current = annotations[machineConfig('currentConfig')]
  const wanted = annotations[machineConfig('desiredConfig')]
  return current !== undefined && wanted !== undefined && current !== wanted
}

export function isReady({ status }: Node): boolean {
  return isTrue(status?.conditions, 'Ready')
}

export function nodeName({ metadata }: Node): string {
  return metadata.name ?? ''
}

function hasLabel(labels: Readonly<Record<string, string>> | undefined, name: string): boolean {
  return labels !== undefined && Object.hasOwn(labels, name)
}
