import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MachineConfigPool } from '@windlass/api'
import { aNode, at, aPool, type NodeParts, start, v1, v2 } from '../testing/index.ts'
import { assessNode } from './assess.ts'
import { evaluateNode } from './node-state.ts'
import { poolFrom, poolOf } from './pools.ts'

const versions: Readonly<Record<string, string>> = { C1: v1, C2: v2, CA: v2, CB: v2 }
const target = { version: v2, versionOf: (config: string) => versions[config] }
const worker = poolFrom(aPool('worker'))

const evaluated = (parts: NodeParts, pool = worker) => evaluateNode(aNode(parts), pool, target)
const assessed = (parts: NodeParts, pool = worker, now = at('12:30:00')) => assessNode(evaluated(parts, pool), undefined, now)
const moving = { currentConfig: 'C1', desiredConfig: 'C2' }
const shown = ({ conditions = [] }: ReturnType<typeof assessed>, type: string) => {
  const { status, reason, message, lastTransitionTime } = conditions.find((each) => each.type === type) ?? assert.fail()
  return { is: `${status}/${reason}`, message, since: lastTransitionTime }
}

describe('where a node stands', () => {
  for (const [id, notes, phase, estimate] of [
    ['T80', { ...moving, state: 'Working', desiredDrain: 'drain-C2', lastAppliedDrain: 'drain-C2' }, 'Updating', '10m0s'],
    ['T81', { ...moving, state: 'Working', desiredDrain: 'drain-C2', lastAppliedDrain: 'uncordon-C1' }, 'Draining', '10m0s'],
    ['T82', { ...moving, state: 'Working', desiredDrain: 'uncordon-C2', lastAppliedDrain: 'drain-C2' }, 'Updating', '10m0s'],
    ['T83', { ...moving, state: 'Done', desiredDrain: 'uncordon-C1', lastAppliedDrain: 'uncordon-C1' }, 'Draining', '10m0s'],
    ['T84', { ...moving, state: 'Done' }, 'Updating', '10m0s'],
    ['T85', { currentConfig: 'C2', desiredConfig: 'C2', state: 'Done' }, 'Completed', '0s'],
    ['T86', { currentConfig: 'CA', desiredConfig: 'CB', state: 'Working' }, 'Updating', '10m0s'],
    ['row 2', { ...moving, state: 'Rebooting' }, 'Rebooting', '10m0s'],
    ['row 6', { currentConfig: 'C1', desiredConfig: 'C1', state: 'Done' }, 'Pending', undefined],
    ['unknown configs', { currentConfig: 'X', desiredConfig: 'C2', state: 'Done' }, 'Pending', undefined],
  ] as const) {
    it(`${id} is ${phase} when its daemon writes ${JSON.stringify(notes)}`, () => {
      assert.equal(evaluated({ notes }).phase, phase)
      const status = assessed({ notes })
      assert.equal(shown(status, 'Updating').is.split('/')[1], phase)
      assert.equal(status.estimatedToComplete, estimate)
    })
  }

  it('T87 is Paused with its pool, and Pending again once the pool is not', () => {
    const notes = { currentConfig: 'C1', desiredConfig: 'C1', state: 'Done' }
    assert.equal(evaluated({ notes }, { ...worker, isPaused: true }).phase, 'Paused')
    assert.equal(evaluated({ notes }).phase, 'Pending')
    assert.equal(shown(assessed({ notes }, { ...worker, isPaused: true }), 'Updating').message, 'The update of the node is paused')
  })

  it('is nowhere in an update that has no version', () => {
    const state = evaluateNode(aNode({ notes: moving }), worker, { ...target, version: '' })
    assert.equal(state.phase, 'Pending')
  })
})

