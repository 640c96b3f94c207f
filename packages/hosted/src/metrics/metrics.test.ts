import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HostedCluster } from '@windlass/api'
import { aCondition, aControlPlaneComponent, aHostedCluster, aHostedControlPlane, aReleaseImage } from '@windlass/api/fixtures'
import { familyNames } from './families.ts'
import { MetricsStage } from './testing/stage.ts'

type Status = NonNullable<HostedCluster['status']>
type History = NonNullable<NonNullable<Status['controlPlaneVersion']>['history']>

const id = '5f1c9c3e-5d6b-4a57-9a0e-0b6f6f1f7a10'
const whose = `namespace="clusters",name="prod",_id="${id}"`

const partial = (version: string, startedTime: string) =>
  ({ state: 'Partial', startedTime, version, image: aReleaseImage(version) }) as const
const completed = (version: string, startedTime: string, completionTime: string) =>
  ({ state: 'Completed', startedTime, completionTime, version, image: aReleaseImage(version) }) as const

const upgrading = [partial('4.20.1', '2026-03-06T11:50:00Z'), completed('4.20.0', '2026-01-01T00:00:00Z', '2026-03-06T11:50:00Z')]

/** A cluster whose control plane has this history, at the version of its newest entry. */
function withHistory(history: History, status: Status = {}): HostedCluster {
  const { version = '', image = '' } = history[0] ?? {}
  return aHostedCluster({ status: { ...status, controlPlaneVersion: { desired: { version, image }, history, observedGeneration: 1 } } })
}

