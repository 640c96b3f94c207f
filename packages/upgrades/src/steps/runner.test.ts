import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aMachineSet } from '@windlass/api/fixtures'
import type { StepCondition } from '../upgrade-config/conditions.ts'
import { type Effect, notify } from '../effects/index.ts'
import { seen } from '../observed/seen.ts'
import { MachineLabel } from '../scaling/index.ts'
import { aPass, at, aWorkerSet, healthyFacts, inShort, minute, now, recordingHands, theCluster, theUpgrade } from '../testing/index.ts'
import { runUpgrade, upgraderFor, type Pass, type Upgrader, type Verdict } from './index.ts'
import { failed, notDone, stepDone } from './step.ts'

const types = ['StartedNotificationSent', 'IsClusterUpgradable', 'UpgradeCommenced'] as const

function upgraderOf(...verdicts: readonly Verdict[]): Upgrader {
  const steps = verdicts.map((verdict, index) => ({
    type: types[index] ?? 'StartedNotificationSent',
    name: 'a step',
    decide: () => verdict,
  }))
  return { type: 'OSD', steps, hasFailurePolicy: false }
}

const run = (upgrader: Upgrader, pass: Pass = aPass()) => runUpgrade(upgrader, pass, recordingHands(healthyFacts()))
const conditionOf = (entry: Pass['entry'], type: StepCondition) => entry.conditions?.find((condition) => condition.type === type)

