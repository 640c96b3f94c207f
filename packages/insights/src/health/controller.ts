import { ClusterVersionProgressInsight, MachineConfigPoolProgressInsight, UpdateHealthInsight } from '@windlass/api'
import { cached, type CacheReader, changed, type Ref, type Watching, watching } from '@windlass/kube'
import { clusterVersion } from '../caches.ts'
import { hasOutdatedNodes, isControlPlaneUpdating, isUpdateInProgress } from './gate.ts'
import { type Manager, subjectKey, subjectKeys, subjectsFor } from './managers.ts'

export const healthInsights = cached(UpdateHealthInsight, { indexes: { subject: subjectKeys } })

/** The insights of a manager about one object. */
export function healthOf(manager: Manager, name: string, cache: CacheReader): readonly UpdateHealthInsight[] {
  return cache.byIndex(healthInsights, 'subject', subjectKey(manager, name))
}

/** Whoever changes or deletes an insight of ours makes us look at what it is about. */
export function watchingHealth(manager: Manager): Watching<UpdateHealthInsight> {
  return watching(healthInsights, (insight) => subjectsFor(manager, insight).map((name) => ({ name })))
}

/** Whether an update is in progress, by what the progress insights say. */
export function isInProgress(cache: CacheReader): boolean {
  const controlPlane = cache.get(ClusterVersionProgressInsight, clusterVersion)
  return isUpdateInProgress(controlPlane?.status, cache.list(MachineConfigPoolProgressInsight))
}

/** Looks at all these objects when an update begins or ends. */
export function gateWatches(everything: (cache: CacheReader) => readonly Ref[]): readonly Watching[] {
  return [
    watching(
      ClusterVersionProgressInsight,
      ({ metadata }, cache) => (metadata.name === clusterVersion.name ? everything(cache) : []),
      changed(({ status }: ClusterVersionProgressInsight) => isControlPlaneUpdating(status)),
    ),
    watching(MachineConfigPoolProgressInsight, (_, cache) => everything(cache), changed(hasOutdatedNodes)),
  ]
}
