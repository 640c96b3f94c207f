import { Deployment, Secret } from '@windlass/api'
import type { HostedCluster } from '@windlass/api'
import { findCondition, isTrue, removeCondition, setCondition } from '@windlass/core'
import { autoNodeEnabled } from './auto-node.ts'
import { copyOf, inverse, saidBy, versionCondition } from './copied-conditions.ts'
import { controlPlaneNamespaceOf } from './namespace-name.ts'
import type { Seen } from './seen.ts'
import { asExpected, isNot, unknown } from './verdict.ts'
import type { Verdict } from './verdict.ts'

export type Conditions = NonNullable<NonNullable<HostedCluster['status']>['conditions']>

/** What becomes of a condition. */
type Derived = Verdict | 'keep' | 'remove'
type Row = readonly [type: string, derive: (seen: Seen) => Derived]

const copied = (type: string): Row => [type, ({ controlPlane }) => copyOf(controlPlane, type)]
const fromGuest = (type: string): Row => [type, ({ controlPlane }) => versionCondition(controlPlane, type)]
const copiedIfThere = (type: string): Row => [type, ({ controlPlane }) => saidBy(controlPlane, type) ?? 'keep']

/** Conditions that are told even of a cluster that is being deleted: they say what holds the deletion up. */
const bubbles: readonly Row[] = [
  ['ValidAWSIdentityProvider', (seen) => (isOnAws(seen) ? copyOf(seen.controlPlane, 'ValidAWSIdentityProvider') : 'keep')],
  ['AWSDefaultSecurityGroupDeleted', (seen) => (isOnAws(seen) ? whileGoing(seen, 'AWSDefaultSecurityGroupDeleted') : 'keep')],
  ['CloudResourcesDestroyed', (seen) => whileGoing(seen, 'CloudResourcesDestroyed')],
]

const rows: readonly Row[] = [
  ['Available', available],
  ['Progressing', ({ progressing }) => progressing],
  ['Degraded', degraded],
  ['ClusterVersionSucceeding', ({ controlPlane }) => inverse(versionCondition(controlPlane, 'ClusterVersionFailing'))],
  fromGuest('ClusterVersionProgressing'),
  fromGuest('ClusterVersionReleaseAccepted'),
  fromGuest('ClusterVersionUpgradeable'),
  fromGuest('ClusterVersionAvailable'),
  // Older control planes do not know it; their clusters should not look as if something were amiss.
  ['ClusterVersionRetrievedUpdates', ({ controlPlane }) => saidBy(controlPlane, 'ClusterVersionRetrievedUpdates') ?? 'remove'],
  copied('EtcdAvailable'),
  copied('KubeAPIServerAvailable'),
  copied('InfrastructureReady'),
  copied('ExternalDNSReachable'),
  copied('ValidHostedControlPlaneConfiguration'),
  copied('ValidReleaseInfo'),
  copied('ValidIDPConfiguration'),
  copied('HostedClusterRestoredFromBackup'),
  copied('DataPlaneConnectionAvailable'),
  copied('ControlPlaneConnectionAvailable'),
  copied('EtcdBackupSucceeded'),
  copied('ConfigOperatorReconciliationSucceeded'),
  copiedIfThere('EtcdDataEncryptionUpToDate'),
  copiedIfThere('ValidAWSKMSConfig'),
  copiedIfThere('AWSDefaultSecurityGroupCreated'),
  copiedIfThere('ValidKubeVirtInfraNetworkMTU'),
  ['ValidConfiguration', ({ prerequisites }) => prerequisites.ValidConfiguration],
  ['SupportedHostedCluster', ({ prerequisites }) => prerequisites.SupportedHostedCluster],
  ['ValidProxyConfiguration', ({ proxy }) => proxy],
  ['ValidReleaseImage', ({ prerequisites }) => prerequisites.ValidReleaseImage],
  ['IgnitionEndpointAvailable', ignitionEndpointAvailable],
  ['PlatformCredentialsFound', ({ credentials }) => credentials],
  ['UnmanagedEtcdAvailable', unmanagedEtcdAvailable],
  ['AutoNodeEnabled', autoNodeEnabled],
  ['ReconciliationActive', ({ prerequisites }) => prerequisites.ReconciliationActive],
]

