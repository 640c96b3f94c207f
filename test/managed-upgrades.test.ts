import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { ClusterVersion, MachineConfigPool, Namespace, Pod, PodDisruptionBudget } from '@windlass/api'
import { formatTime, systemClock as clock } from '@windlass/core'
import { failureAnnotation } from '@windlass/simulator'
import { type HistoryEntry, operatorName, stepConditions } from '@windlass/upgrades'
import { Stage } from './managed-upgrades/stage.ts'

const namespace = 'openshift-managed-upgrade-operator'
const osdOnly: readonly string[] = ['IsClusterUpgradable', 'PostUpgradeTasksCompleted']
const logs = {
  unhealthy: 'Cluster has encountered healthcheck failure during upgrade',
  starting: 'Cluster is starting with control and worker plane upgrade',
  controlPlane: 'Cluster has finished control plane upgrade',
  workers: 'Cluster has finished with worker plane upgrade',
} as const

const open: Stage[] = []

async function set(config: (ocmUrl: string) => string): Promise<Stage> {
  const stage = await Stage.set({ config })
  open.push(stage)
  return stage
}

async function clear(): Promise<void> {
  for (const stage of open.splice(0)) await stage.clear()
}

/** Limits that no busy machine reaches. */
const limits = `
maintenance: { controlPlaneTime: 900, ignoredAlerts: { controlPlaneCriticals: [ClusterOperatorDown] } }
scale: { timeOut: 900 }
featureGate: { enabled: [PreHealthCheck, ServiceLogNotification] }
`

