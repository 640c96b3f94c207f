import type { MachineConfig, MachineConfigPool } from '@windlass/api'
import { hexOf } from '../payload/index.ts'
import type { Release } from '../updates/index.ts'

const prefix = 'machineconfiguration.openshift.io'

/** Where the config daemon of a node and the rest of the machine config operator talk to each other: annotations of the Node. */
export const nodeAnnotations = {
  currentConfig: `${prefix}/currentConfig`,
  desiredConfig: `${prefix}/desiredConfig`,
  state: `${prefix}/state`,
  reason: `${prefix}/reason`,
  desiredDrain: `${prefix}/desiredDrain`,
  lastAppliedDrain: `${prefix}/lastAppliedDrain`,
  /** Ours: since when the node is in the step that it is in. A real daemon has this in memory. */
  since: 'simulator.windlass.dev/step-since',
} as const

export type NodeAnnotation = keyof typeof nodeAnnotations

/** On a rendered config: the release that it came with. */
export const versionAnnotation = `${prefix}/release-image-version`

/** On pools that an update of the cluster waits for. */
export const requiredLabel = 'operator.machineconfiguration.openshift.io/required-for-upgrade'

/** The config of a pool at a release; always the same name for the same release. */
export function renderedName({ metadata }: MachineConfigPool, { version, image }: Pick<Release, 'version' | 'image'>): string {
  const pool = metadata.name ?? ''
  return `rendered-${pool}-${hexOf(`${pool}/${version}/${image}`, 32)}`
}

/** The release that a rendered config came with; undefined when it does not say. */
export function versionOf(config: MachineConfig | undefined): string | undefined {
  const version = config?.metadata.annotations?.[versionAnnotation]
  return version === '' ? undefined : version
}
