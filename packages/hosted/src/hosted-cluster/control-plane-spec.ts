import type { HostedCluster, HostedControlPlane } from '@windlass/api'
import { equalJson } from '@windlass/kube'
import { Annotation } from './wire.ts'

type Spec = HostedCluster['spec']
type ControlPlaneSpec = HostedControlPlane['spec']

/** A value for a field of the control plane. Undefined removes it. `live` is what it has, for rows that leave it alone. */
type Rule = (cluster: HostedCluster, live: unknown) => unknown

/** Fields that the control plane takes over as they are; what the cluster does not have goes. */
const copied = [
  'clusterID',
  'infraID',
  'services',
  'networking',
  'channel',
  'updateService',
  'fips',
  'serviceAccountSigningKey',
  'controllerAvailabilityPolicy',
  'infrastructureAvailabilityPolicy',
  'pausedUntil',
  'olmCatalogPlacement',
  'autoscaling',
  'autoNode',
  'nodeSelector',
  'tolerations',
  'labels',
  'imageContentSources',
  'capabilities',
  'kubeAPIServerDNSName',
  'configuration',
  'operatorConfiguration',
] as const satisfies readonly (keyof Spec & keyof ControlPlaneSpec)[]

/** How a control plane follows from its cluster, field by field. */
const rules: Readonly<Partial<Record<keyof ControlPlaneSpec, Rule>>> = {
  releaseImage: ({ spec }) => spec.release.image,
  controlPlaneReleaseImage: ({ spec }) => spec.controlPlaneRelease?.image,
  pullSecret: () => ({ name: 'pull-secret' }),
  sshKey: ({ spec }, live) => (spec.sshKey?.name ? { name: 'ssh-key' } : noReference(live)),
  additionalTrustBundle: ({ spec }) => (spec.additionalTrustBundle === undefined ? undefined : { name: 'user-ca-bundle' }),
  platform: ({ spec }) => (spec.platform.type === 'Agent' ? { ...spec.platform, type: 'None' } : spec.platform),
  auditWebhook: ({ spec }, live) => (spec.auditWebhook?.name ? spec.auditWebhook : live),
  secretEncryption: ({ spec }, live) => spec.secretEncryption ?? live,
  etcd: ({ spec }) => etcdOf(spec.etcd),
  monitoring: monitoringOf,
  // Required here, and optional with a default on the cluster.
  dns: ({ spec }) => spec.dns ?? { baseDomain: '' },
  issuerURL: ({ spec }) => spec.issuerURL ?? 'https://kubernetes.default.svc',
  ...Object.fromEntries(copied.map((field) => [field, ({ spec }: HostedCluster) => spec[field]])),
}

/**
 * The spec of a control plane, made from its cluster.
 *
 * Starts from what is there: fields that no rule is about stay as they are, because the API may be newer than us. The same object when nothing
 * changes.
 */
export function controlPlaneSpec(cluster: HostedCluster, live: ControlPlaneSpec | undefined): ControlPlaneSpec {
  const before: Readonly<Record<string, unknown>> = live ?? {}
  const after: Record<string, unknown> = { ...before }
  let isChanged = live === undefined
  for (const [field, rule] of Object.entries(rules)) {
    const value = rule(cluster, before[field])
    if (equalJson(before[field], value)) continue
    isChanged = true
    if (value === undefined) delete after[field]
    else after[field] = value
  }
  // Each rule gives a value of the type that its field has; the table as a whole cannot say so.
  return isChanged || live === undefined ? (after as unknown as ControlPlaneSpec) : live
}

/** A reference to nothing. The API server fills in an empty name, which is the same. */
function noReference(live: unknown): unknown {
  return equalJson(live, { name: '' }) ? live : {}
}

/** One member for the type, and no other: a left-over of the other one would be refused. */
function etcdOf({ managementType, managed, unmanaged }: Spec['etcd']): object {
  const member = managementType === 'Managed' ? { managed } : { unmanaged }
  return { managementType, ...member }
}

/** The annotation is the old way to ask for forwarding. A mode that is given wins. */
function monitoringOf({ metadata, spec: { monitoring } }: HostedCluster): unknown {
  const mode: string = monitoring?.metricsForwarding?.mode ?? ''
  if (mode !== '' || metadata.annotations?.[Annotation.enableMetricsForwarding] === undefined) return monitoring
  return { ...monitoring, metricsForwarding: { ...monitoring?.metricsForwarding, mode: 'Forward' } }
}
