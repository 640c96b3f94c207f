import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { UpgradeConfig } from '@windlass/api'
import type { PatchAction } from '@windlass/kube'
import { seen, unseen } from '../observed/seen.ts'
import { at, configured, gaugesAfter as shownAfter, now, theUpgrade } from '../testing/index.ts'
import { type HistoryEntry, withCondition } from '../upgrade-config/index.ts'
import { Annotation } from '../upgrade-config/names.ts'
import {
  decideNotification,
  decideOcm,
  describeState,
  isSameOccasion,
  gaugesAfter,
  type NotificationState,
  notificationStates,
  type OcmNotification,
  recordOwed,
  recordSent,
  recordTakenOver,
  sentQuery,
  stateOf,
  transitions,
  wasSent,
} from './index.ts'

const policy = { id: 'p1', version: '4.4.6', next_run: at(-60) }
const gates = { 'featureGate.enabled': ['ServiceLogNotification'] }

const ocm = (state: NotificationState, parts: Partial<OcmNotification> = {}) =>
  decideOcm({
    state,
    description: 'text',
    upgradeConfig: theUpgrade({ entry: {} }),
    config: configured({}),
    policies: seen([policy]),
    ...parts,
  })

describe('what is told to OCM', () => {
  it('N01 is a state that the policy may go to; one that it is in already counts as told', () => {
    const scheduled = ocm('StateStarted', { policyState: seen({ value: 'scheduled' }) })
    assert.deepEqual(scheduled, {
      is: 'set state',
      policyId: 'p1',
      body: { kind: 'UpgradePolicyState', value: 'started', description: 'text' },
    })
    assert.equal(ocm('StateStarted', { policyState: seen({ value: 'started' }) }).is, 'nothing')
  })

  it('N02 tells a delay from a skip by one word', () => {
    const delayed = seen({ value: 'delayed', description: 'we will retry' })
    const skipped = ocm('StateSkipped', { policyState: delayed })
    assert.ok(skipped.is === 'set state' && skipped.body.value === 'delayed')
    assert.equal(stateOf({ value: 'delayed', description: 'x' }), 'StateSkipped')
    assert.equal(ocm('StateDelayed', { policyState: seen({ value: 'delayed', description: 'x' }) }).is, 'nothing')
  })

  it('N03 is nothing once the policy is over', () => {
    for (const value of ['completed', 'failed', 'cancelled', 'pending'])
      assert.equal(ocm('StateFailed', { policyState: seen({ value }) }).is, 'nothing')
    assert.equal(ocm('StateFailed', { policyState: seen({ value: 'strange' }) }).is, 'failed')
  })

  it('N04 is nothing where service logs are off', () => {
    assert.equal(decideOcm({ ...aRequest('StateHealthCheckSL'), config: configured({}) }).is, 'nothing')
  })

  it('N05 Δ32 is a service log whether or not there is a policy', () => {
    const decision = ocm('StateHealthCheckSL', { config: configured(gates), policies: seen([]) })
    assert.deepEqual(decision, {
      is: 'service log',
      log: {
        kind: 'LogEntry',
        severity: 'Info',
        service_name: 'RedHat Managed Upgrade Notifications',
        log_type: 'Cluster Updates',
        summary: 'Cluster has encountered healthcheck failure during upgrade',
        description: 'text',
        internal_only: false,
        doc_references: ['https://access.redhat.com/solutions/7081505'],
      },
    })
    const plain = ocm('StateControlPlaneStartedSL', { config: configured(gates) })
    assert.ok(plain.is === 'service log' && plain.log.doc_references === undefined)
  })

  it('Δ33 goes to the policy that the upgrade came from, or to the one of the same moment', () => {
    const two = seen([{ id: 'p0', version: '4.4.6', next_run: '2030-01-01T13:00:00+02:00' }, policy])
    const upgradeConfig = theUpgrade({ annotations: { [Annotation.policyId]: 'p1' } })
    assert.deepEqual(ocm('StateStarted', { policies: two, upgradeConfig }), { is: 'ask state', policyId: 'p1' })
    assert.deepEqual(ocm('StateStarted', { policies: two }), { is: 'ask state', policyId: 'p0' })
    assert.equal(ocm('StateStarted', { policies: seen([]) }).is, 'failed')
    assert.equal(ocm('StateStarted', { policies: unseen('503') }).is, 'failed')
    assert.equal(decideOcm(aRequest('StateStarted')).is, 'ask policies')
  })

  it('Δ32 follows the table of transitions', () => {
    assert.deepEqual(transitions, {
      StateScheduled: ['StateStarted'],
      StateStarted: ['StateScaleSkipped', 'StateDelayed', 'StateSkipped', 'StateCompleted', 'StateFailed'],
      StateScaleSkipped: ['StateDelayed', 'StateSkipped', 'StateCompleted', 'StateFailed'],
      StateDelayed: ['StateSkipped', 'StateCompleted', 'StateFailed'],
      StateSkipped: ['StateCompleted', 'StateFailed'],
      StatePending: [],
      StateCompleted: [],
      StateFailed: [],
      StateCancelled: [],
    })
    assert.equal(ocm('StateSkipped', { policyState: seen({ value: 'started' }) }).is, 'set state')
  })
})

