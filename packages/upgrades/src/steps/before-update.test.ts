import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aCondition, aPodDisruptionBudget, aReleaseDigest } from '@windlass/api/fixtures'
import { parseTime } from '@windlass/core'
import { isSeen, seen, unseen } from '../observed/seen.ts'
import { noSeries, setGauge, withChange } from '../metrics/index.ts'
import { aPass, at, gaugesAfter, healthyFacts, inShort, recordingHands, theCluster, theUpgrade, told } from '../testing/index.ts'
import { commence } from './commence.ts'
import { delayCheck } from './delay-check.ts'
import { externalDependencyCheck } from './external-dependency-check.ts'
import { preUpgradeHealthCheck } from './pre-upgrade-health-check.ts'
import { settle } from './run.ts'
import { scaleUp } from './scale-up.ts'
import { sendStartedNotification } from './started-notification.ts'
import type { Pass, Verdict } from './step.ts'
import { dateText, upgradeableCheck } from './upgradeable-check.ts'
import { runUpgrade, upgraderFor } from './index.ts'

const commenced = theCluster({ desiredUpdate: { version: '4.4.6' } })
const startedAgo = (minutes: number) => theUpgrade({ entry: { startTime: at(-minutes) } })
const messageOf = (verdict: Verdict): string => (verdict.is === 'failed' ? verdict.message : '')

describe('what comes before the update', () => {
  it('is done once the update has commenced, and nothing is looked at or sent', () => {
    for (const { decide } of upgraderFor('OSD').steps.slice(0, 5)) {
      assert.deepEqual(decide(aPass({ clusterVersion: commenced })), { is: 'done', effects: [] })
    }
  })

  it('fails when nobody knows whether it has', () => {
    const pass = aPass({ facts: { clusterVersion: unseen('no answer') } })
    for (const { decide } of upgraderFor('OSD').steps.slice(0, 5)) assert.equal(messageOf(decide(pass)), 'no answer')
  })
})

describe('step 1, the started notification', () => {
  it('P01 is sent when the update has not commenced; to send it once is the business of the record', () => {
    assert.deepEqual(told(sendStartedNotification.decide(aPass()).effects), ['StateStarted'])
  })
})

describe('step 2, the delay check', () => {
  it('P02 tells of a delay and is done', () => {
    const verdict = delayCheck.decide(aPass({ upgradeConfig: startedAgo(31) }))
    assert.deepEqual([verdict.is, told(verdict.effects)], ['done', ['StateDelayed']])
    assert.deepEqual(told(delayCheck.decide(aPass({ upgradeConfig: startedAgo(30) })).effects), [])
  })

  it('P03 tells nothing when it is switched off', () => {
    const verdict = delayCheck.decide(aPass({ upgradeConfig: startedAgo(300), config: { 'upgradeWindow.delayTrigger': 0 } }))
    assert.deepEqual(verdict, { is: 'done', effects: [] })
  })

  it('P04 flips the condition that it shares when it cannot tell', async () => {
    const hands = recordingHands(healthyFacts(), { fails: (effect) => effect.do === 'notify' && effect.state === 'StateDelayed' })
    const { entry } = await runUpgrade(upgraderFor('OSD'), aPass({ upgradeConfig: startedAgo(31) }), hands)
    assert.deepEqual(
      entry.conditions?.map(({ type, status }) => `${type} ${status}`),
      ['StartedNotificationSent False'],
    )
  })
})

