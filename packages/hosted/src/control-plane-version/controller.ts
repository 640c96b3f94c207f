import { ControlPlaneComponent, HostedControlPlane, Secret } from '@windlass/api'
import { type AsyncControllerDefinition, cached, type ReconcileContext, watching } from '@windlass/kube'
import { lookUpRelease } from '../management/index.ts'
import type { ReleaseResolver } from '../releases/index.ts'
import { alwaysExpected, decide, type ReleaseLookup, wantedPullspec } from './decide.ts'

const controlPlanes = cached(HostedControlPlane, {
  keeps: ['spec.releaseImage', 'spec.controlPlaneReleaseImage', 'spec.imageContentSources', 'status.controlPlaneVersion'],
})
const components = cached(ControlPlaneComponent, { keeps: ['status'] })

/** The copy of the pull secret that each control plane has in its namespace. Of thousands of Secrets only these are any of our business. */
const pullSecrets = cached(Secret, { fieldSelector: 'metadata.name=pull-secret', keeps: ['data'] })

/**
 * Computes `status.controlPlaneVersion` and nothing else: for control planes that another operator runs. Where Windlass runs them itself, the same
 * decision is a part of the larger one about the control plane.
 */
export function controlPlaneVersion(releases: ReleaseResolver): AsyncControllerDefinition<HostedControlPlane> {
  return {
    name: 'control-plane-version',
    for: controlPlanes,
    watches: [
      watching(components, ({ metadata }, cache) =>
        cache.list(controlPlanes, { namespace: metadata.namespace ?? '' }).map((controlPlane) => ({
          namespace: metadata.namespace ?? '',
          name: controlPlane.metadata.name ?? '',
        })),
      ),
    ],
    reads: [pullSecrets],
    maxConcurrent: 10,
    async reconcile(ref, context) {
      const { cache, clock } = context
      const controlPlane = cache.get(controlPlanes, ref)
      if (controlPlane === undefined || controlPlane.metadata.deletionTimestamp !== undefined) return { actions: [] }
      const release = await lookUp(releases, controlPlane, context)
      const observed = {
        controlPlane,
        release,
        components: cache.list(components, { namespace: ref.namespace ?? '' }),
        expected: alwaysExpected,
      }
      return decide(observed, clock.now())
    },
  }
}

async function lookUp(releases: ReleaseResolver, controlPlane: HostedControlPlane, context: ReconcileContext): Promise<ReleaseLookup> {
  const { cache, signal, clock } = context
  const pullSecret = cache.get(pullSecrets, { namespace: controlPlane.metadata.namespace ?? '', name: 'pull-secret' })
  const mirrors = controlPlane.spec.imageContentSources
  const release = await lookUpRelease(releases, { pullspec: wantedPullspec(controlPlane), pullSecret, mirrors, signal, clock })
  return release.is === 'found' ? { release: { version: release.value.version, image: release.value.image } } : { problem: release.problem }
}
