import type { HostedCluster, KubernetesObject, Resource } from '@windlass/api'
import { patch, refOf } from '@windlass/kube'
import type { Action } from '@windlass/kube'
import { areAwsCredentialsValid } from './credentials.ts'
import { controlPlaneNamespaceOf } from './namespace-name.ts'
import type { ObservedHostedCluster } from './observed.ts'
import { removed } from './snapshot.ts'
import { Finalizer } from './wire.ts'

/** A kind of a platform of which nothing needs to be known but how the API calls it. */
function kindOf(group: string, version: string, kind: string, plural: string): Resource {
  return { group, version, apiVersion: `${group}/${version}`, kind, plural, scope: 'Namespaced', hasStatusSubresource: true }
}

const hypershift = 'hypershift.openshift.io'
const provider = 'infrastructure.cluster.x-k8s.io'

const AWSMachine = kindOf(provider, 'v1beta2', 'AWSMachine', 'awsmachines')

/** What a control plane has in the infrastructure that must be gone before its operator is: nobody else would clean up. */
const endpointKinds: Readonly<Record<string, readonly Resource[]>> = {
  AWS: [kindOf(hypershift, 'v1beta1', 'AWSEndpointService', 'awsendpointservices')],
  GCP: [kindOf(hypershift, 'v1beta1', 'GCPPrivateServiceConnect', 'gcpprivateserviceconnects')],
  OpenStack: [
    kindOf('openstack.k-orc.cloud', 'v1alpha1', 'Image', 'images'),
    kindOf(provider, 'v1alpha1', 'OpenStackServer', 'openstackservers'),
  ],
}

/** Every kind of which something may be left. */
export const leftoverKinds: readonly Resource[] = [AWSMachine, ...Object.values(endpointKinds).flat()]

/** What is left of a cluster in its infrastructure, and what to do about it. */
export interface Leftovers {
  readonly actions: readonly Action[]
  /** For people: what is still there. */
  readonly remaining: readonly string[]
}

export function endpointLeftovers(observed: ObservedHostedCluster): Leftovers {
  const { cluster, objects } = observed
  const namespace = controlPlaneNamespaceOf(cluster)
  const kinds = (endpointKinds[cluster.spec.platform.type] ?? []).filter((kind) => objects.serves(kind))
  const left = kinds.flatMap((kind) => objects.list(kind, { namespace }).map((object) => ({ kind, object })))
  return {
    actions: left.flatMap(({ kind, object }) => [
      ...removed(kind, object, 'the cluster is being deleted'),
      ...(isLetIn(cluster) ? [] : released(kind, object, (finalizer) => finalizer !== Finalizer.controlPlaneOperator)),
    ]),
    remaining: left.map(({ kind, object }) => `${kind.kind} ${object.metadata.name ?? ''}`),
  }
}

/** Machines that wait for a cloud which does not let us in any more would do so for ever. They stay behind in the cloud. */
export function orphanedMachines({ cluster, objects }: ObservedHostedCluster): readonly Action[] {
  if (cluster.spec.platform.type !== 'AWS' || isLetIn(cluster) || !objects.serves(AWSMachine)) return []
  return objects
    .list(AWSMachine, { namespace: controlPlaneNamespaceOf(cluster) })
    .flatMap((machine) => released(AWSMachine, machine, () => false))
}

function isLetIn({ spec, status }: HostedCluster): boolean {
  return spec.platform.type !== 'AWS' || areAwsCredentialsValid(status?.conditions ?? [])
}

/** Takes finalizers from an object that is on its way out. */
function released(kind: Resource, object: KubernetesObject, keeps: (finalizer: string) => boolean): readonly Action[] {
  const { deletionTimestamp, finalizers = [] } = object.metadata
  const kept = finalizers.filter(keeps)
  if (deletionTimestamp === undefined || kept.length === finalizers.length) return []
  return [patch(kind, refOf(object), { metadata: { finalizers: kept } }, 'the cloud does not let us in, so that it would wait for ever')]
}
