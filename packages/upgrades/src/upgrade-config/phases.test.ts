import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ClusterVersion, UpgradeConfig } from '@windlass/api'
import { aReleaseDigest } from '@windlass/api/fixtures'
import type { OperatorConfig } from '../config/index.ts'
import { noSeries, type Series, setGauge, withChange } from '../metrics/index.ts'
import type { Facts } from '../observed/facts.ts'
import { seen, unseen } from '../observed/seen.ts'
import { at, configured, gaugesAfter, healthyFacts, now, shown, theCluster, theUpgrade, told } from '../testing/index.ts'
import { decidePhase, forgetUpgrade, openEntry, type PhaseDecision } from './index.ts'

const gate = { 'featureGate.enabled': ['PreHealthCheck'] }
const failedGauge = 'upgradeconfig_validation_failed{upgradeconfig_name="managed-upgrade-config"}'

interface Options {
  readonly cluster?: ClusterVersion
  readonly facts?: Partial<Facts>
  readonly config?: Partial<OperatorConfig>
  readonly series?: Series
}

function answerOf(upgradeConfig: UpgradeConfig, { cluster = theCluster(), facts, config, series }: Options = {}) {
  const history = openEntry(upgradeConfig, cluster, now)
  const entry = history.find(({ version }) => version === (upgradeConfig.spec.desired.version ?? ''))
  assert.ok(entry !== undefined)
  const known = { clusterVersion: seen(cluster), ...facts }
  return decidePhase({ upgradeConfig, history, entry, config: configured(config ?? {}), facts: known, series: series ?? new Map(), now })
}

function decision(upgradeConfig: UpgradeConfig, options: Options = {}): PhaseDecision {
  const answer = answerOf(upgradeConfig, options)
  assert.ok(answer.is === 'decided', `it wants to look at ${answer.is === 'look' ? answer.at.join() : ''}`)
  return answer
}

const phaseAfter = ({ history }: PhaseDecision) => history[0]?.phase
const pending = (spec: Partial<UpgradeConfig['spec']> = {}) => theUpgrade({ spec, entry: { phase: 'Pending' } })
const unchanged = { refresh: { is: 'unchanged' } } as const

describe('phase New', () => {
  it('R04 goes to Pending in one pass, and looks again after a minute', () => {
    const result = decision(theUpgrade())
    assert.deepEqual([phaseAfter(result), result.requeueAfter, result.runsUpgrader], ['Pending', 60_000, false])
  })

  it('R06 looks at the health of a cluster that has time left', () => {
    const upgrade = theUpgrade({ spec: { upgradeAt: at(180) } })
    const asked = answerOf(upgrade, { config: gate })
    assert.ok(asked.is === 'look' && asked.at.includes('alerts'))
    const result = decision(upgrade, { config: gate, facts: { ...healthyFacts(), alerts: seen(['Bad']) } })
    assert.deepEqual(told(result.effects), ['StatePreHealthCheckSL'])
    assert.deepEqual([phaseAfter(result), result.requeueAfter], ['Pending', 60_000])
  })

  it('R07 is not held up by what that finds, nor by what it does about it', () => {
    const facts = { ...healthyFacts(), clusterVersion: unseen('no answer'), alerts: unseen('no answer') }
    const result = decision(theUpgrade({ spec: { upgradeAt: at(180) } }), { config: gate, facts })
    assert.equal(result.problem, undefined)
    assert.match(result.note ?? '', /no answer/)
    assert.equal(phaseAfter(result), 'Pending')
    assert.ok(result.effects.every(({ onFailure }) => onFailure === 'go on'))
  })

  it('R08 does not look when the gate is off or the upgrade is near', () => {
    assert.deepEqual(decision(theUpgrade({ spec: { upgradeAt: at(180) } })).effects, [])
    assert.deepEqual(decision(theUpgrade({ spec: { upgradeAt: at(30) } }), { config: gate }).effects, [])
  })

  it('Δ03 counts two hours exactly', () => {
    assert.equal(answerOf(theUpgrade({ spec: { upgradeAt: at(120) } }), { config: gate }).is, 'decided')
    assert.equal(answerOf(theUpgrade({ spec: { upgradeAt: '2030-01-01T14:00:01Z' } }), { config: gate }).is, 'look')
  })
})

