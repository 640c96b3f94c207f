import { ControlPlaneComponent, Deployment, HostedControlPlane, Route, Secret, StatefulSet } from '@windlass/api'
import type { CacheReader } from '@windlass/kube'
import { Label } from '../components/index.ts'
import { managedByUs } from '../components/wire.ts'
import type { Guest, GuestAccess } from '../guests/index.ts'
import { found } from '../hosted-cluster/lookup.ts'
import type { Snapshot } from '../hosted-cluster/snapshot.ts'
import { snapshotOf } from '../management/index.ts'
import type { ServedKinds } from '../management/index.ts'
import { endpointsOf } from './endpoints.ts'
import type { Endpoints } from './endpoints.ts'
import type { ObservedHealth } from './conditions.ts'
import { adminKubeconfig, customKubeconfig, kubeadminPassword } from './secrets.ts'
import { externalNameOf } from './ways-in.ts'

/** Everything that a pass over a control plane sees, but for what has to be asked outside. */
export interface Look extends Omit<ObservedHealth, 'externalName' | 'missingImages'> {
  readonly objects: Snapshot
  readonly ways: Endpoints
  readonly guest: Guest
  readonly allComponents: readonly ControlPlaneComponent[]
  /** The name that has to be looked up. */
  readonly externalHostname: string | undefined
  readonly hasKubeconfig: boolean
  readonly hasCustomKubeconfig: boolean
  readonly hasPassword: boolean
}

/** Reads from caches and nothing else. */
export function lookAt(controlPlane: HostedControlPlane, cache: CacheReader, served: ServedKinds, guests: GuestAccess): Look {
  const namespace = controlPlane.metadata.namespace ?? ''
  const objects = snapshotOf(cache, served)
  const ways = endpointsOf(controlPlane, objects)
  const guest = guests.look(controlPlane, cache)
  const allComponents = cache.list(ControlPlaneComponent, { namespace })
  return {
    controlPlane,
    objects,
    ways,
    guest,
    allComponents,
    externalHostname: externalNameOf(controlPlane),
    etcd: cache.get(StatefulSet, { namespace, name: 'etcd' }),
    kubeApiServer: cache.get(Deployment, { namespace, name: 'kube-apiserver' }),
    deployments: objects.list(Deployment, { namespace, labels: { [Label.managedBy]: managedByUs } }),
    components: found(allComponents),
    endpoints: found(ways.awaited),
    health: guest.health,
    servesRoutes: served.has(Route),
    hasKubeconfig: cache.get(Secret, { namespace, name: adminKubeconfig.name })?.data?.[adminKubeconfig.key] !== undefined,
    hasCustomKubeconfig: cache.get(Secret, { namespace, name: customKubeconfig.name })?.data?.[customKubeconfig.key] !== undefined,
    hasPassword: cache.get(Secret, { namespace, name: kubeadminPassword }) !== undefined,
  }
}
