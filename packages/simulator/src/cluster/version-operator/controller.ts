import { ClusterOperator, ClusterVersion } from '@windlass/api'
import { annotationChanged, cached, changed, type ControllerDefinition, generationChanged, or, type Source, watching } from '@windlass/kube'
import { failureAnnotation } from '../../failures/index.ts'
import { hostedPayload, type Payload } from '../payload/index.ts'
import type { Settings } from '../settings.ts'
import type { Release } from '../updates/index.ts'
import { type Asking, decide, type Observed } from './decide.ts'
import { progressAnnotation } from './progress.ts'

export const clusterVersions = cached(ClusterVersion)
export const clusterOperators = cached(ClusterOperator)

/** There is one of a kind in a cluster, and this is its name. */
export const versionRef = { name: 'version' } as const

/** The version operator of a cluster that runs its own control plane. */
export function clusterVersionOperator(settings: Settings): ControllerDefinition<ClusterVersion, Observed> {
  return definition(settings, settings.payload, () => 'spec')
}

/** Which release a hosted control plane asks for. */
export interface AskedRelease {
  /** Undefined while it is not known. */
  current(): Release | undefined
  /** Gives `{ name: 'version' }`, or anything else, whenever `current` may have changed; right at the start too. */
  readonly changes: Source
}

/** The version operator of a hosted cluster, which runs in its guest. */
export function guestVersionOperator(
  settings: Settings,
  clusterID: string,
  asked: AskedRelease,
): ControllerDefinition<ClusterVersion, Observed> {
  const source: Source = async function* (context) {
    for await (const _ of asked.changes(context)) yield versionRef
  }
  return { ...definition(settings, hostedPayload, () => ({ release: asked.current(), clusterID })), sources: [source] }
}

function definition(settings: Settings, payload: Payload, asking: () => Asking): ControllerDefinition<ClusterVersion, Observed> {
  return {
    name: 'simulated-cluster-version-operator',
    for: clusterVersions,
    predicate: or(
      generationChanged,
      annotationChanged(failureAnnotation, progressAnnotation),
      changed(({ status }: ClusterVersion) => [status?.versionHash, status?.conditions, status?.history, status?.availableUpdates]),
    ),
    watches: [
      watching(
        clusterOperators,
        () => [versionRef],
        changed(({ status }: ClusterOperator) => [status?.conditions, status?.versions]),
      ),
    ],
    observe({ name }, cache) {
      if (name !== versionRef.name) return undefined
      const operators = new Map(cache.list(clusterOperators).map((operator) => [operator.metadata.name ?? '', operator]))
      return { clusterVersion: cache.get(clusterVersions, versionRef), operators, payload, settings, asking: asking() }
    },
    decide,
  }
}