describe('phase Pending', () => {
  it('R09 looks again at the moment itself when it is near', () => {
    const result = decision(pending({ upgradeAt: at(3) }))
    assert.deepEqual([result.requeueAfter, phaseAfter(result), result.runsUpgrader], [180_000, 'Pending', false])
  })

  it('R10 leaves it to the resync when it is not', () => {
    for (const minutes of [5, 720]) {
      const result = decision(pending({ upgradeAt: at(minutes) }))
      assert.equal(result.requeueAfter, undefined)
      assert.deepEqual(gaugesAfter(result.effects), { [failedGauge]: 0 })
    }
  })

  it('R11 begins at once when its time is long past, though nobody provides upgrades', () => {
    const result = decision(pending({ upgradeAt: '2029-01-01T00:00:00Z' }), { facts: { refresh: { is: 'not configured' } } })
    assert.deepEqual([phaseAfter(result), result.history[0]?.startTime, result.runsUpgrader], ['Upgrading', at(0), true])
  })

  it('R12 asks the provider once more, then begins and runs the steps in the same pass', () => {
    assert.deepEqual(answerOf(pending()), { is: 'look', at: ['refresh'], effects: [] })
    const result = decision(pending(), { facts: unchanged })
    assert.deepEqual([phaseAfter(result), result.runsUpgrader, result.requeueAfter], ['Upgrading', true, 60_000])
  })

  it('R12 forgets with the start what a check long before it found', () => {
    const labels = { upgradeconfig_name: 'managed-upgrade-config', version: '4.4.5', reason: 'cluster_invalid_pdb_configuration' }
    const found = withChange(noSeries, setGauge('upgradeoperator_healthcheck_failed', { ...labels, state: 'New' }, 1))
    const shown = gaugesAfter(decision(pending(), { facts: unchanged }).effects, found)
    assert.equal(Object.entries(shown).find(([name]) => name.startsWith('healthcheck_failed'))?.[1], 0)
  })

  it('R13 stays when the provider does not answer, with an error', () => {
    const result = decision(pending(), { facts: { refresh: { is: 'failed', problem: 'unable to retrieve upgrade spec' } } })
    assert.deepEqual([phaseAfter(result), result.problem, result.runsUpgrader], ['Pending', 'unable to retrieve upgrade spec', false])
  })

  it('R14 Δ07 leaves an UpgradeConfig alone that was replaced or removed, and starts over with one that was changed', () => {
    for (const uid of ['another', undefined]) {
      const upgrade = pending()
      const result = decision(upgrade, { facts: { refresh: { is: 'changed', uid } } })
      assert.equal(result.history, upgrade.status?.history)
      assert.deepEqual([result.problem, result.runsUpgrader], [undefined, false])
    }
    const uid = pending().metadata.uid
    assert.equal(phaseAfter(decision(pending(), { facts: { refresh: { is: 'changed', uid } } })), 'New')
  })

  it('V03 R19 says that validation failed; with an error it is tried again, without it waits', () => {
    const error = decision(pending({ upgradeAt: 'soon' }))
    assert.deepEqual(gaugesAfter(error.effects), { [failedGauge]: 1 })
    assert.match(error.problem ?? '', /upgradeAt/)
    const invalid = decision(pending({ desired: { version: '4.4.6' } }))
    assert.deepEqual(gaugesAfter(invalid.effects), { [failedGauge]: 1 })
    assert.deepEqual([invalid.problem, phaseAfter(invalid), invalid.requeueAfter], [undefined, 'Pending', undefined])
    assert.match(invalid.waitingFor ?? '', /channel is missing/)
  })

  it('R21 is valid but does not begin while the cluster goes elsewhere', () => {
    const cluster = theCluster({ partial: { version: '4.4.5', since: at(-5) }, completed: ['4.4.4'] })
    const result = decision(pending(), { cluster, facts: unchanged })
    assert.deepEqual([result.runsUpgrader, phaseAfter(result)], [false, 'Pending'])
    assert.deepEqual(gaugesAfter(result.effects), { [failedGauge]: 0 })
  })

  it('V11 Δ08 goes on under the version of the image, in one entry', () => {
    const upgrade: UpgradeConfig = {
      ...theUpgrade({ spec: { desired: { image: aReleaseDigest('4.7.13') } } }),
      status: { history: [{ version: '', phase: 'Pending', conditions: [] }] },
    }
    const result = decision(upgrade, { facts: { imageVersion: seen('4.7.13'), ...unchanged } })
    assert.deepEqual(
      result.history.map(({ version, phase }) => `${version} ${phase}`),
      ['4.7.13 Upgrading'],
    )
    assert.equal(result.effects.filter((effect) => effect.do === 'act').length, 1)
  })
})

