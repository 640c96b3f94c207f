import { HostedCluster, Route, Secret, Service } from '@windlass/api'
import { equalJson } from '@windlass/kube'
import type { StatusAction } from '@windlass/kube'
import { payloadArch } from '../releases/index.ts'
import { hostedClusterConditions } from './conditions.ts'
import type { Conditions } from './conditions.ts'
import { backCopyNameOf } from './copies-back.ts'
import type { BackCopyName } from './copies-back.ts'
import { controlPlaneNamespaceOf } from './namespace-name.ts'
import { releaseAt } from './release-images.ts'
import type { Seen } from './seen.ts'

type Fields = StatusAction<HostedCluster>['status']

/** Everything that the status of a cluster says, but for the condition that tells how the pass ended. */
export function hostedClusterStatus(seen: Seen): Fields & { readonly conditions: Conditions } {
  return {
    kubeconfig: referenceTo(seen, 'kubeconfig'),
    customKubeconfig: referenceTo(seen, 'customKubeconfig'),
    kubeadminPassword: referenceTo(seen, 'kubeadminPassword'),
    version: seen.version,
    conditions: hostedClusterConditions(seen),
    controlPlaneVersion: seen.controlPlaneVersion,
    ignitionEndpoint: ignitionEndpoint(seen) ?? seen.cluster.status?.ignitionEndpoint,
    payloadArch: architecture(seen),
    ...reportedByControlPlane(seen),
  }
}

/** The action that writes these fields; undefined when the cluster says so already. */
export function statusAction(
  cluster: HostedCluster,
  fields: Fields,
  reason: string,
  isGuarded: boolean,
): StatusAction<HostedCluster> | undefined {
  const before = cluster.status ?? {}
  const isSame = Object.entries(fields).every(([field, value]) => equalJson(Reflect.get(before, field), value))
  return isSame ? undefined : { do: 'status', kind: HostedCluster, object: cluster, status: fields, ifUnchanged: isGuarded, reason }
}

/** While there is no control plane, what was said last stays. */
function reportedByControlPlane({ controlPlane }: Seen): Omit<Fields, 'conditions'> {
  if (controlPlane === undefined) return {}
  const { platform, autoNode, secretEncryption, configuration, controlPlaneEndpoint, oauthCallbackURLTemplate } = controlPlane.status ?? {}
  return { platform, autoNode, secretEncryption, configuration, controlPlaneEndpoint, oauthCallbackURLTemplate }
}

/** Only to what is there: somebody will follow it. */
function referenceTo({ cluster, objects }: Seen, which: BackCopyName): { readonly name: string } | undefined {
  const { namespace = '' } = cluster.metadata
  const name = backCopyNameOf(cluster, which)
  return objects.find(Secret, { namespace, name }) === undefined ? undefined : { name }
}

/** Where nodes get their first configuration from; undefined while nobody knows. */
function ignitionEndpoint({ cluster, objects }: Seen): string | undefined {
  const strategy = cluster.spec.services.find(({ service }) => service === 'Ignition')?.servicePublishingStrategy
  const namespace = controlPlaneNamespaceOf(cluster)
  if (strategy?.type === 'Route') {
    const hostname = strategy.route?.hostname
    if (hostname) return hostname
    return objects.serves(Route) ? objects.find(Route, { namespace, name: 'ignition-server' })?.spec.host || undefined : undefined
  }
  if (strategy?.type !== 'NodePort' || strategy.nodePort === undefined) return undefined
  // IBM Cloud has no proxy before the server.
  const service =
    objects.find(Service, { namespace, name: 'ignition-server-proxy' }) ?? objects.find(Service, { namespace, name: 'ignition-server' })
  const port = service?.spec.ports?.[0]?.nodePort ?? 0
  const { address } = strategy.nodePort
  return port === 0 ? undefined : `${address.includes(':') ? `[${address}]` : address}:${port}`
}

function architecture({ cluster, releases }: Seen): Fields['payloadArch'] {
  const release = releaseAt(releases, cluster.spec.release.image)
  return (release.is === 'found' ? payloadArch(release.value) : undefined) ?? cluster.status?.payloadArch
}