describe('a managed upgrade from OCM, with everything real that can be', { timeout: 180_000 }, () => {
  let stage: Stage
  before(async () => {
    stage = await set(
      (url) => `
upgradeType: OSD
configManager: { source: OCM, ocmBaseUrl: "${url}", watchInterval: 5 }
upgradeWindow: { delayTrigger: 0, timeOut: 0 }
${limits}`,
    )
  })
  after(clear)

  it('begins though OCM talks nonsense, does not know the cluster and is slow at first', async () => {
    const { ocm } = stage.ocm
    ocm.fail({ is: 'wrong', times: 1 })
    ocm.fail({ is: 'stranger', times: 1 })
    ocm.fail({ is: 'slow', by: 500, times: 1 })
    await stage.monitoring.prometheus.fire({ alertname: 'EtcdDown', labels: { severity: 'critical', namespace: 'openshift-etcd' } })
    stage.schedule('4.18.16', 2)
    // Else the UpgradeConfig might be gone before anybody has looked at how it ended.
    ocm.memory.overlookEnd('p1')
    await stage.untilPhase('Upgrading')
    const { spec, metadata } = (await stage.upgradeConfig()) ?? assert.fail('there is no UpgradeConfig')
    assert.deepEqual([spec.type, spec.desired, spec.PDBForceDrainTimeout], ['OSD', { version: '4.18.16', channel: 'stable-4.18' }, 60])
    assert.equal(metadata.annotations?.['upgrade.managed.openshift.io/ocm-policy-id'], 'p1')
  })

  it('H12 waits while a critical alert fires', async () => {
    await stage.until('the health check to fail', async () => (await stage.step('ClusterHealthyBeforeUpgrade'))?.status === 'False')
    await stage.until('OCM to be told', () => stage.told().includes(logs.unhealthy))
    await stage.until('the reason', async () =>
      /CriticalAlertsHealthcheckFailed/.test((await stage.step('ClusterHealthyBeforeUpgrade'))?.message ?? ''),
    )
    const failed = await stage.metric('upgradeoperator_healthcheck_failed')
    assert.ok([...failed].some(([labels, value]) => labels.includes('reason="critical_alerts_firing"') && value === 1))
    assert.deepEqual([await stage.extraSets(), await stage.silenced(), await stage.step('UpgradeCommenced')], [[], [], undefined])
    await stage.monitoring.prometheus.fire()
  })

  it('X01 X03 adds a machine for each zone, silences, and commences', async () => {
    await stage.untilDone('ComputeCapacityReserved')
    const sets = ['zone-a', 'zone-b', 'zone-c'].map((zone) => `classic-x7k2p-worker-${zone}-upgrade`)
    assert.deepEqual(await stage.extraSets(), sets)
    const printed = await stage.k.ok`get machines -n openshift-machine-api -l upgrade.managed.openshift.io=true`
    assert.equal(printed.match(/Running/g)?.length, 3, printed)
    await stage.untilDone('UpgradeCommenced')
    assert.deepEqual(await stage.silenced(), [
      'Silence for OSD control plane upgrade to version 4.18.16',
      'Silence for critical alerts during OSD control plane upgrade to version 4.18.16',
    ])
    const [silence] = await stage.monitoring.alertmanager.silences()
    assert.equal(silence?.createdBy, operatorName)
    const { spec } = await stage.client.get(ClusterVersion, { name: 'version' })
    assert.equal(spec.desiredUpdate?.version, '4.18.16')
  })

  it('says what it waits for while Prometheus and Alertmanager are down, and the cluster goes on', async () => {
    const { guards } = stage.monitoring
    // Else they might be upgraded before anybody silences anything for them.
    await stage.client.patch(MachineConfigPool, { name: 'worker' }, { spec: { paused: true } })
    guards.prometheus.mode = 'down'
    guards.alertmanager.mode = 'down'
    await stage.until('the control plane to be upgraded', async () => {
      const { status } = await stage.client.get(ClusterVersion, { name: 'version' })
      return status?.history?.[0]?.version === '4.18.16' && status.history[0].state === 'Completed'
    })
    const step = await stage.step('ControlPlaneMaintenanceWindowCreated')
    assert.equal(step?.status, 'False')
    assert.match(step.message, /silences cannot be listed: .*closed the connection/)
    assert.equal((await stage.entry())?.phase, 'Upgrading')
  })

  it('keeps its news while nobody listens where OCM was, and goes on when somebody does', async () => {
    const { guards } = stage.monitoring
    await stage.closeOcm()
    guards.alertmanager.mode = 'well'
    await stage.until('the upgrade to go on', () => guards.alertmanager.requests.at(-1)?.endsWith(' 200') === true)
    const heard = stage.operator.log().length
    await stage.until('OCM to be missed', () => /ECONNREFUSED.*OCM did not answer/.test(stage.operator.log().slice(heard)))
    assert.ok(!stage.told().includes(logs.controlPlane))
    assert.equal((await stage.entry())?.phase, 'Upgrading')
    await stage.openOcm()
    await stage.untilDone('ControlPlaneMaintenanceWindowRemoved')
    assert.ok(stage.told().includes(logs.controlPlane))
    guards.prometheus.mode = 'well'
  })

  it('M05 keeps a silence while workers are upgraded, then takes away all that it added', async () => {
    await stage.untilDone('WorkersMaintenanceWindowCreated')
    const silenced = await stage.silenced()
    assert.match(silenced.join(), /^Silence for OSD worker node upgrade to version 4\.18\.16 with remaining 6 nodes$/)
    await stage.client.patch(MachineConfigPool, { name: 'worker' }, { spec: { paused: false } })
    await stage.untilPhase('Upgraded')
    assert.deepEqual([await stage.silenced(), await stage.extraSets()], [[], []])
    const nodes = await stage.k.ok`get nodes`
    assert.equal(nodes.match(/v1\.31\.16/g)?.length, 6, nodes)
  })

  it('has gone through all 17 steps, and told OCM everything once', async () => {
    const entry = (await stage.entry()) ?? assert.fail('there is no entry')
    assert.deepEqual(
      (entry.conditions ?? []).map(({ type, status, completeTime }) => [type, status, completeTime !== undefined]).toReversed(),
      stepConditions.map((type) => [type, 'True', true]),
    )
    assert.ok(entry.startTime !== undefined && entry.completeTime !== undefined)
    assert.ok(entry.workerStartTime !== undefined && entry.workerCompleteTime !== undefined)
    assert.deepEqual(stage.told(), ['started', logs.unhealthy, logs.starting, logs.controlPlane, logs.workers, 'completed'])
    const wrongPath = stage.ocm.ocm.requests.filter(({ path }) => path.endsWith('/service_logs'))
    assert.deepEqual(wrongPath, [])
    const comments = (await stage.everSilenced()).filter((comment) => comment.includes('control plane'))
    assert.equal(comments.length, 2, comments.join())
  })

  it('can be read in Prometheus: when it was, who was told, when OCM was asked, and what is derived from it', async () => {
    const { startTime, completeTime, workerStartTime, workerCompleteTime } = (await stage.entry()) ?? assert.fail('there is no entry')
    const { status } = await stage.client.get(ClusterVersion, { name: 'version' })
    const [run] = status?.history ?? []
    const moments: Readonly<Record<string, string | null | undefined>> = {
      upgradeoperator_upgrade_started_timestamp: startTime,
      upgradeoperator_upgrade_completed_timestamp: completeTime,
      upgradeoperator_controlplane_upgrade_started_timestamp: run?.startedTime,
      upgradeoperator_controlplane_upgrade_completed_timestamp: run?.completionTime,
      upgradeoperator_workernode_upgrade_started_timestamp: workerStartTime,
      upgradeoperator_workernode_upgrade_completed_timestamp: workerCompleteTime,
      managed_upgrade_upgrade_start_timestamp: startTime,
      managed_upgrade_upgrade_complete_timestamp: completeTime,
      managed_upgrade_condition_control_plane_completion_timestamp: conditionTime(await stage.entry(), 'ControlPlaneUpgraded'),
    }
    const query = (promql: string) => stage.monitoring.prometheus.query(promql)
    for (const [name, time] of Object.entries(moments)) {
      const seconds = Date.parse(time ?? assert.fail(`there is no time for ${name}`)) / 1000
      await stage.until(`${name} to be scraped`, async () => (await query(`${name} == ${seconds}`)).length === 1)
    }
    const sent = (await stage.upgradeConfig())?.metadata.annotations?.['upgrade.managed.openshift.io/sent-notifications'] ?? ''
    await stage.until('all that were sent to be scraped', async () => {
      const notified = await query('upgradeoperator_upgrade_notification == 1')
      return isDeepStrictEqual(notified.map(({ version = '', event = '' }) => `${version}/${event}`).toSorted(), sent.split(',').toSorted())
    })
    for (const fact of ['upgradeoperator_upgradeconfig_sync_timestamp > 0', 'managed_upgrade_collector_scrape_failed == 0'])
      await stage.until(fact, async () => (await query(fact)).length === 1)
  })

  it('shows in the metrics, and its UpgradeConfig goes when OCM wants nothing any more', async () => {
    await stage.until('the result', async () => (await stage.metric('upgradeoperator_upgrade_result')).size === 1)
    const [[labels, value] = ['', 0]] = await stage.metric('upgradeoperator_upgrade_result')
    assert.match(labels, /preceding_version="4\.18\.15".*stream="z".*version="4\.18\.16"/)
    assert.equal(value, 1)
    stage.ocm.ocm.memory.noticeEnd('p1')
    await stage.until('the UpgradeConfig to go', async () => (await stage.upgradeConfig()) === undefined)
    await stage.until('its metrics to go', async () => (await stage.metric('upgradeoperator_upgrade_started_timestamp')).size === 0)
    assert.equal((await stage.metric('upgradeoperator_upgrade_result')).size, 1)
    assert.equal((await stage.metric('upgradeoperator_upgradeconfig_sync_timestamp')).size, 1)
  })

  it('B03 has an operator that ends when it is asked to, while it waits for the next time to ask OCM', async () => {
    assert.equal(await stage.operator.stop(), 0)
  })
})

