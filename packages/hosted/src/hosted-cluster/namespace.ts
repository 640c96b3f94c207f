import { HostedControlPlane, Namespace } from '@windlass/api'
import type { HostedCluster } from '@windlass/api'
import { clusterKeyOf, controlPlaneNamespaceOf } from './namespace-name.ts'
import type { ObservedHostedCluster } from './observed.ts'
import type { Outcome } from './outcome.ts'
import { outcome } from './outcome.ts'
import { ensured } from './snapshot.ts'
import type { Snapshot } from './snapshot.ts'
import { Annotation, Label } from './wire.ts'

const longestName = 63

/** On the image of an operator whose control planes run without privileges. */
const restrictedLabel = 'io.openshift.hypershift.restricted-psa'

/** Why the namespace cannot be made at all; undefined when it can. It is not cut: two clusters could end up in one. */
export function namespaceNameProblem(cluster: HostedCluster): string | undefined {
  const name = controlPlaneNamespaceOf(cluster)
  if (name.length <= longestName) return undefined
  return `the namespace of its control plane would be ${name}, which has ${name.length} characters; a namespace has at most ${longestName}. Give the cluster a shorter name`
}

/**
 * The other cluster that the namespace belongs to; undefined when it is free or ours. An HostedControlPlane tells, and so does the mark on the
 * namespace, which is there a little earlier.
 */
export function otherTenantOf(cluster: HostedCluster, objects: Snapshot): string | undefined {
  const us = clusterKeyOf(cluster)
  const namespace = controlPlaneNamespaceOf(cluster)
  const marked = [objects.find(Namespace, { name: namespace }), ...objects.list(HostedControlPlane, { namespace })]
  for (const object of marked) {
    const owner = object?.metadata.annotations?.[Annotation.cluster]
    if (owner !== undefined && owner !== us) return owner
  }
  return undefined
}

/**
 * The image of the operator decides how much its pods may do, hence both in one operation. While the image cannot be looked at, a namespace keeps
 * the level it has, and a new one gets the strictest: nothing runs in it before the operator does.
 */
export function namespaceOperation(observed: ObservedHostedCluster): Outcome {
  const { cluster, objects, operatorImage, management } = observed
  const name = controlPlaneNamespaceOf(cluster)
  const isThere = objects.find(Namespace, { name }) !== undefined
  const level = cluster.metadata.annotations?.[Annotation.podSecurityOverride] ?? levelOf(observed, isThere)
  const labels = {
    [Label.hostedControlPlane]: 'true',
    ...(level === undefined ? {} : securityLabels(level)),
    'security.openshift.io/scc.podSecurityLabelSync': 'false',
    ...(management.isMonitored ? { 'openshift.io/cluster-monitoring': 'true' } : {}),
  }
  const draft = { metadata: { name, labels, annotations: { [Annotation.cluster]: clusterKeyOf(cluster) } } }
  return outcome({
    actions: ensured(objects, Namespace, draft, 'the control plane lives there'),
    problems: operatorImage.is === 'found' ? [] : [`failed to look up the image of the control plane operator: ${operatorImage.problem}`],
  })
}

function levelOf({ operatorImage }: ObservedHostedCluster, isThere: boolean): string | undefined {
  if (operatorImage.is === 'failed') return isThere ? undefined : 'restricted'
  return restrictedLabel in operatorImage.value.labels ? 'restricted' : 'privileged'
}

function securityLabels(level: string): Readonly<Record<string, string>> {
  return Object.fromEntries(['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, level]))
}
