import { Deployment, HostedControlPlane, type KubernetesObject } from '@windlass/api'
import {
  and,
  type AsyncControllerDefinition,
  changed,
  type Client,
  done,
  generationChanged,
  or,
  type Plan,
  type ReconcileContext,
  type Ref,
  wait,
  watching,
} from '@windlass/kube'
import { type ClusterOptions, guestControllers } from '../cluster/index.ts'
import { controlPlanesIn, kubeconfigs, named, runningRelease } from './control-plane.ts'
import { Guests } from './guests.ts'
import type { ReleaseLookup } from './release-lookup.ts'
import { versionOperator, wantedGuest } from './wanted.ts'

export interface ControlPlaneOptions extends ClusterOptions {
  /** From the kubeconfig of a guest to a client for it. */
  readonly connect: (kubeconfig: string, name: string) => Client | Promise<Client>
  readonly releases: ReleaseLookup
}

/**
 * Gives the guest of every hosted control plane a life: operators of its own that report, and a version operator that takes it to the release that its
 * control plane asks for.
 */
export function guestLife({ connect, releases, ...options }: ControlPlaneOptions): AsyncControllerDefinition<HostedControlPlane> {
  const guests = new Guests({ connect, controllers: (clusterID, release) => guestControllers({ ...options, clusterID, release }) })
  const ofNamespace = ({ metadata: { namespace } }: KubernetesObject, cache: ReconcileContext['cache']) => controlPlanesIn(namespace, cache)
  return {
    name: 'simulated-guests',
    for: HostedControlPlane,
    predicate: or(
      generationChanged,
      changed(({ status }: HostedControlPlane) => status?.kubeConfig),
    ),
    watches: [
      watching(Deployment, ofNamespace, and(named(versionOperator), changed(runningRelease))),
      watching(
        kubeconfigs,
        ({ metadata: { namespace = '', name } }, cache) =>
          cache.list(HostedControlPlane, { namespace }).flatMap(({ metadata, status }) => {
            return status?.kubeConfig?.name === name ? [{ namespace, name: metadata.name ?? '' }] : []
          }),
        changed(({ data }) => data),
      ),
    ],
    sources: [guests.source],
    maxConcurrent: 16,
    backOff: { first: 1_000, longest: 60_000 },
    reconcile: (ref, context) => follow(ref, guests, releases, context),
  }
}

async function follow(ref: Ref, guests: Guests, releases: ReleaseLookup, context: ReconcileContext): Promise<Plan> {
  const { cache, signal } = context
  const wanted = wantedGuest(ref, cache)
  if (wanted === undefined) {
    await guests.end(ref)
    return done
  }
  const guest = await guests.at(ref, wanted, context)
  if (wanted.pullspec === undefined) return wait('the version operator of the guest to run the release of its control plane')
  guest.ask(await releases.resolve(wanted.pullspec, { signal }))
  return done
}