/** All conditions of a cluster that lives. Those of others stay as they are; the same list when nothing changed. */
export function hostedClusterConditions(seen: Seen): Conditions {
  return derive([...bubbles, ...rows], seen)
}

/** Conditions of a cluster that is being deleted. */
export function deletionConditions(seen: Seen): Conditions {
  return derive(bubbles, seen)
}

function derive(table: readonly Row[], seen: Seen): Conditions {
  const { cluster, now } = seen
  let conditions: Conditions = cluster.status?.conditions ?? []
  for (const [type, rule] of table) {
    const derived = rule(seen)
    if (derived === 'keep') continue
    if (derived === 'remove') conditions = removeCondition(conditions, type)
    else conditions = withCondition(conditions, cluster, type, derived, now)
  }
  return conditions
}

/** Sets one condition of a cluster, judged from its present generation. */
export function withCondition(
  conditions: Conditions,
  { metadata }: HostedCluster,
  type: string,
  verdict: Verdict,
  now: number,
): Conditions {
  const { generation: observedGeneration } = metadata
  return setCondition(conditions, { type, ...verdict, ...(observedGeneration === undefined ? {} : { observedGeneration }) }, now)
}

function isOnAws({ cluster }: Seen): boolean {
  return cluster.spec.platform.type === 'AWS'
}

/** Only of a control plane that is being deleted, and only when there is something new to say. */
function whileGoing({ cluster, controlPlane }: Seen, type: string): Derived {
  if (controlPlane?.metadata.deletionTimestamp === undefined) return 'keep'
  const said = copyOf(controlPlane, type)
  return findCondition(cluster.status?.conditions, type)?.message === said.message ? 'keep' : said
}

function available({ cluster, controlPlane }: Seen): Verdict {
  const said = saidBy(controlPlane, 'Available')
  if (said?.status === 'True') return asExpected('The hosted control plane is available')
  if (said !== undefined) return said
  // What keeps the control plane from being made is what people need to know; the pass before has found it out.
  const before = findCondition(cluster.status?.conditions, 'Progressing')
  const message = before?.reason === 'Blocked' ? before.message : 'Waiting for hosted control plane to be healthy'
  return isNot('WaitingForAvailable', message)
}

function degraded({ controlPlane }: Seen): Verdict {
  const said = saidBy(controlPlane, 'Degraded') ?? unknown('The hosted control plane is not found')
  return said.status === 'False' ? { ...said, message: 'The hosted cluster is not degraded' } : said
}

function ignitionEndpointAvailable({ cluster, objects }: Seen): Verdict {
  const server = objects.find(Deployment, { namespace: controlPlaneNamespaceOf(cluster), name: 'ignition-server' })
  if (server === undefined) return isNot('NotFound', 'Ignition server deployment not found')
  if (!isTrue(server.status?.conditions, 'Available'))
    return isNot('WaitingForAvailable', 'Ignition server deployment is not yet available')
  return asExpected('Ignition server deployment is available')
}

function unmanagedEtcdAvailable({ cluster, objects }: Seen): Derived {
  const { managementType, unmanaged } = cluster.spec.etcd
  if (managementType !== 'Unmanaged') return 'keep'
  const misconfigured = (message: string): Verdict => isNot('UnmanagedEtcdMisconfigured', message)
  const name = unmanaged?.tls.clientSecret.name
  if (unmanaged === undefined || !name) return misconfigured('etcd metadata not specified for unmanaged deployment')
  const { namespace = '' } = cluster.metadata
  const secret = objects.find(Secret, { namespace, name })
  if (secret === undefined) return misconfigured(`missing TLS client secret ${name}`)
  const missing = ['etcd-client.crt', 'etcd-client.key', 'etcd-client-ca.crt'].filter((key) => secret.data?.[key] === undefined)
  if (missing.length > 0) return misconfigured(`etcd secret ${name} does not have ${missing.join(', ')}`)
  return { status: 'True', reason: 'UnmanagedEtcdAsExpected', message: `etcd is expected at ${unmanaged.endpoint}` }
}
