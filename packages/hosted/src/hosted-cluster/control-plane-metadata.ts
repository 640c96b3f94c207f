import type { HostedCluster, NodePool } from '@windlass/api'
import { clusterKeyOf } from './namespace-name.ts'
import { Annotation, mirroredAnnotationPrefixes, mirroredAnnotations, mirroredLabelPrefix, PoolAnnotation } from './wire.ts'

type Texts = Readonly<Record<string, string>>

/** Annotations of a control plane: those it has, with what follows from its cluster and its node pools changed. */
export function controlPlaneAnnotations(cluster: HostedCluster, live: Texts, nodePools: readonly NodePool[]): Texts {
  const { annotations = {} } = cluster.metadata
  const isMirrored = (key: string): boolean => mirrored.has(key) || mirroredAnnotationPrefixes.some((prefix) => key.startsWith(prefix))
  return {
    ...mirror(annotations, live, isMirrored),
    ...restartOf(annotations, live),
    ...saidUnless(Annotation.disableClusterAutoscaler, nodePools.some(autoscales)),
    ...saidUnless(Annotation.disableTerminationHandler, nodePools.some(usesSpot)),
    [Annotation.cluster]: clusterKeyOf(cluster),
  }
}

/** Labels of a control plane: those of the service that manages the cluster are the cluster's, the others its own. */
export function controlPlaneLabels({ metadata: { labels = {} } }: HostedCluster, live: Texts): Texts {
  return mirror(labels, live, (key) => key.startsWith(mirroredLabelPrefix))
}

const mirrored: ReadonlySet<string> = new Set(mirroredAnnotations)

/** We say these two ourselves, so that they go when they do not hold any more. */
const ours: ReadonlySet<string> = new Set([Annotation.disableClusterAutoscaler, Annotation.disableTerminationHandler])

/** What is mirrored comes from the source alone, the rest stays. */
function mirror(source: Texts, live: Texts, isMirrored: (key: string) => boolean): Texts {
  const kept = Object.entries(live).filter(([key]) => !isMirrored(key) && !ours.has(key))
  const taken = Object.entries(source).filter(([key]) => isMirrored(key))
  return Object.fromEntries([...kept, ...taken])
}

/**
 * A restart that was asked for on the cluster is passed on once. Others may ask for one on the control plane meanwhile (a new certificate does), and
 * the cluster's must not overwrite it for ever.
 */
function restartOf(source: Texts, live: Texts): Texts {
  const date = source[Annotation.restartDate] ?? ''
  if (date === '' || live[Annotation.previousRestartDate] === date) return {}
  return { [Annotation.previousRestartDate]: date, [Annotation.restartDate]: date }
}

function saidUnless(annotation: string, isNeeded: boolean): Texts {
  return isNeeded ? {} : { [annotation]: 'true' }
}

function autoscales({ spec }: NodePool): boolean {
  return spec.autoScaling !== undefined
}

function usesSpot({ metadata, spec }: NodePool): boolean {
  const { annotations = {} } = metadata
  return spec.platform.aws?.placement?.marketType === 'Spot' || PoolAnnotation.enableSpot in annotations
}
