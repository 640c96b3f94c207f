import type { Node } from '@windlass/api'

const prefix = 'machineconfiguration.openshift.io/'

/** What the machine config daemon and its controller write on a node. */
export interface DaemonNotes {
  readonly currentConfig: string
  readonly desiredConfig: string
  /** Working, Done, Degraded, Rebooting or Unreconcilable. */
  readonly state: string
  readonly reason: string
  readonly desiredDrain: string
  readonly lastAppliedDrain: string
  readonly currentImage: string
  readonly desiredImage: string
}

/** Whole names: to put them together for every node would take most of the time that a look at it takes. */
const annotationNames = {
  currentConfig: `${prefix}currentConfig`,
  desiredConfig: `${prefix}desiredConfig`,
  state: `${prefix}state`,
  reason: `${prefix}reason`,
  desiredDrain: `${prefix}desiredDrain`,
  lastAppliedDrain: `${prefix}lastAppliedDrain`,
  currentImage: `${prefix}currentImage`,
  desiredImage: `${prefix}desiredImage`,
} as const satisfies Readonly<Record<keyof DaemonNotes, string>>

const everyName = Object.values(annotationNames)

/** Empty where nothing is written: to the daemon it is the same. */
export function notesOn({ metadata: { annotations = {} } }: Node): DaemonNotes {
  const note = (name: keyof DaemonNotes): string => annotations[annotationNames[name]] ?? ''
  return {
    currentConfig: note('currentConfig'),
    desiredConfig: note('desiredConfig'),
    state: note('state'),
    reason: note('reason'),
    desiredDrain: note('desiredDrain'),
    lastAppliedDrain: note('lastAppliedDrain'),
    currentImage: note('currentImage'),
    desiredImage: note('desiredImage'),
  }
}

/** The machine configs that a node has or should have. */
export function configsOf(node: Node): readonly string[] {
  const { currentConfig, desiredConfig } = notesOn(node)
  return [...new Set([currentConfig, desiredConfig])].filter((name) => name !== '')
}

/** Everything about a node that its insight is made from. The kubelet reports every few minutes that nothing has happened; that is not in it. */
export function signsOf(node: Node): object {
  const { annotations = {}, labels = {} } = node.metadata
  return {
    labels,
    notes: everyName.map((name) => annotations[name]),
    isUnschedulable: node.spec.unschedulable === true,
    conditions: node.status?.conditions?.map(({ type, status, message, lastTransitionTime }) => [
      type,
      status,
      message,
      lastTransitionTime,
    ]),
  }
}

/** The annotation of a machine config that says which version it is of, and the label of a pool whose nodes run images. */
export const versionAnnotation = `${prefix}release-image-version`
export const layeringLabel = `${prefix}layering-enabled`
