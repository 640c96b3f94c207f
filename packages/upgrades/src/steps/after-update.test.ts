import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { KubernetesObject } from '@windlass/api'
import { aMachine, aMachineSet, aPod } from '@windlass/api/fixtures'
import { seen, unseen } from '../observed/seen.ts'
import { noSeries, withChange } from '../metrics/index.ts'
import { MachineLabel } from '../scaling/index.ts'
import {
  aCordonedNode,
  aPass,
  at,
  gaugesAfter,
  healthyFacts,
  inShort,
  minute,
  theCluster,
  thePool,
  theUpgrade,
  told,
} from '../testing/index.ts'
import type { Silence } from '../windows/index.ts'
import { controlPlaneUpgraded } from './control-plane-upgraded.ts'
import { fedrampTasks } from './fedramp-tasks.ts'
import { postUpgradeHealthCheck } from './post-upgrade-health-check.ts'
import { scaleDown } from './scale-down.ts'
import { scaleUp } from './scale-up.ts'
import type { Verdict } from './step.ts'
import { createWorkerWindow } from './worker-window.ts'
import { workersUpgraded } from './workers-upgraded.ts'

const labels = '{upgradeconfig_name="managed-upgrade-config",version="4.4.6"}'
const messageOf = (verdict: Verdict): string => (verdict.is === 'failed' ? verdict.message : '')

function silenceOf(
  comment: string,
  state: Silence['status']['state'],
  times: { startsAt: string; endsAt: string; updatedAt: string },
): Silence {
  return { id: 'a', createdBy: 'managed-upgrade-operator', comment, matchers: [], ...times, status: { state } }
}

describe('step 9, the control plane', () => {
  it('P13 is late after its time, and waited for all the same', () => {
    const late = controlPlaneUpgraded.decide(aPass({ clusterVersion: theCluster({ partial: { version: '4.4.6', since: at(-91) } }) }))
    assert.equal(late.is, 'not done')
    assert.deepEqual(gaugesAfter(late.effects), { [`controlplane_timeout${labels}`]: 1 })
    const inTime = controlPlaneUpgraded.decide(aPass({ clusterVersion: theCluster({ partial: { version: '4.4.6', since: at(-90) } }) }))
    assert.deepEqual([inTime.is, inTime.effects], ['not done', []])
  })

  it('P13 counts from the schedule while the version operator has not begun', () => {
    const verdict = controlPlaneUpgraded.decide(aPass({ upgradeConfig: theUpgrade({ spec: { upgradeAt: at(-91) }, entry: {} }) }))
    assert.deepEqual(gaugesAfter(verdict.effects), { [`controlplane_timeout${labels}`]: 1 })
    assert.equal(controlPlaneUpgraded.decide(aPass({ upgradeConfig: theUpgrade({ spec: { upgradeAt: '' }, entry: {} }) })).is, 'failed')
  })

  it('P14 tells that it has finished', () => {
    const verdict = controlPlaneUpgraded.decide(aPass({ clusterVersion: theCluster({ completed: ['4.4.6', '4.4.5'] }) }))
    assert.deepEqual([verdict.is, told(verdict.effects)], ['done', ['StateControlPlaneFinishedSL']])
    assert.deepEqual(gaugesAfter(verdict.effects), { [`controlplane_timeout${labels}`]: 0 })
  })

  it('Δ22 goes by the newest run to the version, not by one of long ago', () => {
    const again = theCluster({ partial: { version: '4.4.6', since: at(-5) }, completed: ['4.4.5', '4.4.6'] })
    assert.equal(controlPlaneUpgraded.decide(aPass({ clusterVersion: again })).is, 'not done')
  })

  it('Δ22 does not take a run that was rolled back for one that the version operator has yet to begin', () => {
    const rolledBack = theCluster({ completed: ['4.4.5', '4.4.6', '4.4.4'], desiredUpdate: { version: '4.4.6' } })
    const verdict = controlPlaneUpgraded.decide(aPass({ clusterVersion: rolledBack }))
    assert.deepEqual([verdict.is, verdict.effects], ['not done', []])
    const longAgo = aPass({ clusterVersion: rolledBack, entry: { startTime: at(-30_000) } })
    assert.equal(controlPlaneUpgraded.decide(longAgo).is, 'done')
  })
})

