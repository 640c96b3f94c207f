import type { HostedControlPlane } from '@windlass/api'
import type { AnyController, Client } from '@windlass/kube'
import type { GuestAccess } from './guests/index.ts'
import { hostedCluster } from './hosted-cluster/index.ts'
import type { ManagementCluster } from './hosted-cluster/index.ts'
import { hostedControlPlane } from './hosted-control-plane/index.ts'
import type { SecurityGroupDeletion } from './hosted-control-plane/index.ts'
import type { ServedKinds } from './management/index.ts'
import type { ReleaseResolver } from './releases/index.ts'
import { statusBridge } from './status-bridge/index.ts'

/** Everything that controllers of hosted clusters need from outside of the API. */
export interface HostedControllersOptions {
  readonly releases: ReleaseResolver
  /** Where the APIs of guests come from. */
  readonly guests: GuestAccess
  /** From the kubeconfig of a guest to a client for it. */
  readonly connect: (kubeconfig: string, name: string) => Client | Promise<Client>
  /** Kinds that the management cluster has and need not have; `discoverKinds` asks it. */
  readonly served: ServedKinds
  /** What else is known of the management cluster; `discoverManagementCluster` asks it. */
  readonly management: ManagementCluster
  /** Resolves when the name is known to everybody; rejects with an Error that says why not. */
  readonly resolveName: (hostname: string, signal: AbortSignal) => Promise<unknown>
  /** PEM of the authority that machines trust when they fetch their configuration; without it somebody else says whom to trust. */
  readonly ignitionAuthority?: string
  /** Only control planes that are to run this very release; the others are somebody else's. */
  readonly onlyRelease?: string
  /** When several operators share a management cluster: only clusters of this scope. All of them without it. */
  readonly scope?: string
  /** How the default security group of a cluster in AWS is deleted; without it, it stays. */
  readonly deleteSecurityGroup?: (controlPlane: HostedControlPlane, signal: AbortSignal) => Promise<SecurityGroupDeletion>
}

/**
 * The controllers that run hosted clusters: `hosted-cluster`, `hosted-control-plane` and `status-bridge`.
 *
 * Caveat: `control-plane-version` is a part of the second one. To run both would be to let two write the same field, one of which knows less.
 */
export function hostedControllers(options: HostedControllersOptions): readonly AnyController[] {
  const { releases, guests, connect, served, management, resolveName, deleteSecurityGroup, ignitionAuthority, onlyRelease } = options
  const { ingressDomain } = management
  const scoping = options.scope === undefined ? {} : { scope: options.scope }
  const chosen = {
    ...scoping,
    ...(onlyRelease === undefined ? {} : { onlyRelease }),
    ...(deleteSecurityGroup === undefined ? {} : { deleteSecurityGroup }),
    ...(ignitionAuthority === undefined ? {} : { ignitionAuthority }),
  }
  return [
    hostedCluster({ releases, served, management, ...scoping }),
    hostedControlPlane({ releases, guests, served, ingressDomain, resolveName, ...chosen }),
    statusBridge({ connect, ...scoping }),
  ]
}
