import { capi, HostedControlPlane } from '@windlass/api'
import type { HostedCluster } from '@windlass/api'
import { create, patch, refOf } from '@windlass/kube'
import type { Action } from '@windlass/kube'
import { infrastructureOf } from './infrastructure.ts'
import { clusterKeyOf, controlPlaneNamespaceOf } from './namespace-name.ts'
import type { ObservedHostedCluster } from './observed.ts'
import { Annotation } from './wire.ts'

/** The cluster as Cluster API sees it, named after the infrastructure. */
export function capiClusterOf({ cluster, objects }: ObservedHostedCluster): capi.Cluster | undefined {
  const { infraID } = cluster.spec
  return infraID === undefined ? undefined : objects.find(capi.Cluster, { namespace: controlPlaneNamespaceOf(cluster), name: infraID })
}

/** Written once; afterwards it belongs to Cluster API, and we only see to it that it is not paused. */
export function capiClusterActions(observed: ObservedHostedCluster, ignitionEndpoint: string | undefined): readonly Action[] {
  const { cluster, objects } = observed
  const infrastructure = infrastructureOf(cluster, ignitionEndpoint)
  if (infrastructure === undefined || !objects.serves(capi.Cluster)) return []
  if (capiClusterOf(observed) !== undefined) return pausedAs(observed, false)
  const { kind, namespace, name } = infrastructure
  const draft = {
    metadata: { name: cluster.spec.infraID ?? '', namespace, annotations: { [Annotation.cluster]: clusterKeyOf(cluster) } },
    spec: {
      controlPlaneRef: { apiVersion: HostedControlPlane.apiVersion, kind: HostedControlPlane.kind, namespace, name: nameOf(cluster) },
      infrastructureRef: { apiVersion: kind.apiVersion, kind: kind.kind, namespace, name },
    },
  }
  return [create(capi.Cluster, draft, 'machines of the cluster belong to it')]
}

/** Stops Cluster API, or lets it go on. */
export function pausedAs(observed: ObservedHostedCluster, paused: boolean): readonly Action[] {
  const live = capiClusterOf(observed)
  if (live === undefined || (live.spec.paused ?? false) === paused) return []
  return [patch(capi.Cluster, refOf(live), { spec: { paused } }, paused ? 'the cluster is paused' : 'the cluster is not paused')]
}

function nameOf({ metadata }: HostedCluster): string {
  return metadata.name ?? ''
}