describe('step 11, the silence of the workers', () => {
  it('P15 lasts as long as the nodes that are left may take', () => {
    const upgradeConfig = theUpgrade({ spec: { PDBForceDrainTimeout: 30 }, entry: {} })
    const verdict = createWorkerWindow.decide(aPass({ upgradeConfig, facts: { workerPool: seen(thePool(0, 3)), silences: seen([]) } }))
    const [effect] = verdict.effects
    assert.ok(effect?.do === 'create silence')
    assert.equal(effect.silence.endsAt, at(159))
    assert.equal(effect.silence.comment, 'Silence for OSD worker node upgrade to version 4.4.6 with remaining 3 nodes')
  })

  it('is not made when no node is left, and nobody is asked', () => {
    assert.deepEqual(createWorkerWindow.decide(aPass({ facts: { workerPool: seen(thePool(3, 3)) } })), { is: 'done', effects: [] })
    assert.deepEqual(createWorkerWindow.decide(aPass({ facts: { workerPool: seen(thePool(4, 3)) } })), { is: 'done', effects: [] })
  })
})

describe('step 12, the workers', () => {
  const upgrading = { workerPool: seen(thePool(1, 3)) }

  it('P16 are late when no silence is left', () => {
    const verdict = workersUpgraded.decide(aPass({ facts: { ...upgrading, silences: seen([]) } }))
    assert.equal(verdict.is, 'not done')
    assert.deepEqual(gaugesAfter(verdict.effects), { [`worker_timeout${labels}`]: 1 })
  })

  it('M06 are late when the silence for them has run out, and none is made in its place', () => {
    const comment = 'Silence for OSD worker node upgrade to version 4.4.6 with remaining 2 nodes'
    const ranOut = silenceOf(comment, 'expired', { startsAt: at(-100), endsAt: at(-1), updatedAt: at(-100) })
    const pass = aPass({ upgradeConfig: theUpgrade({ entry: { startTime: at(-101) } }), facts: { ...upgrading, silences: seen([ranOut]) } })
    assert.deepEqual(createWorkerWindow.decide(pass), { is: 'done', effects: [] })
    assert.deepEqual(gaugesAfter(workersUpgraded.decide(pass).effects), { [`worker_timeout${labels}`]: 1 })
  })

  it('P16 are in time while one of ours is active', () => {
    const active = silenceOf('any', 'active', { startsAt: at(-5), endsAt: at(5), updatedAt: at(-5) })
    const verdict = workersUpgraded.decide(aPass({ facts: { ...upgrading, silences: seen([active]) } }))
    assert.deepEqual(gaugesAfter(verdict.effects), { [`worker_timeout${labels}`]: 0 })
  })

  it('P17 have finished whether or not Alertmanager answers', () => {
    const verdict = workersUpgraded.decide(aPass({ facts: { workerPool: seen(thePool(3, 3)), silences: unseen('down') } }))
    assert.deepEqual([verdict.is, told(verdict.effects)], ['done', ['StateWorkerPlaneFinishedSL']])
    assert.equal(workersUpgraded.decide(aPass({ facts: { workerPool: seen(thePool(3, 3)) } })).is, 'done')
  })

  it('Δ24 clear what was said about drains when they have finished', () => {
    const verdict = workersUpgraded.decide(aPass({ facts: { workerPool: seen(thePool(3, 3)) } }))
    const before = withChange(noSeries, {
      do: 'set',
      sample: { name: 'upgradeoperator_node_drain_timeout', labels: { node_name: 'a' }, value: 1 },
    })
    assert.equal(gaugesAfter(verdict.effects, before)['node_drain_timeout{node_name="a"}'], 0)
  })
})

