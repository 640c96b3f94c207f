import { ClusterOperator, ClusterVersion, type MachineConfigPool, type Node } from '@windlass/api'
import { annotationChanged, changed, type ControllerDefinition, or, type Ref, refOf, watching, type Watching } from '@windlass/kube'
import { failureAnnotation } from '../../failures/index.ts'
import { Gathering } from '../gathering.ts'
import { isReady, nodes, pools } from '../machine-config/index.ts'
import { hostedPayload, type OperatorSort, type Payload } from '../payload/index.ts'
import type { Settings } from '../settings.ts'
import { clusterOperators, clusterVersions, progressAnnotation, versionRef } from '../version-operator/index.ts'
import { decide, type Observed } from './decide.ts'

/** The operators of a cluster that runs its own control plane. */
export function operatorsOfCluster(settings: Settings): ControllerDefinition<ClusterOperator, Observed> {
  const watchesPools = watching(
    pools,
    () => named(settings.payload, 'machine-config'),
    changed(({ metadata, spec, status }: MachineConfigPool) => [metadata.generation, spec.configuration, status]),
  )
  return definition(settings, settings.payload, [watchesPools])
}

/** Those of a hosted cluster, in its guest. There are no pools of machine configs. */
export function operatorsOfGuest(settings: Settings): ControllerDefinition<ClusterOperator, Observed> {
  return definition(settings, hostedPayload, [])
}

function definition(settings: Settings, payload: Payload, more: readonly Watching[]): ControllerDefinition<ClusterOperator, Observed> {
  const gathering = new Gathering(settings)
  return {
    name: 'simulated-cluster-operators',
    for: clusterOperators,
    predicate: or(
      annotationChanged(failureAnnotation),
      changed(({ status }: ClusterOperator) => status),
    ),
    watches: [
      watching(
        clusterVersions,
        (_, cache) => cache.list(clusterOperators).map(refOf),
        or(
          annotationChanged(progressAnnotation),
          changed(({ status }: ClusterVersion) => [status?.versionHash, status?.desired]),
        ),
      ),
      gathering.watching(nodes, () => named(payload, 'daemon-set'), changed(isAway)),
      ...more,
    ],
    sources: [gathering.source],
    maxConcurrent: 8,
    observe(ref, cache) {
      const operator = cache.get(clusterOperators, ref)
      if (operator === undefined) return undefined
      const sort = payload.operators.get(ref.name)?.operator.sort
      return {
        operator,
        clusterVersion: cache.get(clusterVersions, versionRef),
        pools: sort === 'machine-config' ? [...cache.list(pools)].sort(byName) : [],
        nodesAway: sort === 'daemon-set' ? cache.list(nodes).filter(isAway).length : 0,
        payload,
        settings,
      }
    },
    decide,
  }
}

function named({ operators }: Payload, sort: OperatorSort): readonly Ref[] {
  return [...operators.values()].flatMap(({ operator }) => (operator.sort === sort ? [{ name: operator.name }] : []))
}

function isAway(node: Node): boolean {
  return !isReady(node)
}

function byName(a: MachineConfigPool, b: MachineConfigPool): number {
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1
}