describe('step 3, the upgradeable check', () => {
  const cancelled = (
    from: string,
    to: string,
    conditions = [aCondition('Upgradeable', 'False', 'AdminAckRequired', 'an API was removed')],
  ) =>
    upgradeableCheck.decide(
      aPass({
        upgradeConfig: theUpgrade({ version: to, spec: { upgradeAt: '2020-06-20T12:00:00Z' }, entry: {} }),
        clusterVersion: theCluster({ completed: [from], conditions }),
      }),
    )

  it('P05 fails a step to another minor with the reason and the message', () => {
    assert.equal(
      messageOf(cancelled('4.8.1', '4.9.0')),
      'cluster upgrade to version 4.9.0 on Sat Jun 20 12:00:00 UTC 2020 has been cancelled: AdminAckRequired: an API was removed',
    )
  })

  it('P06 passes patches, and clusters that do not say so', () => {
    assert.equal(cancelled('4.8.1', '4.8.9').is, 'done')
    assert.equal(cancelled('4.8.1', '4.9.0', []).is, 'done')
    assert.equal(
      upgradeableCheck.decide(aPass({ clusterVersion: theCluster({ conditions: [aCondition('Upgradeable', 'Unknown')] }) })).is,
      'done',
    )
  })

  it('P07 Δ10 knows that a new major is another minor', () => assert.equal(cancelled('4.20.3', '5.0.0').is, 'failed'))

  it('pads the day of its date with a blank', () => {
    assert.equal(dateText(parseTime('2020-07-05T01:35:36Z')), 'Sun Jul  5 01:35:36 UTC 2020')
  })

  it('needs versions on both sides', () => {
    assert.match(messageOf(cancelled('x', '4.9.0')), /"x"/)
    assert.match(messageOf(cancelled('4.8.1', '4.9')), /"4\.9"/)
  })
})

describe('step 4, the health check before the upgrade', () => {
  const gate = { 'featureGate.enabled': ['PreHealthCheck'] }
  const badBudget = aPodDisruptionBudget({ namespace: 'app', name: 'p', spec: { maxUnavailable: 0 } })

  it('H11 tells of a budget and goes on', () => {
    const facts = { ...healthyFacts(), budgets: seen([badBudget]) }
    const verdict = preUpgradeHealthCheck.decide(aPass({ facts, config: gate }))
    assert.equal(verdict.is, 'done')
    const [sent] = verdict.effects.filter((effect) => effect.do === 'notify')
    assert.deepEqual([sent?.state, sent?.result], ['StateHealthCheckSL', 'PDBHealthcheckFailed: [{"Name":"p","Namespace":"app"}]'])
  })

  it('H12 tells of an alert and waits', async () => {
    const facts = { ...healthyFacts(), alerts: seen(['Bad']), budgets: seen([badBudget]) }
    const verdict = preUpgradeHealthCheck.decide(aPass({ facts, config: gate }))
    assert.ok(verdict.is === 'not done')
    assert.equal(verdict.detail, 'CriticalAlertsHealthcheckFailed,PDBHealthcheckFailed: [{"Name":"p","Namespace":"app"}]')
    assert.deepEqual(told(verdict.effects), ['StateHealthCheckSL'])
    const { entry } = await runUpgrade(upgraderFor('ARO'), aPass({ config: gate }), recordingHands(facts))
    assert.match(entry.conditions?.[0]?.message ?? '', /still in progress: CriticalAlertsHealthcheckFailed/)
  })

  it('H13 fails with the alert when the gate is off, and tells nobody', () => {
    const verdict = preUpgradeHealthCheck.decide(aPass({ facts: { alerts: seen(['Bad']) } }))
    assert.equal(messageOf(verdict), 'critical alert(s) firing: Bad')
    assert.deepEqual(told(verdict.effects), [])
  })

  it('asks for nothing after the first failure when the gate is off, and for all else for the sake of the gauges', () => {
    const ask = (facts: Partial<Pass['facts']>) => preUpgradeHealthCheck.decide(aPass({ facts }))
    assert.deepEqual(ask({}), { is: 'look', at: ['alerts'], effects: [] })
    assert.deepEqual(ask({ alerts: seen([]) }), { is: 'look', at: ['clusterOperators'], effects: [] })
    const { alerts, clusterOperators } = healthyFacts()
    assert.deepEqual(ask({ alerts, clusterOperators }), { is: 'look', at: ['nodes', 'budgets', 'deploymentValidation'], effects: [] })
    const verdict = ask({ ...healthyFacts(), budgets: seen([badBudget]) })
    assert.deepEqual([verdict.is, told(verdict.effects)], ['done', []])
    const gauges = gaugesAfter(verdict.effects)
    const labels = 'upgradeconfig_name="managed-upgrade-config",state="Upgrading",version="4.4.5"'
    assert.equal(gauges[`healthcheck_failed{${labels},reason="cluster_invalid_pdb_configuration"}`], 1)
    assert.equal(gauges[`healthcheck_failed{${labels},reason="critical_alerts_firing"}`], 0)
  })

  it('H14 does not need the version of the cluster for anything but a label', () => {
    const pass = aPass({ facts: healthyFacts(theCluster({ completed: [] })) })
    const verdict = preUpgradeHealthCheck.decide(pass)
    assert.equal(verdict.is, 'done')
    assert.ok(Object.keys(gaugesAfter(verdict.effects)).every((name) => name.includes('version="unknown"')))
  })

  it('Δ15 runs for ARO with the gate as well', () => {
    const step = upgraderFor('ARO').steps.find(({ type }) => type === 'ClusterHealthyBeforeUpgrade')
    assert.equal(step?.decide(aPass({ facts: healthyFacts(), config: gate })).is, 'done')
  })

  it('looks for capacity only where some is to be reserved', () => {
    const upgradeConfig = theUpgrade({ spec: { capacityReservation: true }, entry: {} })
    const facts = { ...healthyFacts(), machineSets: seen([]) }
    const reserved = preUpgradeHealthCheck.decide(aPass({ upgradeConfig, facts, config: gate }))
    const [sent] = reserved.effects.filter((effect) => effect.do === 'notify')
    assert.equal(sent?.result, 'CapacityReservationHealthcheckFailed')
    assert.deepEqual(told(preUpgradeHealthCheck.decide(aPass({ facts, config: gate })).effects), [])
  })
})