describe('metrics of hosted clusters', () => {
  it('are all there, each with what it is about, and in groups', () => {
    const { text } = new MetricsStage().lead().put(aHostedCluster(), aControlPlaneComponent())
    assert.deepEqual(
      Array.from(text.matchAll(/^# TYPE (\S+) /gm), ([, name]) => name),
      familyNames,
    )
    assert.doesNotMatch(text, /undefined|NaN|Infinity(?!")/)
  })

  it('count clusters by platform, with a 0 for those that have none', () => {
    const stage = new MetricsStage().lead().put(aHostedCluster())
    const counts = stage.series('hypershift_hostedclusters')
    assert.equal(counts['platform="KubeVirt"'], 1)
    assert.equal(counts['platform="AWS"'], 0)
    stage.put(aHostedCluster({ name: 'other' })).remove(aHostedCluster())
    assert.equal(stage.series('hypershift_hostedclusters')['platform="KubeVirt"'], 1)
  })

  it('name conditions that are not as they should be, and forget them when they are', () => {
    const conditions = [aCondition('Available', 'False'), aCondition('Degraded', 'True'), aCondition('ExternalDNSReachable', 'Unknown')]
    const stage = new MetricsStage().lead().put(aHostedCluster({ status: { conditions } }))
    const failures = () =>
      Object.entries(stage.series('hypershift_hostedclusters_failure_conditions'))
        .filter(([, count]) => count > 0)
        .map(([labels]) => labels)
    assert.deepEqual(failures(), ['platform="KubeVirt",condition="not_Available"', 'platform="KubeVirt",condition="Degraded"'])
    assert.deepEqual(stage.series('windlass_hosted_cluster_available'), { [whose]: 0 })
    stage.put(aHostedCluster())
    assert.deepEqual(failures(), [])
    assert.deepEqual(stage.series('windlass_hosted_cluster_available'), { [whose]: 1 })
  })

  it('do not count conditions against a cluster that nobody reports', () => {
    const unreported = aCondition('DataPlaneConnectionAvailable', 'Unknown', 'StatusUnknown', 'Condition not found in the HCP')
    const unreadable = aCondition('ClusterVersionAvailable', 'Unknown', 'StatusUnknown', 'failed to get clusterVersion: refused')
    const stage = new MetricsStage().lead().put(aHostedCluster({ status: { conditions: [unreported, unreadable] } }))
    const failures = Object.entries(stage.series('hypershift_hostedclusters_failure_conditions')).filter(([, count]) => count > 0)
    assert.deepEqual(failures, [['platform="KubeVirt",condition="not_ClusterVersionAvailable"', 1]])
  })

  it('count identity providers by type, and types that nobody knows as one', () => {
    const oauth = { identityProviders: [{ name: 'a', type: 'OpenID' }, { name: 'b', type: 'OpenID' }, { name: 'c', type: 'Mine' }, 7] }
    const stage = new MetricsStage().lead().put(aHostedCluster({ spec: { configuration: { oauth } } }))
    const counts = stage.series('hypershift_cluster_identity_providers')
    assert.deepEqual(
      ['OpenID', 'Other', 'LDAP'].map((type) => counts[`identity_provider="${type}"`]),
      [2, 2, 0],
    )
  })

  it('tell ages while they matter', () => {
    const metadata = { namespace: 'clusters', name: 'prod', creationTimestamp: '2026-03-06T11:00:00Z' }
    const stage = new MetricsStage().lead().put(aHostedCluster({ metadata, status: {} }))
    assert.deepEqual(stage.series('hypershift_cluster_waiting_initial_availability_duration_seconds'), { [whose]: 3600 })
    assert.deepEqual(stage.series('hypershift_cluster_initial_rolling_out_duration_seconds'), { [whose]: 3600 })
    const available = { ...metadata, annotations: { 'hypershift.openshift.io/HasBeenAvailable': 'true' } }
    stage.put(aHostedCluster({ metadata: available }))
    assert.deepEqual(stage.series('hypershift_cluster_waiting_initial_availability_duration_seconds'), {})
    assert.deepEqual(stage.series('hypershift_cluster_initial_rolling_out_duration_seconds'), {})
    stage.put(aHostedCluster({ metadata: { ...available, deletionTimestamp: '2026-03-06T11:59:00Z' } }))
    assert.deepEqual(stage.series('hypershift_cluster_deleting_duration_seconds'), { [whose]: 60 })
    assert.deepEqual(stage.series('hypershift_cluster_guest_cloud_resources_deleting_duration_seconds'), { [whose]: 60 })
    const gone = { conditions: [aCondition('CloudResourcesDestroyed', 'True')] }
    stage.put(aHostedCluster({ metadata: { ...available, deletionTimestamp: '2026-03-06T11:59:00Z' }, status: gone }))
    assert.deepEqual(stage.series('hypershift_cluster_guest_cloud_resources_deleting_duration_seconds'), {})
  })

  it('ages grow between two scrapes though nothing changes', async () => {
    const stage = new MetricsStage().lead().put(withHistory(upgrading))
    const age = () => Object.values(stage.series('windlass_hosted_control_plane_upgrading_duration_seconds'))
    assert.deepEqual(age(), [600])
    await stage.clock.advance(30_000)
    assert.deepEqual(age(), [630])
  })

  it('N17 an upgrade of the guest is measured with the versions between which it goes', () => {
    const history = upgrading.map((entry) => ({
      ...entry,
      verified: false,
      completionTime: 'completionTime' in entry ? entry.completionTime : null,
    }))
    const version = { desired: { version: '4.20.1', image: '' }, history, observedGeneration: 1, availableUpdates: null }
    const stage = new MetricsStage().lead().put(aHostedCluster({ status: { version } }))
    const labels = `${whose},previous_version="4.20.0",new_version="4.20.1"`
    assert.deepEqual(stage.series('hypershift_cluster_upgrading_duration_seconds'), { [labels]: 600 })
    assert.deepEqual(stage.series('hypershift_cluster_initial_rolling_out_duration_seconds'), {}, 'N18 and it is no first rollout')
  })

  it('say which version a control plane goes to, and nothing where that is not known', () => {
    const stage = new MetricsStage().lead().put(withHistory(upgrading))
    const labels = `${whose},version="4.20.1",state="Partial",desired_version="4.20.1"`
    assert.deepEqual(stage.series('windlass_hosted_control_plane_version_info'), { [labels]: 1 })
    stage.put(aHostedCluster({ status: {} }))
    assert.deepEqual(stage.series('windlass_hosted_control_plane_version_info'), {})
    assert.deepEqual(stage.series('windlass_hosted_control_plane_stalled'), {}, 'N09 unknown is no 0')
  })

  it('take the version from the control plane where nobody copies it to the cluster', () => {
    const stage = new MetricsStage().lead().put(aHostedCluster({ status: {} }), aHostedControlPlane({ release: '4.19.6' }))
    const labels = `${whose},version="4.19.6",state="Completed",desired_version="4.19.6"`
    assert.deepEqual(stage.series('windlass_hosted_control_plane_version_info'), { [labels]: 1 })
  })

  it('N14 N15 a rollout has stalled after an hour, unless it is paused', async () => {
    const stage = new MetricsStage('2026-03-06T12:49:00Z').lead().put(withHistory(upgrading))
    const stalled = () => stage.series('windlass_hosted_control_plane_stalled')[whose]
    assert.equal(stalled(), 0)
    await stage.clock.advance(2 * 60_000)
    assert.equal(stalled(), 1)
    stage.put(withHistory(upgrading, { conditions: [aCondition('ReconciliationActive', 'False')] }))
    assert.equal(stalled(), 0)
  })

  it('N19 a rollout is counted when it completes, once, and not when it is first seen or seen again by another process', () => {
    const done = [completed('4.20.1', '2026-03-06T11:50:00Z', '2026-03-06T12:05:00Z'), ...upgrading.slice(1)]
    const count = (stage: MetricsStage) => stage.series('windlass_hosted_control_plane_rollout_seconds_count')['platform="KubeVirt"']
    const stage = new MetricsStage().put(withHistory(upgrading)).lead().put(withHistory(done))
    assert.equal(count(stage), 1)
    assert.equal(stage.series('windlass_hosted_control_plane_rollout_seconds_sum')['platform="KubeVirt"'], 900)
    assert.equal(stage.series('windlass_hosted_control_plane_rollout_seconds_bucket')['le="900",platform="KubeVirt"'], 1)
    assert.equal(stage.series('windlass_hosted_control_plane_rollout_seconds_bucket')['le="600",platform="KubeVirt"'], 0)
    stage.put(withHistory(done, { conditions: [aCondition('Available', 'True')] }))
    assert.equal(count(stage), 1)
    assert.equal(count(new MetricsStage().put(withHistory(done)).lead()), undefined)
    assert.equal(count(new MetricsStage().lead().put(withHistory(done))), undefined)
    assert.equal(count(new MetricsStage().put(withHistory(upgrading), withHistory(done)).lead()), undefined, 'who led then has counted it')
  })

  it('count each time a condition becomes True, with the age of the cluster, from when it leads', () => {
    const metadata = { namespace: 'clusters', name: 'prod', creationTimestamp: '2026-03-06T12:00:00Z' }
    const etcd = (status: 'True' | 'False', at: string) =>
      aHostedCluster({ metadata, status: { conditions: [{ ...aCondition('EtcdAvailable', status), lastTransitionTime: at }] } })
    const stage = new MetricsStage().lead()
    const count = () => stage.series('hypershift_hosted_cluster_transition_seconds_count')['condition="EtcdAvailable"']
    stage.put(etcd('False', '2026-03-06T12:00:00Z'), etcd('True', '2026-03-06T12:00:20Z'))
    assert.equal(count(), 1)
    assert.equal(stage.series('hypershift_hosted_cluster_transition_seconds_sum')['condition="EtcdAvailable"'], 20)
    stage.put(etcd('True', '2026-03-06T12:00:20Z'))
    assert.equal(count(), 1)
    stage.put(etcd('False', '2026-03-06T12:01:00Z'), etcd('True', '2026-03-06T12:01:10Z'))
    assert.equal(count(), 2)
    const restarted = new MetricsStage('2026-03-06T13:00:00Z').put(etcd('True', '2026-03-06T12:01:10Z')).lead()
    assert.doesNotMatch(restarted.text, /transition_seconds_count/)
  })

  it('say what is set of a proxy, of labels and of credentials', () => {
    const proxy = { httpProxy: 'http://proxy', trustedCA: { name: 'bundle' } }
    const labels = { 'api.openshift.com/limited-support': 'true', 'hypershift.openshift.io/silence-cluster-alerts': '' }
    const metadata = { namespace: 'clusters', name: 'prod', labels }
    const conditions = [aCondition('ValidOIDCConfiguration', 'True'), aCondition('ValidAWSIdentityProvider', 'True')]
    const platform = { type: 'AWS' } as HostedCluster['spec']['platform']
    const put = (given: NonNullable<Status['conditions']>) =>
      stage.put(aHostedCluster({ metadata, spec: { platform, configuration: { proxy } }, status: { conditions: given } }))
    const stage = new MetricsStage().lead()
    const credentials = () => stage.series('hypershift_cluster_invalid_aws_creds')[whose]
    put(conditions)
    assert.deepEqual(stage.series('hypershift_cluster_proxy'), { [`${whose},proxy_http="1",proxy_https="",proxy_trusted_ca="1"`]: 1 })
    assert.deepEqual(stage.series('hypershift_cluster_limited_support_enabled'), { [whose]: 1 })
    assert.deepEqual(stage.series('hypershift_cluster_silence_alerts'), { [whose]: 1 })
    assert.equal(credentials(), 0)
    put([aCondition('ValidOIDCConfiguration', 'True')])
    assert.equal(credentials(), 2)
    put([...conditions.slice(1), aCondition('ValidOIDCConfiguration', 'False')])
    assert.equal(credentials(), 1)
    stage.put(aHostedCluster())
    assert.equal(credentials(), undefined, 'elsewhere there is nothing to know')
  })

  it('tell of components, as they are when somebody asks', () => {
    const info = (component: string, version: string, complete: string) =>
      `${whose},component="${component}",version="${version}",rollout_complete="${complete}"`
    const stage = new MetricsStage().lead().put(aControlPlaneComponent(), aHostedCluster())
    const series = () => Object.keys(stage.series('windlass_control_plane_component_info'))
    assert.deepEqual(series(), [info('kube-apiserver', '4.19.6', 'true')])
    stage.put(
      aControlPlaneComponent({ version: '4.19.7', status: { version: '4.19.7', conditions: [aCondition('RolloutComplete', 'False')] } }),
    )
    stage.put(aControlPlaneComponent({ name: 'etcd', status: {} }))
    assert.deepEqual(series(), [info('kube-apiserver', '4.19.7', 'false'), info('etcd', '', 'unknown')])
    stage.remove(aControlPlaneComponent())
    assert.deepEqual(series(), [info('etcd', '', 'unknown')])
  })

  it('die with their cluster', () => {
    const stage = new MetricsStage().lead().put(withHistory(upgrading), aControlPlaneComponent()).remove(aHostedCluster())
    assert.doesNotMatch(stage.text, /name="prod"/)
  })

  it('are told by who leads, and by nobody else', () => {
    const stage = new MetricsStage().put(aHostedCluster())
    assert.equal(stage.text, '')
    assert.notEqual(stage.lead().text, '')
  })

  it('are text that Prometheus can read, whatever people call things', () => {
    const { text } = new MetricsStage()
      .lead()
      .put(aHostedCluster({ spec: { clusterID: 'a"b\\c\nd' } }), aControlPlaneComponent({ status: { version: 'x"y' } }))
    assert.ok(text.includes(String.raw`_id="a\"b\\c\nd"`))
    for (const line of text.trimEnd().split('\n'))
      assert.match(line, /^(?:# (?:HELP|TYPE) .+|[a-z_]+(?:\{(?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*\})? [\d.e+-]+)$/)
  })
})