describe('whether a node is available', () => {
  it('T88 it is not when it is not ready and has no excuse, since the node said so', () => {
    const parts: NodeParts = { conditions: { Ready: { status: 'False', since: start } } }
    const status = assessed(parts)
    assert.deepEqual(shown(status, 'Available'), { is: 'False/Unavailable', message: 'Node is not ready', since: '2025-06-27T12:00:00Z' })
    assert.deepEqual([status.message, status.estimatedToComplete], ['Node is not ready', undefined])
  })

  it('T89 it is while it reboots for the update', () => {
    const status = assessed({ notes: { ...moving, state: 'Rebooting' }, conditions: { Ready: { status: 'False' } } })
    assert.equal(shown(status, 'Available').is, 'True/AsExpected')
    assert.equal(status.message, undefined)
  })

  it('T90 it says everything that is wrong, in the order of the node', () => {
    const { message } = assessed({ isUnschedulable: true, conditions: { DiskPressure: { status: 'True' } } })
    assert.equal(message, 'Node has disk pressure | Node is marked unschedulable')
  })

  it('it is not while the daemon has something to do that is no update', () => {
    const { message } = assessed({ notes: { currentConfig: 'C1', desiredConfig: 'C1', state: 'Working' } })
    assert.equal(message, 'Machine Config Daemon is processing the node')
    assert.equal(assessed({ notes: { currentConfig: 'C1', desiredConfig: 'C1', state: 'Degraded' } }).message, undefined)
  })

  it('since when, where the node does not say it, is kept while it stays so', () => {
    const state = evaluated({ isUnschedulable: true })
    const first = assessNode(state, undefined, start)
    assert.equal(shown(assessNode(state, first, at('12:30:00')), 'Available').since, '2025-06-27T12:00:00Z')
  })

  it('a node that gets an image counts only in pools whose nodes run images', () => {
    const notes = { currentConfig: 'C1', desiredConfig: 'C1', state: 'Working', desiredImage: 'image' }
    assert.equal(evaluated({ notes }).unavailability, undefined)
    assert.ok(evaluated({ notes }, { ...worker, isLayered: true }).unavailability)
  })
})

describe('whether a node is degraded', () => {
  it('T91 it is when its daemon says so; a long reason is cut where it must be', () => {
    const reason = 'x'.repeat(150)
    const status = assessed({ notes: { ...moving, state: 'Degraded', reason } })
    assert.deepEqual(shown(status, 'Degraded'), { is: 'True/Degraded', message: reason, since: '2025-06-27T12:30:00Z' })
    assert.equal(status.message, `${'x'.repeat(97)}...`)
    assert.equal(status.estimatedToComplete, undefined)
  })

  it('the message is one line', () => {
    assert.equal(assessed({ notes: { ...moving, state: 'Unreconcilable', reason: 'a\n  b\nc' } }).message, 'a b c')
  })
})

describe('what else an insight into a node says', () => {
  it('its pool, its part of the cluster, and its version if that is one', () => {
    const { poolResource, scopeType, version } = assessed({})
    assert.deepEqual(poolResource, { group: 'machineconfiguration.openshift.io', resource: 'machineconfigpools', name: 'worker' })
    assert.deepEqual([scopeType, version], ['WorkerPool', v1])
    assert.equal(assessed({}, poolFrom(aPool('master'))).scopeType, 'ControlPlane')
    assert.equal(assessed({ notes: { currentConfig: 'X' } }).version, undefined)
  })
})

describe('the pool of a node', () => {
  const pools = ['worker', 'infra', 'master', 'gpu'].map((name) => poolFrom(aPool(name)))
  const nameOf = (...roles: readonly string[]) => poolOf(aNode({ roles }).metadata.labels, pools)?.name

  it('T92 is master whatever else fits', () => assert.equal(nameOf('infra', 'master', 'worker'), 'master'))
  it('T93 is a custom one rather than worker, the first by name', () => {
    assert.equal(nameOf('worker', 'infra'), 'infra')
    assert.equal(nameOf('worker', 'infra', 'gpu'), 'gpu')
    assert.equal(nameOf('worker'), 'worker')
    assert.equal(nameOf('edge'), undefined)
  })

  it('is none whose selector makes no sense', () => {
    const broken: MachineConfigPool = aPool('infra', {
      spec: { nodeSelector: { matchExpressions: [{ key: 'a', operator: 'Like', values: ['b'] }] } },
    })
    assert.equal(poolOf(aNode({ roles: ['infra'] }).metadata.labels, [poolFrom(broken)]), undefined)
  })
})