describe('scaling', () => {
  const extra = { [MachineLabel.upgrade]: 'true', [MachineLabel.machineSet]: 'workers-a-upgrade' }
  const clone = (createdAt: string, readyReplicas: number) =>
    aMachineSet({
      name: 'workers-a-upgrade',
      metadata: { labels: extra, creationTimestamp: createdAt },
      status: { replicas: 1, readyReplicas },
    })
  const machine = aMachine({ name: 'm', metadata: { labels: extra }, status: { phase: 'Deleting', nodeRef: { name: 'extra-0' } } })
  const reserving = theUpgrade({ spec: { capacityReservation: true }, entry: {} })

  it('X04 goes on without extra workers that do not come in time', () => {
    const { machineSets, ...others } = healthyFacts()
    const sets = 'value' in machineSets ? machineSets.value : []
    const at31 = aPass({ upgradeConfig: reserving, facts: { ...others, machineSets: seen([...sets, clone(at(-31), 0)]) } })
    const verdict = scaleUp.decide(at31)
    assert.deepEqual([verdict.is, told(verdict.effects)], ['done', ['StateSkipped']])
    assert.deepEqual(gaugesAfter(verdict.effects), { 'scaling_failed{upgradeconfig_name="managed-upgrade-config"}': 1 })
    const at30 = aPass({ upgradeConfig: reserving, facts: { ...others, machineSets: seen([...sets, clone(at(-30), 0)]) } })
    assert.equal(scaleUp.decide(at30).is, 'not done')
  })

  it('X07 down is not finished while a machine is left', () => {
    const pass = aPass({ upgradeConfig: reserving, facts: { ...healthyFacts(), machineSets: seen([]), machines: seen([machine]) } })
    assert.equal(scaleDown.decide(pass).is, 'not done')
    const gone = aPass({ upgradeConfig: reserving, facts: { machineSets: seen([]), machines: seen([]) } })
    assert.equal(scaleDown.decide(gone).is, 'done')
  })

  it('X08 down names a node that could not be drained', () => {
    const facts = { ...healthyFacts(), machineSets: seen([]), machines: seen([machine]), nodes: seen([aCordonedNode(80, {}, 'extra-0')]) }
    const verdict = scaleDown.decide(aPass({ upgradeConfig: reserving, facts }))
    assert.match(messageOf(verdict), /extra-0/)
    assert.deepEqual(gaugesAfter(verdict.effects), { 'node_drain_timeout{node_name="extra-0"}': 1 })
  })

  it('X08 down helps nodes to drain', () => {
    const pod = aPod({ name: 'stays', namespace: 'app', node: 'extra-0' })
    const nodes = seen([aCordonedNode(46, {}, 'extra-0')])
    const facts = { ...healthyFacts(), machineSets: seen([]), machines: seen([machine]), nodes, extraPods: seen([pod]) }
    const verdict = scaleDown.decide(aPass({ upgradeConfig: reserving, facts }))
    assert.deepEqual([verdict.is, inShort(verdict.effects)], ['not done', ['delete pod stays']])
  })

  it('X09 Δ20 down removes what is there though nothing is reserved any more', () => {
    const verdict = scaleDown.decide(aPass({ facts: { machineSets: seen([clone(at(-60), 1)]), machines: seen([]) } }))
    assert.deepEqual([verdict.is, inShort(verdict.effects)], ['not done', ['delete MachineSet']])
    const nothing = scaleDown.decide(
      aPass({ facts: { machineSets: seen([aMachineSet()]), machines: seen([]) }, config: { 'scale.timeOut': 0 } }),
    )
    assert.deepEqual(nothing, { is: 'done', effects: [] })
  })

  it('Δ19 down skips machines that never became nodes', () => {
    const unborn = aMachine({ name: 'n', metadata: { labels: extra }, status: {} })
    const verdict = scaleDown.decide(aPass({ facts: { machineSets: seen([]), machines: seen([unborn]) } }))
    assert.equal(verdict.is, 'not done')
  })
})