function conditionTime(entry: HistoryEntry | undefined, type: string): string | undefined {
  return entry?.conditions?.find((condition) => condition.type === type)?.completeTime
}

/** Pods on two workers that do not go when they are asked to, each for a reason of its own. */
async function blockDrains({ client }: Stage): Promise<void> {
  const shop = { namespace: 'shop' }
  await client.create(Namespace, { metadata: { name: 'shop' } })
  await client.create(PodDisruptionBudget, {
    metadata: { ...shop, name: 'protected' },
    spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'protected' } } },
  })
  const pods: readonly [nodeName: string, name: string, metadata: Pod['metadata']][] = [
    ['worker-0', 'protected', { labels: { app: 'protected' } }],
    ['worker-1', 'held', { finalizers: ['example.com/wait'] }],
    ['worker-1', 'endless', { annotations: { [failureAnnotation]: 'never-gone' } }],
  ]
  for (const [nodeName, name, metadata] of pods) {
    const spec = { nodeName, containers: [{ name: 'main', image: 'example.com/checkout' }] }
    await client.create(Pod, { metadata: { ...shop, name, ...metadata }, spec })
  }
}

describe('a managed upgrade that a person wrote', { timeout: 120_000 }, () => {
  let stage: Stage
  before(async () => {
    stage = await set(
      () => `
configManager: { source: LOCAL, localConfigName: managed-upgrade-config, watchInterval: 900 }
nodeDrain: { timeOut: 10, expectedNodeDrainTime: 2 }
${limits}`,
    )
    await blockDrains(stage)
  })
  after(clear)

  it('ARO: begins', async () => {
    const manifest = {
      apiVersion: 'upgrade.managed.openshift.io/v1alpha1',
      kind: 'UpgradeConfig',
      metadata: { namespace, name: 'managed-upgrade-config' },
      spec: {
        type: 'ARO',
        upgradeAt: formatTime(clock.now()),
        PDBForceDrainTimeout: 60,
        desired: { version: '4.18.16', channel: 'stable-4.18' },
      },
    }
    await stage.k.with({ input: JSON.stringify(manifest) }).ok`apply -f -`
    await stage.untilDone('UpgradeCommenced')
    const printed = await stage.k.ok`get upgradeconfig -n ${namespace}`
    assert.match(printed, /DESIRED_VERSION +PHASE +STAGE[\s\S]+4\.18\.16 +Upgrading/)
  })

  it('R21 does not begin another one because its spec was changed in the middle, and goes on when that is taken back', async () => {
    const before = (await stage.entry())?.startTime
    await stage.edit({ desired: { version: '4.18.17' } })
    await stage.until('the new entry', async () => (await stage.upgradeConfig())?.status?.history?.length === 2)
    await stage.untilPhase('Pending')
    const { status } = (await stage.upgradeConfig()) ?? {}
    assert.deepEqual(
      status?.history?.map(({ version, phase }) => `${version ?? ''} ${phase}`),
      ['4.18.17 Pending', '4.18.16 Upgrading'],
    )
    await stage.edit({ desired: { version: '4.18.16' }, PDBForceDrainTimeout: 10 })
    const entry = await stage.entry()
    assert.deepEqual([entry?.phase, entry?.startTime], ['Upgrading', before])
    const { spec } = await stage.client.get(ClusterVersion, { name: 'version' })
    assert.equal(spec.desiredUpdate?.version, '4.18.16')
  })

  it('D04 D06 helps nodes whose drain is blocked by a budget, by a finalizer and by a Pod that does not end', async () => {
    await stage.untilDone('WorkerNodesUpgraded')
    for (const name of ['protected', 'held', 'endless']) assert.equal(await stage.client.find(Pod, { namespace: 'shop', name }), undefined)
    const failed = await stage.metric('upgradeoperator_node_drain_timeout')
    assert.ok([...failed.values()].every((value) => value === 0))
  })

  it('ARO: goes through all 14 steps, with nobody in OCM who is told', async () => {
    await stage.untilPhase('Upgraded')
    assert.deepEqual(
      ((await stage.entry())?.conditions ?? []).map(({ type, status }) => `${type} ${status}`).toReversed(),
      stepConditions.filter((type) => !osdOnly.includes(type)).map((type) => `${type} True`),
    )
    assert.deepEqual([stage.told(), await stage.silenced(), await stage.extraSets()], [[], [], []])
    assert.deepEqual(stage.ocm.ocm.requests, [])
  })
})