describe('the other phases', () => {
  it('R05 Upgrading runs the steps and looks again after a minute', () => {
    const result = decision(theUpgrade(), { cluster: theCluster({ desiredUpdate: { version: '4.4.6' } }) })
    assert.deepEqual([phaseAfter(result), result.history[0]?.startTime], ['Upgrading', at(0)])
    assert.deepEqual([result.runsUpgrader, result.requeueAfter], [true, 60_000])
  })

  it('R16 Δ40 Upgraded says once how it went', () => {
    const upgrade = theUpgrade({ entry: { phase: 'Upgraded', startTime: at(-90), completeTime: at(-1) } })
    assert.deepEqual(answerOf(upgrade), { is: 'look', at: ['pagingAlerts'], effects: [] })
    const facts = { pagingAlerts: seen([]) }
    const { effects } = decision(upgrade, { facts })
    const series = effects.reduce((all: Series, effect) => (effect.do === 'gauge' ? withChange(all, effect.change) : all), new Map())
    assert.equal(Object.keys(shown(series)).length, 1)
    assert.deepEqual(decision(upgrade, { facts, series }).effects, [])
  })

  it('Δ12 Upgraded without its times says nothing', () => {
    assert.deepEqual(decision(theUpgrade({ entry: { phase: 'Upgraded' } })).effects, [])
  })

  it('R17 Failed does nothing at all', () => {
    const upgrade = theUpgrade({ entry: { phase: 'Failed' } })
    const { history, ...rest } = decision(upgrade)
    assert.equal(history, upgrade.status?.history)
    assert.deepEqual(rest, { is: 'decided', effects: [], runsUpgrader: false })
  })

  it('Δ02 that nobody knows do nothing but say so', () => {
    const upgrade = theUpgrade({ entry: { phase: 'Unknown' } })
    const result = decision(upgrade)
    assert.match(result.waitingFor ?? '', /unknown status Unknown/)
    assert.equal(result.history, upgrade.status?.history)
    assert.match(decision(theUpgrade({ entry: { phase: 'Dreaming' as never } })).waitingFor ?? '', /unknown status Dreaming/)
  })
})

describe('an UpgradeConfig that is gone', () => {
  it('R03 is said nothing about any more, but how upgrades went', () => {
    const { effects } = decision(pending(), { facts: unchanged })
    const upgraded = theUpgrade({ entry: { phase: 'Upgraded', startTime: at(-90), completeTime: at(-1) } })
    const result = decision(upgraded, { facts: { pagingAlerts: seen(['UpgradeNodeDrainFailedSRE']) } }).effects
    const names = Object.keys(gaugesAfter([...effects, ...result, ...forgetUpgrade()]))
    assert.equal(names.length, 1)
    assert.match(names[0] ?? '', /^upgrade_result/)
  })
})
