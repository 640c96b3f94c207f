import type { Node } from '@windlass/api'

const prefix = 'machineconfiguration.openshift.io/'

/** What the daemon that changes a node writes on it: in classic clusters, and in pools of hosted ones whose nodes stay. Empty where nothing is written. */
export interface Notes {
  /** Working, Done, Degraded, Rebooting or Unreconcilable. */
  readonly state: string
  readonly reason: string
  readonly current: string
  readonly desired: string
  /** Its Pods are to go, and have not gone. */
  readonly isDraining: boolean
}

export function notesOn({ metadata: { annotations = {} } }: Node): Notes {
  const note = (name: string): string => annotations[`${prefix}${name}`] ?? ''
  const [wanted, applied] = [note('desiredDrain'), note('lastAppliedDrain')]
  return {
    state: note('state'),
    reason: note('reason'),
    current: note('currentConfig'),
    desired: note('desiredConfig'),
    isDraining: wanted !== applied && wanted.startsWith('drain-'),
  }
}

/** Since when nothing new comes to the node; undefined when nobody noted it. */
export function cordonedSince({ spec }: Node): string | undefined {
  return spec.taints?.find(({ key }) => key === 'node.kubernetes.io/unschedulable')?.timeAdded ?? undefined
}