describe('step 5, the external dependencies', () => {
  const urls = { 'extDependencyAvailabilityChecks.http.urls': ['https://example.com'] }

  it('is done when there are none', () => assert.equal(externalDependencyCheck.decide(aPass()).is, 'done'))

  it('fails when one does not answer', () => {
    assert.deepEqual(externalDependencyCheck.decide(aPass({ config: urls })), { is: 'look', at: ['dependencies'], effects: [] })
    const verdict = externalDependencyCheck.decide(aPass({ config: urls, facts: { dependencies: unseen('https://example.com: 503') } }))
    assert.equal(messageOf(verdict), 'https://example.com: 503')
    assert.equal(externalDependencyCheck.decide(aPass({ config: urls, facts: { dependencies: seen(true) } })).is, 'done')
  })
})

describe('step 6, scaling up', () => {
  const reserving = theUpgrade({ spec: { capacityReservation: true }, entry: {} })

  it('P08 does not care for its configuration when nothing is to be reserved', () => {
    assert.equal(scaleUp.decide(aPass({ config: { 'scale.timeOut': 0 } })).is, 'done')
    assert.match(messageOf(scaleUp.decide(aPass({ upgradeConfig: reserving, config: { 'scale.timeOut': 0 } }))), /scale timeOut/)
  })

  it('P09 tells that there is nothing to scale and is done, though nobody may hear of it', async () => {
    const pass = aPass({ upgradeConfig: reserving, facts: { machineSets: seen([]) } })
    assert.deepEqual(told(scaleUp.decide(pass).effects), ['StateScaleSkipped'])
    const deaf = recordingHands({}, { fails: (effect) => effect.do === 'notify' })
    const { outcome } = await settle(pass, scaleUp.name, scaleUp.decide, deaf)
    assert.equal(outcome.is, 'done')
  })

  it('Δ19 fails when the machine sets cannot be listed', () => {
    assert.equal(messageOf(scaleUp.decide(aPass({ upgradeConfig: reserving, facts: { machineSets: unseen('no answer') } }))), 'no answer')
  })
})