describe('step 15, the health check after the upgrade', () => {
  it('holds the upgrade up whatever gates say', () => {
    assert.match(messageOf(postUpgradeHealthCheck.decide(aPass({ facts: { alerts: seen(['Bad']) } }))), /Bad/)
    const { alerts } = healthyFacts()
    assert.match(messageOf(postUpgradeHealthCheck.decide(aPass({ facts: { alerts, clusterOperators: unseen('no answer') } }))), /no answer/)
    const verdict = postUpgradeHealthCheck.decide(aPass({ facts: healthyFacts() }))
    assert.equal(verdict.is, 'done')
    const before = withChange(noSeries, {
      do: 'set',
      sample: { name: 'upgradeoperator_node_drain_timeout', labels: { node_name: 'a' }, value: 1 },
    })
    assert.equal(gaugesAfter(verdict.effects, before)['node_drain_timeout{node_name="a"}'], 0)
  })
})

describe('step 16, FedRAMP', () => {
  const fedramp = { 'environment.fedramp': true }
  const fileIntegrity: KubernetesObject = {
    apiVersion: 'fileintegrity.openshift.io/v1alpha1',
    kind: 'FileIntegrity',
    metadata: { name: 'osd-fileintegrity', annotations: { theirs: 'a' } },
  }

  it('P18 fails where the object is missing, and looks for it only where it matters', () => {
    assert.equal(fedrampTasks.decide(aPass()).is, 'done')
    assert.deepEqual(fedrampTasks.decide(aPass({ config: fedramp })), { is: 'look', at: ['fileIntegrity'], effects: [] })
    assert.equal(messageOf(fedrampTasks.decide(aPass({ config: fedramp, facts: { fileIntegrity: unseen('not found') } }))), 'not found')
  })

  it('P18 Δ25 adds its annotation to the others, once', () => {
    const facts = { fileIntegrity: seen(fileIntegrity) }
    const [effect] = fedrampTasks.decide(aPass({ config: fedramp, facts })).effects
    assert.ok(effect?.do === 'replace')
    const { 'windlass.dev/re-init-for': upgrade, ...annotations } = effect.object.metadata.annotations ?? {}
    assert.deepEqual(annotations, { theirs: 'a', 'file-integrity.openshift.io/re-init': '' })
    const done = { conditions: [{ type: 'PostUpgradeTasksCompleted', status: 'True' as const }] }
    assert.deepEqual(fedrampTasks.decide(aPass({ config: fedramp, facts, entry: done })), { is: 'done', effects: [] })
    assert.ok(upgrade !== undefined)
    const heard = { ...fileIntegrity, metadata: { ...fileIntegrity.metadata, annotations: { 'windlass.dev/re-init-for': upgrade } } }
    const again = aPass({ config: fedramp, facts: { fileIntegrity: seen(heard) } })
    assert.deepEqual(fedrampTasks.decide(again), { is: 'done', effects: [] }, 'a process that died before this was on record asks no more')
    const next = aPass({
      config: fedramp,
      facts: { fileIntegrity: seen(heard) },
      upgradeConfig: { ...again.upgradeConfig, metadata: { uid: 'next' } },
    })
    assert.equal(fedrampTasks.decide(next).effects.length, 1)
  })
})

describe('minutes', () => {
  it('can be made shorter for a rehearsal, all of them', () => {
    const cluster = theCluster({ partial: { version: '4.4.6', since: at(-1) } })
    const pass = aPass({ clusterVersion: cluster, config: { minute: minute / 100 } })
    assert.equal(controlPlaneUpgraded.decide(pass).effects.length, 1)
  })
})
