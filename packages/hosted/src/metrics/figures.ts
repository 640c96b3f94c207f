import type { ControlPlaneComponent, HostedCluster, HostedControlPlane } from '@windlass/api'
import { findCondition, type Instant, isInitialRollout, isFalse, isTrue, parseTime, updateInProgress } from '@windlass/core'
import { Annotation } from '../hosted-cluster/wire.ts'
import type { FamilyName } from './families.ts'
import { escaped, type Labels, lineOf, seriesOf } from './series.ts'

type ControlPlaneVersion = NonNullable<HostedCluster['status']>['controlPlaneVersion']

/** A series whose value is how long ago something was. */
export interface Age {
  readonly family: FamilyName
  readonly series: string
  readonly since: Instant
}

/** Everything about one cluster that changes with its objects only. What also changes with time is told by what it is counted from. */
export interface Figures {
  readonly lines: readonly { readonly family: FamilyName; readonly text: string }[]
  readonly ages: readonly Age[]
  /** It has stalled when its update has run for too long. Undefined when nothing is known of its version. */
  readonly rollout: { readonly series: string; readonly runsSince: Instant | undefined } | undefined
}

const limitedSupportLabel = 'api.openshift.com/limited-support'
const silencedLabel = 'hypershift.openshift.io/silence-cluster-alerts'

export function labelsOf({ metadata: { namespace = '', name = '' }, spec }: HostedCluster): Labels {
  return { namespace, name, _id: spec.clusterID ?? '' }
}

/**
 * What a cluster says of its control plane's version. Where another operator runs the cluster and only the version is ours, it is on the control plane and
 * nobody copies it.
 */
export function controlPlaneVersionOf(cluster: HostedCluster, controlPlane: HostedControlPlane | undefined): ControlPlaneVersion {
  return cluster.status?.controlPlaneVersion ?? controlPlane?.status?.controlPlaneVersion
}

export function figuresOf(cluster: HostedCluster, controlPlane: HostedControlPlane | undefined): Figures {
  const labels = labelsOf(cluster)
  const version = controlPlaneVersionOf(cluster, controlPlane)
  const line = (family: FamilyName, value: number, more: Labels = {}) => ({ family, text: lineOf(family, { ...labels, ...more }, value) })
  const available = findCondition(cluster.status?.conditions, 'Available')
  const credentials = awsCredentials(cluster)
  const newest = version?.history?.[0]
  const proxy = cluster.spec.configuration?.proxy
  const set = (value: string | undefined): string => (value ? '1' : '')
  return {
    lines: [
      line('hypershift_cluster_limited_support_enabled', cluster.metadata.labels?.[limitedSupportLabel] === 'true' ? 1 : 0),
      line('hypershift_cluster_silence_alerts', cluster.metadata.labels?.[silencedLabel] === undefined ? 0 : 1),
      line('hypershift_cluster_proxy', proxy === undefined ? 0 : 1, {
        proxy_http: set(proxy?.httpProxy),
        proxy_https: set(proxy?.httpsProxy),
        proxy_trusted_ca: set(proxy?.trustedCA?.name),
      }),
      ...(credentials === undefined ? [] : [line('hypershift_cluster_invalid_aws_creds', credentials)]),
      ...(available === undefined ? [] : [line('windlass_hosted_cluster_available', available.status === 'True' ? 1 : 0)]),
      ...(version === undefined || newest === undefined
        ? []
        : [
            line('windlass_hosted_control_plane_version_info', 1, {
              version: newest.version,
              state: newest.state,
              desired_version: version.desired.version,
            }),
          ]),
    ],
    ages: agesOf(cluster, version, labels),
    rollout: rolloutOf(cluster, version, labels),
  }
}

function agesOf({ metadata, status }: HostedCluster, version: ControlPlaneVersion, labels: Labels): readonly Age[] {
  const created = parseTime(metadata.creationTimestamp)
  const deleted = parseTime(metadata.deletionTimestamp)
  const guest = updateInProgress(status?.version?.history)
  const management = updateInProgress(version?.history)
  const since = (family: FamilyName, moment: Instant | undefined, more: Labels = {}): readonly Age[] =>
    moment === undefined ? [] : [{ family, series: seriesOf(family, { ...labels, ...more }), since: moment }]
  const between = (update: typeof guest): Labels => ({
    previous_version: update?.previousVersion ?? '',
    new_version: update?.newVersion ?? '',
  })
  return [
    ...(metadata.annotations?.[Annotation.hasBeenAvailable] === undefined
      ? since('hypershift_cluster_waiting_initial_availability_duration_seconds', created)
      : []),
    ...(isInitialRollout(status?.version?.history) ? since('hypershift_cluster_initial_rolling_out_duration_seconds', created) : []),
    ...since('hypershift_cluster_upgrading_duration_seconds', guest?.since, between(guest)),
    ...since('hypershift_cluster_deleting_duration_seconds', deleted),
    ...(isTrue(status?.conditions, 'CloudResourcesDestroyed')
      ? []
      : since('hypershift_cluster_guest_cloud_resources_deleting_duration_seconds', deleted)),
    ...since('windlass_hosted_control_plane_upgrading_duration_seconds', management?.since, between(management)),
  ]
}

/** As `rolloutState` of core has it, with what depends on the time left for the scrape. */
function rolloutOf({ status }: HostedCluster, version: ControlPlaneVersion, labels: Labels): Figures['rollout'] {
  const newest = version?.history?.[0]
  if (newest === undefined) return undefined
  const isOnItsWay = newest.state !== 'Completed' && !isFalse(status?.conditions, 'ReconciliationActive')
  return {
    series: seriesOf('windlass_hosted_control_plane_stalled', labels),
    runsSince: isOnItsWay ? parseTime(newest.startedTime) : undefined,
  }
}

/** 0 valid, 1 invalid, 2 unknown; undefined for clusters elsewhere. */
function awsCredentials({ spec, status }: HostedCluster): number | undefined {
  if (spec.platform.type !== 'AWS') return undefined
  const both = ['ValidOIDCConfiguration', 'ValidAWSIdentityProvider']
  if (both.some((type) => isFalse(status?.conditions, type))) return 1
  return both.every((type) => isTrue(status?.conditions, type)) ? 0 : 2
}

/**
 * The series of a cluster's components. There are forty times as many of them as clusters, so that they are put together by hand, and in one piece: a text that
 * is added up has to be copied once more when it is sent.
 */
export function componentsText(labels: Labels, components: readonly ControlPlaneComponent[]): string {
  const whose = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  const begin = `windlass_control_plane_component_info{${whose.join(',')},component="`
  const parts: string[] = []
  for (const { metadata, status } of components) {
    const complete = findCondition(status?.conditions, 'RolloutComplete')?.status.toLowerCase() ?? 'unknown'
    parts.push(
      begin,
      escaped(metadata.name ?? ''),
      '",version="',
      escaped(status?.version ?? ''),
      '",rollout_complete="',
      escaped(complete),
      '"} 1\n',
    )
  }
  return parts.join('')
}