describe('step 8, commencing', () => {
  const patches = (verdict: Verdict) =>
    verdict.effects.flatMap((effect) => (effect.do === 'act' && effect.action.do === 'patch' ? [effect.action.patch] : []))

  it('P10 Δ44 sets the channel once, waits for the version, and announces right before it asks for it', async () => {
    const other = theCluster({ channel: 'stable-4.4', available: [] })
    const waiting = theCluster({ available: null })
    const first = commence.decide(aPass({ clusterVersion: other }))
    assert.deepEqual([first.is, patches(first)], ['look', [{ spec: { channel: 'fast-4.4' } }]])
    const hands = recordingHands({ clusterVersion: seen(waiting) })
    const { outcome, pass } = await settle(aPass({ clusterVersion: other }), commence.name, commence.decide, hands)
    assert.equal(outcome.is, 'not done')
    assert.deepEqual(inShort(hands.done), ['patch ClusterVersion'])
    assert.ok(isSeen(pass.facts.clusterVersion) && pass.facts.clusterVersion.value.spec.channel === 'fast-4.4')
    const second = commence.decide(pass)
    assert.deepEqual([second.is, patches(second), told(second.effects)], ['not done', [], []])
    const third = commence.decide(aPass())
    assert.equal(third.is, 'done')
    assert.deepEqual(inShort(third.effects), ['notify StateControlPlaneStartedSL', 'patch ClusterVersion'])
    assert.deepEqual(patches(third), [{ spec: { desiredUpdate: { version: '4.4.6', image: null } } }])
  })

  it('leaves no finding of the check before the update behind, and those of the check after it alone', () => {
    const finding = (version: string) =>
      setGauge(
        'upgradeoperator_healthcheck_failed',
        { upgradeconfig_name: 'managed-upgrade-config', state: 'Upgrading', version, reason: 'cluster_invalid_pdb_configuration' },
        1,
      )
    const failing = (version: string) => withChange(noSeries, finding(version))
    const values = (verdict: Verdict, version: string) =>
      Object.entries(gaugesAfter(verdict.effects, failing(version))).flatMap(([name, value]) =>
        name.startsWith('healthcheck') ? [value] : [],
      )
    assert.deepEqual(values(commence.decide(aPass()), '4.4.5'), [0])
    assert.deepEqual(values(commence.decide(aPass({ clusterVersion: commenced })), '4.4.5'), [0])
    const arrived = theCluster({ completed: ['4.4.6', '4.4.5'], desiredUpdate: { version: '4.4.6' } })
    assert.deepEqual(values(commence.decide(aPass({ clusterVersion: arrived })), '4.4.6'), [1])
  })

  it('P11 takes the image of an update that carries risks, also when it is offered without', () => {
    const verdict = commence.decide(aPass({ clusterVersion: theCluster({ conditional: ['4.4.6'] }) }))
    assert.deepEqual(patches(verdict), [
      { spec: { desiredUpdate: { version: '4.4.6', image: 'example.com/ocp/release:4.4.6-x86_64-conditional' } } },
    ])
  })

  it('P12 asks for an image without a version', () => {
    const image = aReleaseDigest('4.4.6')
    const verdict = commence.decide(aPass({ upgradeConfig: theUpgrade({ spec: { desired: { image } }, entry: {} }) }))
    assert.deepEqual(patches(verdict), [{ spec: { desiredUpdate: { image, version: null } } }])
  })

  it('announces before it asks, and does not ask when nobody could be told', async () => {
    const deaf = recordingHands(healthyFacts(), { fails: (effect) => effect.do === 'notify' })
    const { outcome } = await settle(aPass(), commence.name, commence.decide, deaf)
    assert.equal(outcome.is, 'failed')
    assert.deepEqual(inShort(deaf.done), [])
  })

  it('is done when it has been asked, and says that the window was kept', () => {
    const verdict = commence.decide(aPass({ clusterVersion: commenced }))
    assert.deepEqual([verdict.is, inShort(verdict.effects)], ['done', []])
    const before = withChange(noSeries, {
      do: 'set',
      sample: { name: 'upgradeoperator_upgrade_window_breached', labels: { upgradeconfig_name: 'managed-upgrade-config' }, value: 1 },
    })
    assert.deepEqual(gaugesAfter(verdict.effects, before), { 'upgrade_window_breached{upgradeconfig_name="managed-upgrade-config"}': 0 })
  })

  it('never forces anything, and never touches overrides', () => {
    const clusters = [theCluster(), theCluster({ conditional: ['4.4.6'] }), theCluster({ channel: 'stable-4.4' })]
    const written = JSON.stringify(clusters.flatMap((clusterVersion) => patches(commence.decide(aPass({ clusterVersion })))))
    assert.doesNotMatch(written, /force|overrides/)
  })
})
