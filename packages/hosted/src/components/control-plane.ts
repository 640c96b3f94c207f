import type { HostedControlPlane, OwnerReference } from '@windlass/api'
import { isTrue } from '@windlass/core'
import { Annotation, dedicatedTopology } from './wire.ts'

/** The release that the components are made from; the whole answer of a resolver fits. */
export interface ControlPlaneRelease {
  readonly version: string
  /** Images by the name that manifests call them by. */
  readonly images: ReadonlyMap<string, string>
}

/**
 * What components ask about the rest of the namespace. Secrets and ConfigMaps are there by a fingerprint of what they hold (`contentsHash`): it
 * says both that one exists and whether it has changed, and is small enough to be kept for thousands of control planes.
 */
export interface Facts {
  readonly secrets: ReadonlyMap<string, string>
  readonly configMaps: ReadonlyMap<string, string>
  /** Names of the Routes that have a host. */
  readonly routes: ReadonlySet<string>
}

/** Everything that the desired state of a component follows from. */
export interface ControlPlane {
  readonly hcp: HostedControlPlane
  readonly release: ControlPlaneRelease
  readonly facts: Facts
}

/**
 * The fields below a path that the schema does not describe: some are behind feature gates, some are passed through as they are.
 */
export function unmodelled(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !(name in found)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found
}

export function namespaceOf(hcp: HostedControlPlane): string {
  return hcp.metadata.namespace ?? ''
}

export function annotationOf(hcp: HostedControlPlane, annotation: string): string | undefined {
  return hcp.metadata.annotations?.[annotation]
}

/** Any text: OpenStack and GCP exist behind feature gates. */
export function platformOf(hcp: HostedControlPlane): string {
  return hcp.spec.platform.type
}

/** A control plane of Agent machines says None; only the member tells. */
export function machinePlatformOf(hcp: HostedControlPlane): string {
  const platform = platformOf(hcp)
  return platform === 'None' && hcp.spec.platform.agent !== undefined ? 'Agent' : platform
}

/** The pullspec of the release that the components run, as it was asked for. */
export function controlPlaneImageOf(hcp: HostedControlPlane): string {
  return hcp.spec.controlPlaneReleaseImage ?? hcp.spec.releaseImage
}

export function isHighlyAvailable(hcp: HostedControlPlane): boolean {
  return hcp.spec.controllerAvailabilityPolicy !== 'SingleReplica'
}

/** Nodes are kept for the components that answer requests of this cluster alone. */
export function hasDedicatedTopology(hcp: HostedControlPlane): boolean {
  return annotationOf(hcp, Annotation.topology) === dedicatedTopology
}

export function hasManagedEtcd(hcp: HostedControlPlane): boolean {
  return hcp.spec.etcd.managementType === 'Managed'
}

/** Names of the further stores besides `etcd`; behind a feature gate. */
export function etcdShardsOf(hcp: HostedControlPlane): readonly string[] {
  const shards = unmodelled(hcp.spec.etcd, 'managed', 'shards')
  if (!Array.isArray(shards)) return []
  return shards.map((shard) => unmodelled(shard, 'name')).filter((name): name is string => typeof name === 'string' && name !== '')
}

/** People log in through the cluster's own OAuth server unless an external provider issues their tokens. */
export function hasIntegratedOAuth(hcp: HostedControlPlane): boolean {
  return unmodelled(hcp.spec.configuration, 'authentication', 'type') !== 'OIDC'
}

export function isMultiNetworkDisabled(hcp: HostedControlPlane): boolean {
  return hcp.spec.operatorConfiguration?.clusterNetworkOperator?.disableMultiNetwork === true
}

/** The API is reached through a private endpoint, alone or besides the public one. */
export function isPrivate(hcp: HostedControlPlane): boolean {
  const { aws, azure } = hcp.spec.platform
  const access: Readonly<Record<string, unknown>> = {
    AWS: aws?.endpointAccess,
    GCP: unmodelled(hcp.spec.platform, 'gcp', 'endpointAccess'),
    Azure: azure?.topology,
  }
  const here = access[platformOf(hcp)]
  return here === 'Private' || here === 'PublicAndPrivate'
}

/** Azure as a managed service: parts of the cluster are let in by identities that the service manages. */
export function isManagedAzure(hcp: HostedControlPlane): boolean {
  const type = hcp.spec.platform.azure?.azureAuthenticationConfig.azureAuthenticationConfigType
  return platformOf(hcp) === 'Azure' && type === 'ManagedIdentities'
}

/** The API server has a Route with a name of its own. */
export function hasNamedApiRoute(hcp: HostedControlPlane): boolean {
  return hcp.spec.services.some(
    ({ service, servicePublishingStrategy: { type, route } }) =>
      service === 'APIServer' && type === 'Route' && (route?.hostname ?? '') !== '',
  )
}

/** Metrics of the components are shown to the guest. */
export function forwardsMetrics(hcp: HostedControlPlane): boolean {
  return hcp.spec.monitoring?.metricsForwarding?.mode === 'Forward' && annotationOf(hcp, Annotation.disableMonitoringServices) === undefined
}

/** Once the guest has been installed there is something to scrape, and somebody to look at it. */
export function isGuestAvailable(hcp: HostedControlPlane): boolean {
  return isTrue(hcp.status?.conditions, 'ClusterVersionAvailable')
}

/** The Secret with a kubeconfig for Cluster API, named after the infrastructure. */
export function infraKubeconfigOf(hcp: HostedControlPlane): string {
  return `${hcp.spec.infraID}-kubeconfig`
}

export function ownerReferenceTo(hcp: HostedControlPlane): OwnerReference {
  const { name = '', uid = '' } = hcp.metadata
  return { apiVersion: hcp.apiVersion, kind: hcp.kind, name, uid, controller: true, blockOwnerDeletion: true }
}
