import { HostedControlPlane } from '@windlass/api'
import type { HostedCluster } from '@windlass/api'
import { create, event, mergePatchBetween, patch, refOf } from '@windlass/kube'
import type { Action } from '@windlass/kube'
import { controlPlaneAnnotations, controlPlaneLabels } from './control-plane-metadata.ts'
import { controlPlaneSpec } from './control-plane-spec.ts'
import { controlPlaneNamespaceOf } from './namespace-name.ts'
import { controlPlaneOf, nodePoolsOf } from './observed.ts'
import type { ObservedHostedCluster } from './observed.ts'
import { controlPlaneImageOf } from './release-images.ts'
import { skippedMinors } from './release-validation.ts'

/**
 * The control plane as it should be: what is there, changed where the cluster says something about it. The same object when nothing
 * changes.
 */
export function desiredControlPlane(observed: ObservedHostedCluster): HostedControlPlane {
  const { cluster } = observed
  const live = controlPlaneOf(observed)
  const { apiVersion, kind } = HostedControlPlane
  const metadata = live?.metadata ?? { name: cluster.metadata.name ?? '', namespace: controlPlaneNamespaceOf(cluster) }
  const desired: HostedControlPlane = {
    ...(live ?? { apiVersion, kind }),
    metadata: {
      ...metadata,
      annotations: controlPlaneAnnotations(cluster, metadata.annotations ?? {}, nodePoolsOf(observed)),
      labels: controlPlaneLabels(cluster, metadata.labels ?? {}),
    },
    spec: controlPlaneSpec(cluster, live?.spec),
  }
  return live !== undefined && changesOf(live, desired) === undefined ? live : desired
}

/** Writes the control plane, when anything differs. Others write its status and its finalizers; this is only about the rest. */
export function propagate(observed: ObservedHostedCluster, desired: HostedControlPlane): readonly Action[] {
  const live = controlPlaneOf(observed)
  if (live === undefined)
    return [create(HostedControlPlane, desired, `HostedCluster ${observed.cluster.metadata.name ?? ''} has no control plane yet`)]
  const changes = changesOf(live, desired)
  if (changes === undefined) return []
  const write = patch(HostedControlPlane, refOf(live), changes, 'its HostedCluster asks for something else')
  return [...skipWarning(observed, live), write]
}

/** Servers leave out maps that are empty. */
function changesOf(live: HostedControlPlane, desired: HostedControlPlane) {
  const part = ({ metadata: { annotations = {}, labels = {} }, spec }: HostedControlPlane) => ({ metadata: { annotations, labels }, spec })
  return mergePatchBetween(part(live), part(desired))
}

/** Nothing forbids to skip a minor with a control plane, and nobody tests it much: people are told, once, when it happens. */
function skipWarning(observed: ObservedHostedCluster, live: HostedControlPlane): readonly Action[] {
  const before = live.spec.controlPlaneReleaseImage ?? live.spec.releaseImage
  if (before === controlPlaneImageOf(observed.cluster)) return []
  const skipped = skippedMinors(observed, live.status?.controlPlaneVersion?.desired.version)
  if (skipped === undefined) return []
  return [
    event(
      observed.cluster satisfies HostedCluster,
      'Warning',
      'SkipLevelUpgrade',
      skipped,
      'the release that is asked for is more than one minor ahead',
    ),
  ]
}