function aRequest(state: NotificationState): OcmNotification {
  return { state, description: 'text', upgradeConfig: theUpgrade({ entry: {} }), config: configured({}) }
}

describe('a notification', () => {
  const pending = theUpgrade({ entry: { phase: 'Pending' } })
  const request = { state: 'StateStarted', upgradeConfig: pending, isOnGauge: false }

  it('P01 is sent once', () => {
    const first = decideNotification(request)
    assert.ok(first.is === 'send')
    const patch = recordSent(pending, first.state)
    assert.deepEqual(patch?.patch, { metadata: { annotations: { [Annotation.sentNotifications]: '4.4.6/StateStarted' } } })
    const recorded = withPatch(pending, patch)
    for (let pass = 0; pass < 4; pass++) assert.equal(decideNotification({ ...request, upgradeConfig: recorded }).is, 'nothing')
    assert.equal(recordSent(recorded, 'StateStarted'), undefined)
    assert.equal(
      withPatch(recorded, recordSent(recorded, 'StateDelayed')).metadata.annotations?.[Annotation.sentNotifications],
      '4.4.6/StateStarted,4.4.6/StateDelayed',
    )
  })

  it('P01 is sent again for another version', () => {
    const recorded = withPatch(pending, recordSent(pending, 'StateStarted'))
    const edited = { ...recorded, spec: theUpgrade({ version: '4.4.7' }).spec }
    assert.ok(!wasSent(edited, 'StateStarted'))
  })

  it('N06 that failed is a gauge; one that carries a result is not', () => {
    const failed = 'upgrade_notification_failed{upgradeconfig_name="managed-upgrade-config",event="StateStarted"}'
    assert.deepEqual(shownAfter(gaugesAfter(pending, 'StateStarted', { isSent: false, hasResult: false })), { [failed]: 1 })
    assert.deepEqual(shownAfter(gaugesAfter(pending, 'StateStarted', { isSent: true, hasResult: false })), {
      [failed]: 0,
      'upgrade_notification{upgradeconfig_name="managed-upgrade-config",event="StateStarted",version="4.4.6"}': 1,
    })
    assert.deepEqual(gaugesAfter(pending, 'StateStarted', { isSent: false, hasResult: true }), [])
  })

  it('N07 Δ31 needs nobody but its record to know that it was sent', () => {
    const running = theUpgrade({ entry: {}, annotations: { [Annotation.sentNotifications]: '4.4.6/StateStarted' } })
    assert.equal(decideNotification({ ...request, upgradeConfig: running, found: unseen('down') }).is, 'nothing')
    assert.equal(decideNotification({ ...request, upgradeConfig: running, state: 'StateDelayed' }).is, 'send')
    assert.equal(decideNotification({ ...request, isOnGauge: true }).is, 'nothing')
  })

  it('Δ31 of an upgrade that was taken over asks the monitoring first', () => {
    const taken = theUpgrade({ entry: {} })
    const asked = decideNotification({ ...request, upgradeConfig: taken })
    const query = 'upgradeoperator_upgrade_notification{upgradeconfig_name="managed-upgrade-config",event="StateStarted",version="4.4.6"}'
    assert.deepEqual(asked, { is: 'ask', query })
    assert.equal(sentQuery(taken, 'StateStarted'), query)
    assert.equal(decideNotification({ ...request, upgradeConfig: taken, found: seen([{}]) }).is, 'record')
    assert.equal(decideNotification({ ...request, upgradeConfig: taken, found: seen([]) }).is, 'send')
    assert.equal(decideNotification({ ...request, upgradeConfig: taken, found: unseen('down') }).is, 'send')
  })

  it('Δ31 that was found to be sent before goes on record, and the monitoring is asked about the others too', () => {
    const taken = theUpgrade({ entry: {} })
    const recorded = withPatch(taken, recordTakenOver(taken, 'StateControlPlaneFinishedSL'))
    assert.equal(decideNotification({ ...request, upgradeConfig: recorded, state: 'StateControlPlaneFinishedSL' }).is, 'nothing')
    const other = { ...request, upgradeConfig: recorded, state: 'StateWorkerPlaneFinishedSL' }
    assert.equal(decideNotification(other).is, 'ask')
    assert.equal(decideNotification({ ...other, found: seen([{}]) }).is, 'record')
    assert.equal(decideNotification({ ...other, found: seen([]) }).is, 'send')
    const ours = withPatch(taken, recordSent(taken, 'StateStarted'))
    assert.equal(decideNotification({ ...other, upgradeConfig: ours }).is, 'send')
  })

  it('is on record for the version that it was about, though another is desired by now', () => {
    const edited = { ...pending, spec: theUpgrade({ version: '4.4.7' }).spec }
    const recorded = withPatch(edited, recordSent(edited, 'StateStarted', '4.4.6'))
    assert.ok(!wasSent(recorded, 'StateStarted'))
    assert.ok(wasSent({ ...recorded, spec: pending.spec }, 'StateStarted'))
  })

  it('is not sent for an UpgradeConfig that is gone, nor in a state that is only read', () => {
    assert.equal(decideNotification({ ...request, upgradeConfig: undefined }).is, 'nothing')
    for (const state of ['StatePending', 'StateScheduled', 'StateCancelled']) {
      const decision = decideNotification({ ...request, state })
      assert.ok(decision.is === 'failed' && decision.problem.includes('not yet implemented'))
    }
  })

  it('that is owed is on record until it is sent', () => {
    const owed = withPatch(pending, recordOwed(pending, 'StateDelayed'))
    assert.equal(owed.metadata.annotations?.[Annotation.owedNotifications], '4.4.6/StateDelayed')
    assert.equal(recordOwed(owed, 'StateDelayed'), undefined)
    assert.equal(recordOwed(withPatch(pending, recordSent(pending, 'StateDelayed')), 'StateDelayed'), undefined)
  })
})

