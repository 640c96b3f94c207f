import type { HostedCluster, HostedControlPlane, JsonObject, KubernetesObject, Resource } from '@windlass/api'
import { status } from '@windlass/kube'
import type { Action } from '@windlass/kube'
import { clusterKeyOf, controlPlaneNamespaceOf } from './namespace-name.ts'
import { ensured } from './snapshot.ts'
import type { Snapshot } from './snapshot.ts'
import { Annotation } from './wire.ts'

/** What a machine provider makes of a cluster. Each provider has its own kind; this is what they have in common. */
export interface InfrastructureCluster extends KubernetesObject {
  readonly spec?: JsonObject
  readonly status?: { readonly ready?: boolean }
}

export type InfrastructureKind = Resource<InfrastructureCluster>

interface Row {
  readonly kind: InfrastructureKind
  /** What the provider is told besides where the API server is. */
  readonly spec?: (cluster: HostedCluster, endpoint: string) => JsonObject
  /** Named after the infrastructure instead of the cluster. */
  readonly isNamedByInfra?: boolean
  /** The provider looks after it. Others are told that somebody does, which is us. */
  readonly isManagedByProvider?: boolean
}

const provider = 'infrastructure.cluster.x-k8s.io'

/** By platform. None has no provider. */
const rows: Readonly<Record<string, Row>> = {
  AWS: { kind: kindOf(provider, 'v1beta2', 'AWSCluster'), spec: ({ spec: { platform } }) => awsSpec(platform.aws) },
  Azure: { kind: kindOf(provider, 'v1beta1', 'AzureCluster') },
  IBMCloud: { kind: kindOf(provider, 'v1beta2', 'IBMVPCCluster') },
  KubeVirt: { kind: kindOf(provider, 'v1alpha1', 'KubevirtCluster'), isNamedByInfra: true },
  Agent: {
    kind: kindOf('capi-provider.agent-install.openshift.io', 'v1beta1', 'AgentCluster'),
    spec: agentSpec,
    isManagedByProvider: true,
  },
  PowerVS: { kind: kindOf(provider, 'v1beta2', 'IBMPowerVSCluster') },
  OpenStack: { kind: kindOf(provider, 'v1beta1', 'OpenStackCluster') },
  GCP: { kind: kindOf(provider, 'v1beta1', 'GCPCluster') },
}

function kindOf(group: string, version: string, kind: string): InfrastructureKind {
  const apiVersion = `${group}/${version}`
  return { group, version, apiVersion, kind, plural: `${kind.toLowerCase()}s`, scope: 'Namespaced', hasStatusSubresource: true }
}

/** What all providers there are call a cluster. */
export const infrastructureKinds: readonly InfrastructureKind[] = Object.values(rows).map(({ kind }) => kind)

/** Names the object of the provider that belongs to a cluster. */
export interface InfrastructureRef {
  readonly kind: InfrastructureKind
  readonly namespace: string
  readonly name: string
}

/**
 * The object of the provider; undefined where there is none: on None, and for Agent machines before it is known where they get their first
 * configuration from, because they would boot with nothing.
 */
export function infrastructureOf(cluster: HostedCluster, ignitionEndpoint: string | undefined): InfrastructureRef | undefined {
  const { type } = cluster.spec.platform
  const row = rows[type]
  if (row === undefined || (type === 'Agent' && !ignitionEndpoint)) return undefined
  const name = (row.isNamedByInfra === true ? cluster.spec.infraID : cluster.metadata.name) ?? ''
  return { kind: row.kind, namespace: controlPlaneNamespaceOf(cluster), name }
}

/**
 * Makes the provider's object, and says for it that the infrastructure is ready: it is ours to provide. A management cluster that does not know the
 * kind has no such provider, and then nobody misses it.
 */
export function infrastructureActions(
  objects: Snapshot,
  cluster: HostedCluster,
  controlPlane: HostedControlPlane,
  ignitionEndpoint: string | undefined,
): readonly Action[] {
  const ref = infrastructureOf(cluster, ignitionEndpoint)
  const row = rows[cluster.spec.platform.type]
  if (ref === undefined || row === undefined || !objects.serves(ref.kind)) return []
  const { kind, namespace, name } = ref
  const { controlPlaneEndpoint } = controlPlane.status ?? {}
  const external = row.isManagedByProvider === true ? {} : { 'cluster.x-k8s.io/managed-by': 'external' }
  const draft = {
    metadata: { name, namespace, annotations: { ...external, [Annotation.cluster]: clusterKeyOf(cluster) } },
    spec: {
      ...row.spec?.(cluster, ignitionEndpoint ?? ''),
      ...(controlPlaneEndpoint === undefined ? {} : { controlPlaneEndpoint: { ...controlPlaneEndpoint } }),
    },
  }
  const live = objects.find(kind, { namespace, name })
  const isSaid = row.isManagedByProvider === true || live === undefined || live.status?.ready === true
  return [
    ...ensured(objects, kind, draft, 'the machine provider looks for it'),
    ...(isSaid ? [] : [status(kind, live, { ready: true }, 'the infrastructure of the control plane is not the provider’s to make')]),
  ]
}

function awsSpec(aws: HostedCluster['spec']['platform']['aws']): JsonObject {
  if (aws === undefined) return {}
  const tags = aws.resourceTags ?? []
  return {
    region: aws.region,
    ...(aws.cloudProviderConfig === undefined ? {} : { network: { vpc: { id: aws.cloudProviderConfig.vpc } } }),
    ...(tags.length === 0 ? {} : { additionalTags: Object.fromEntries(tags.map(({ key, value }) => [key, value])) }),
  }
}

function agentSpec(cluster: HostedCluster, endpoint: string): JsonObject {
  const caCertificateReference = { name: 'ignition-server-ca-cert', namespace: controlPlaneNamespaceOf(cluster) }
  return { ignitionEndpoint: { url: `https://${endpoint}/ignition`, caCertificateReference } }
}