describe('the step runner', () => {
  it('S01 R15 goes through all steps, and the upgrade is done', async () => {
    const { entry, problem } = await run(upgraderOf(stepDone(), stepDone(), stepDone()))
    assert.deepEqual([entry.phase, entry.completeTime, problem], ['Upgraded', at(0), undefined])
    assert.deepEqual(
      entry.conditions?.map(({ type, status }) => `${type} ${status}`),
      types.toReversed().map((type) => `${type} True`),
    )
    assert.deepEqual(conditionOf(entry, 'IsClusterUpgradable'), {
      type: 'IsClusterUpgradable',
      status: 'True',
      reason: 'IsClusterUpgradable done',
      message: 'IsClusterUpgradable is completed',
      startTime: at(0),
      completeTime: at(0),
      lastProbeTime: at(0),
      lastTransitionTime: at(0),
    })
  })

  it('S02 Δ14 stops at a step that is not done, and says what it waits for', async () => {
    const { entry, problem } = await run(upgraderOf(stepDone(), { is: 'not done', effects: [] }, stepDone()))
    assert.deepEqual([entry.phase, problem], ['Upgrading', undefined])
    assert.equal(conditionOf(entry, 'UpgradeCommenced'), undefined)
    assert.equal(conditionOf(entry, 'IsClusterUpgradable')?.message, 'IsClusterUpgradable still in progress')
    const detailed = await run(upgraderOf(stepDone(), notDone('waiting for a node')))
    assert.equal(conditionOf(detailed.entry, 'IsClusterUpgradable')?.message, 'IsClusterUpgradable still in progress: waiting for a node')
  })

  it('S03 stops at a step that failed, and passes its error on', async () => {
    const { entry, problem } = await run(upgraderOf(stepDone(), failed('boom'), stepDone()))
    assert.equal(problem, 'boom')
    const condition = conditionOf(entry, 'IsClusterUpgradable')
    assert.deepEqual([condition?.status, condition?.message, condition?.completeTime], ['False', 'boom', undefined])
    assert.equal(entry.phase, 'Upgrading')
  })

  it('S04 Δ14 takes back that a step was done, and keeps when it began', async () => {
    const first = await run(upgraderOf(stepDone(), stepDone(), stepDone()))
    const again = { ...aPass({ entry: first.entry }), now: now + minute }
    const { entry } = await run(upgraderOf({ is: 'not done', effects: [] }), again)
    const condition = conditionOf(entry, 'StartedNotificationSent')
    assert.equal(condition?.completeTime, undefined)
    assert.deepEqual([condition?.startTime, condition?.reason], [at(0), 'StartedNotificationSent not done'])
    assert.equal(condition?.lastTransitionTime, at(1))
    assert.equal(conditionOf(entry, 'UpgradeCommenced')?.status, 'True')
  })

  it('S05 leaves the times of what is done alone', async () => {
    const first = await run(upgraderOf(stepDone(), stepDone(), stepDone()))
    const { entry } = await run(upgraderOf(stepDone(), stepDone(), stepDone()), {
      ...aPass({ entry: first.entry }),
      now: now + 100 * minute,
    })
    for (const condition of entry.conditions ?? []) {
      assert.deepEqual([condition.startTime, condition.completeTime, condition.lastProbeTime], [at(0), at(0), at(100)])
    }
  })

  it('S06 has seventeen steps for OSD and fourteen for ARO, in order', () => {
    const osd = upgraderFor('OSD').steps.map(({ type }) => type)
    assert.deepEqual(osd, [
      'StartedNotificationSent',
      'StartedNotificationSent',
      'IsClusterUpgradable',
      'ClusterHealthyBeforeUpgrade',
      'ExternalDependenciesAvailable',
      'ComputeCapacityReserved',
      'ControlPlaneMaintenanceWindowCreated',
      'UpgradeCommenced',
      'ControlPlaneUpgraded',
      'ControlPlaneMaintenanceWindowRemoved',
      'WorkersMaintenanceWindowCreated',
      'WorkerNodesUpgraded',
      'ComputeCapacityRemoved',
      'WorkersMaintenanceWindowRemoved',
      'ClusterHealthyAfterUpgrade',
      'PostUpgradeTasksCompleted',
      'CompletedNotificationSent',
    ])
    const aro = upgraderFor('ARO').steps.map(({ type }) => type)
    assert.equal(aro.length, 14)
    assert.deepEqual(aro, [osd[0], ...osd.slice(3, 15), osd[16]])
    assert.equal(upgraderFor('other'), upgraderFor('OSD'))
  })

  it('carries out effects in order, and an effect that fails fails its step', async () => {
    const hands = recordingHands({}, { fails: (effect) => effect.do === 'notify' && effect.state === 'StateDelayed' })
    const step = stepDone(notify('StateStarted'), notify('StateDelayed'), notify('StateCompleted'))
    const { entry, problem } = await runUpgrade(upgraderOf(step), aPass(), hands)
    assert.deepEqual([problem, hands.done.length], ['boom', 1])
    assert.equal(conditionOf(entry, 'StartedNotificationSent')?.status, 'False')
  })

  it('goes on after an effect that does not matter, and after all others when one is to be reported', async () => {
    const hands = recordingHands({}, { fails: (effect) => effect.onFailure !== 'stop' })
    const lenient = await runUpgrade(upgraderOf(stepDone(notify('StateStarted', { onFailure: 'go on' }))), aPass(), hands)
    assert.equal(lenient.problem, undefined)
    assert.deepEqual(hands.logged, ['boom'])
    const report = notify('StateStarted', { onFailure: 'report' })
    const strict = await runUpgrade(upgraderOf(stepDone(report, notify('StateDelayed'), report)), aPass(), hands)
    assert.equal(strict.problem, 'boom; boom')
    assert.equal(hands.done.length, 1)
  })

  it('ends a step that keeps asking', async () => {
    const upgrader = upgraderOf({ is: 'look', at: ['alerts'], effects: [] })
    await assert.rejects(run(upgrader), /has looked 12 times/)
  })

  it('Δ12 takes an upgrade that does not say when it began for one that began now', async () => {
    const { startTime: _, ...unstarted } = aPass().entry
    const { entry } = await run(upgraderOf(notDone('something')), { ...aPass(), entry: unstarted })
    assert.equal(entry.startTime, at(0))
  })

  it('writes times without fractions', async () => {
    const { entry } = await run(upgraderOf(stepDone()), { ...aPass(), now: now + 999 })
    assert.equal(entry.conditions?.[0]?.startTime, '2030-01-01T12:00:00Z')
  })
})