function withPatch(upgradeConfig: UpgradeConfig, patch: PatchAction | undefined): UpgradeConfig {
  const { metadata } = (patch?.patch ?? {}) as { metadata?: { annotations?: Record<string, string> } }
  return {
    ...upgradeConfig,
    metadata: { ...upgradeConfig.metadata, annotations: { ...upgradeConfig.metadata.annotations, ...metadata?.annotations } },
  }
}

describe('the words', () => {
  const at = (type: string, message = 'm'): UpgradeConfig => {
    const base: HistoryEntry = { version: '4.4.6', phase: 'Upgrading' }
    const older = withCondition(base, { type: 'StartedNotificationSent', status: 'False', message: 'older' }, now)
    const entry = withCondition(older, { type: type as 'UpgradeCommenced', status: 'False', message }, now)
    return theUpgrade({ entry: withCondition(entry, { type: 'FailedUpgrade', status: 'False' }, now) })
  }
  const words = (state: NotificationState, upgradeConfig = theUpgrade({ entry: {} })) => describeState(state, { upgradeConfig })

  it('say retry when it is a delay, and do not when something was skipped', () => {
    for (const type of ['ClusterHealthyBeforeUpgrade', 'ExternalDependenciesAvailable', 'ComputeCapacityReserved', 'UpgradeCommenced']) {
      assert.match(words('StateDelayed', at(type)), /retry/)
    }
    assert.match(describeState('StateDelayed', { upgradeConfig: theUpgrade(), cause: 'node drain' }), /grace period.*7075425/)
    assert.doesNotMatch(words('StateSkipped') + words('StateScaleSkipped'), /retry/)
    assert.match(words('StateSkipped'), /continues without extra compute/)
  })

  it('name the version at the beginning and at the end', () => {
    assert.match(words('StateStarted'), /4\.4\.6/)
    assert.match(words('StateCompleted'), /4\.4\.6/)
  })

  it('F04 of a failure are the message of a cluster that is not upgradeable, to the letter', () => {
    assert.equal(words('StateFailed', at('IsClusterUpgradable', 'M')), 'M')
  })

  it('of a delay and of a failure go by the newest step that is not done', () => {
    for (const [type, delay, failure] of [
      ['ClusterHealthyBeforeUpgrade', /health alerts/, /health check/],
      ['ExternalDependenciesAvailable', /external dependency/, /external dependencies/],
      ['ComputeCapacityReserved', /extra worker/, /scaling up/],
      ['UpgradeCommenced', /pre-upgrade procedures/, /did not pass pre-upgrade verification/],
    ] satisfies [string, RegExp, RegExp][]) {
      assert.match(words('StateDelayed', at(type)), delay)
      assert.match(words('StateFailed', at(type)), failure)
      assert.match(words('StateFailed', at(type)), /next cycle.*rescheduled/)
    }
    assert.match(words('StateDelayed', theUpgrade()), /pre-upgrade procedures/)
    assert.match(words('StateFailed', theUpgrade()), /pre-upgrade verification/)
  })

  it('of a health check hold what it found', () => {
    for (const state of ['StateHealthCheckSL', 'StatePreHealthCheckSL'] as const) {
      assert.match(describeState(state, { upgradeConfig: theUpgrade(), result: 'TokenA,TokenB' }), /TokenA,TokenB/)
    }
  })

  it('of a health check are about the same occasion whatever it found, and not those of another version', () => {
    const found = (result: string, version = '4.4.6'): string =>
      describeState('StateHealthCheckSL', { upgradeConfig: theUpgrade({ version }), result })
    assert.ok(isSameOccasion(found('TokenA'), found('TokenA,TokenB')))
    assert.ok(!isSameOccasion(found('TokenA', '4.4.7'), found('TokenA')))
    assert.ok(!isSameOccasion(words('StateControlPlaneStartedSL'), words('StateControlPlaneFinishedSL')))
  })

  it('are there for every state', () => {
    for (const state of Object.keys(notificationStates) as NotificationState[]) assert.notEqual(words(state), '')
  })
})