describe('a managed upgrade that the cluster does not allow', { timeout: 90_000 }, () => {
  let stage: Stage
  before(async () => {
    stage = await set(
      (url) => `
upgradeType: OSD
configManager: { source: OCM, ocmBaseUrl: "${url}", watchInterval: 5 }
upgradeWindow: { delayTrigger: 5, timeOut: 60 }
${limits}`,
    )
  })
  after(clear)

  it('P05 F01 F04 fails when its window is over, says why, and leaves nothing behind', async () => {
    await stage.k.ok`annotate clusterversion version ${'simulator.windlass.dev/fail=not-upgradeable reason=AdminAckRequired'}`
    await stage.until('the cluster to object', async () => {
      const { status } = await stage.client.get(ClusterVersion, { name: 'version' })
      return status?.conditions?.some(({ type, status: is }) => type === 'Upgradeable' && is === 'False') === true
    })
    stage.schedule('4.19.1', 1)
    await stage.untilPhase('Upgrading')
    await stage.until('the refusal', async () =>
      /has been cancelled: AdminAckRequired/.test((await stage.step('IsClusterUpgradable'))?.message ?? ''),
    )
    await stage.untilPhase('Failed')
    assert.equal((await stage.step('FailedUpgrade'))?.status, 'True')
    assert.deepEqual(stage.told(), ['started', 'delayed', 'failed'])
    const last = stage.ocm.ocm.memory.stateOf('p1')
    assert.match(last?.description ?? '', /cluster upgrade to version 4\.19\.1 on .* has been cancelled: AdminAckRequired/)
    const breached = await stage.metric('upgradeoperator_upgrade_window_breached')
    assert.deepEqual([...breached.values()], [1])
    const { spec } = await stage.client.get(ClusterVersion, { name: 'version' })
    assert.equal(spec.desiredUpdate, undefined)
    assert.deepEqual([await stage.everSilenced(), await stage.extraSets()], [[], []])
  })
})