describe('the failure policy', () => {
  const late = (minutes: number, options: Parameters<typeof theUpgrade>[0] = {}) =>
    theUpgrade({ ...options, entry: { startTime: at(-minutes), ...options?.entry } })

  it('F01 Δ11 ends an upgrade that has not commenced in its window', async () => {
    const hands = recordingHands(healthyFacts())
    const { entry, problem } = await runUpgrade(upgraderFor('OSD'), aPass({ upgradeConfig: late(121) }), hands)
    assert.deepEqual([entry.phase, problem], ['Failed', undefined])
    const [condition] = entry.conditions ?? []
    assert.deepEqual(
      [condition?.type, condition?.status, condition?.reason, condition?.message],
      ['FailedUpgrade', 'True', 'Upgrade failed', 'FailedUpgrade notification sent'],
    )
    assert.deepEqual(
      hands.done.map((effect) => (effect.do === 'notify' ? effect.state : effect.do)),
      ['StateFailed', 'gauge', 'gauge'],
    )
    assert.equal(hands.series().size, 1)
  })

  it('F02 leaves one alone that has commenced, that has no window, or that is of ARO', async () => {
    const commenced = theCluster({ desiredUpdate: { version: '4.4.6' } })
    for (const [type, pass] of [
      ['OSD', aPass({ upgradeConfig: late(600), clusterVersion: commenced })],
      ['OSD', aPass({ upgradeConfig: late(600), config: { 'upgradeWindow.timeOut': 0 } })],
      ['ARO', aPass({ upgradeConfig: late(600) })],
      ['OSD', aPass({ upgradeConfig: late(600), facts: { clusterVersion: { problem: 'no answer' } } })],
      ['OSD', aPass({ upgradeConfig: late(119) })],
    ] satisfies [string, Pass][]) {
      const { entry } = await runUpgrade(upgraderFor(type), pass, recordingHands(healthyFacts()))
      assert.equal(entry.phase, 'Upgrading')
      assert.ok((entry.conditions?.length ?? 0) > 0)
    }
  })

  it('F02 Δ43 leaves one alone whose update runs though nobody asks for it any more', async () => {
    const running = theCluster({ partial: { version: '4.4.6', since: at(-10) } })
    const pass = aPass({ upgradeConfig: late(600), clusterVersion: running })
    const { entry } = await runUpgrade(upgraderFor('OSD'), pass, recordingHands(healthyFacts(running)))
    assert.equal(entry.phase, 'Upgrading')
  })

  it('F01 F03 removes the extra machine sets that there are, and is tried again when one cannot be deleted', async () => {
    const extra = aMachineSet({ name: 'workers-a-upgrade', metadata: { labels: { [MachineLabel.upgrade]: 'true' } } })
    const facts = { ...healthyFacts(), machineSets: seen([aWorkerSet('workers-a'), extra]) }
    const isDelete = (effect: Effect) => effect.do === 'act' && effect.action.do === 'delete'
    const refused = recordingHands(facts, { fails: isDelete, message: 'forbidden' })
    const first = await runUpgrade(upgraderFor('OSD'), aPass({ upgradeConfig: late(121) }), refused)
    assert.deepEqual([first.entry.phase, first.problem, refused.done], ['Upgrading', 'forbidden', []])
    const [condition] = first.entry.conditions ?? []
    assert.deepEqual([condition?.type, condition?.status, condition?.reason], ['FailedUpgrade', 'False', 'Upgrade failed'])
    const hands = recordingHands(facts)
    const again = await runUpgrade(upgraderFor('OSD'), aPass({ upgradeConfig: late(121), entry: first.entry }), hands)
    assert.deepEqual([again.entry.phase, again.problem], ['Failed', undefined])
    assert.deepEqual(inShort(hands.done), ['delete MachineSet', 'notify StateFailed'])
    const [deletion] = hands.done
    assert.ok(deletion?.do === 'act' && deletion.action.do === 'delete')
    assert.equal(deletion.action.object.metadata.name, 'workers-a-upgrade')
  })

  it('F03 is tried again when nobody can say which machine sets there are', async () => {
    const facts = { ...healthyFacts(), machineSets: { problem: 'forbidden' } }
    const { entry, problem } = await runUpgrade(upgraderFor('OSD'), aPass({ upgradeConfig: late(121) }), recordingHands(facts))
    assert.deepEqual([entry.phase, problem], ['Upgrading', 'forbidden'])
    const [condition] = entry.conditions ?? []
    assert.deepEqual([condition?.type, condition?.status, condition?.reason], ['FailedUpgrade', 'False', 'Upgrade failed'])
    const again = await runUpgrade(upgraderFor('OSD'), aPass({ upgradeConfig: late(121), entry }), recordingHands(healthyFacts()))
    assert.equal(again.entry.phase, 'Failed')
    assert.equal(again.entry.conditions?.[0]?.status, 'True')
  })

  it('F01 Δ11 ends the silences as well as it goes', async () => {
    const silence = {
      id: 'a',
      createdBy: 'managed-upgrade-operator',
      comment: 'Silence for OSD control plane upgrade to version 4.4.6',
      matchers: [],
      startsAt: at(-100),
      endsAt: at(10),
      updatedAt: at(-100),
      status: { state: 'active' as const },
    }
    const facts = { ...healthyFacts(), silences: seen([silence]) }
    const hands = recordingHands(facts, { fails: (effect) => effect.do === 'end silence' })
    const { entry } = await runUpgrade(upgraderFor('OSD'), aPass({ upgradeConfig: late(121) }), hands)
    assert.deepEqual([entry.phase, hands.logged.length], ['Failed', 1])
  })
})
