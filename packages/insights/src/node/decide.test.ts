import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NodeProgressInsight, type Pod, type PodDisruptionBudget, UpdateHealthInsight } from '@windlass/api'
import { aPod, aPodDisruptionBudget } from '@windlass/api/fixtures'
import type { Instant } from '@windlass/core'
import { aNode, at, describePlan, type NodeParts, start, stored, v1, v2 } from '../testing/index.ts'
import { decide, type Observed } from './decide.ts'
import { blockingBudgets } from './drain.ts'
import { evaluateNode } from './node-state.ts'

const versions: Readonly<Record<string, string>> = { C1: v1, C2: v2 }
const worker = { name: 'worker', selector: undefined, isPaused: false, isLayered: false }
const stateOf = (parts: NodeParts = {}) => evaluateNode(aNode(parts), worker, { version: v2, versionOf: (config) => versions[config] })

const observed = (parts: Partial<Observed> = {}): Observed => ({
  name: 'worker-a',
  state: stateOf(),
  insight: undefined,
  health: [],
  isInProgress: true,
  budgets: [],
  ...parts,
})

/** What is there once everything is written. */
function settled(parts: Partial<Observed>, now: Instant): Observed {
  let seen = observed(parts)
  for (let pass = 0; pass < 3; pass++) {
    const plan = decide(seen, now)
    const [insight] = stored(plan, NodeProgressInsight, seen.insight === undefined ? [] : [seen.insight])
    seen = { ...seen, insight, health: stored(plan, UpdateHealthInsight, seen.health) }
  }
  return seen
}

const told = ({ health }: Observed): readonly string[] =>
  health.map(({ status }) => `${status?.impact.level} | ${status?.impact.type} | ${status?.impact.summary}`)

describe('a look at a node', () => {
  it('writes its insight, once', () => {
    assert.deepEqual(describePlan(decide(observed(), start)), [
      'create NodeProgressInsight worker-a',
      'status NodeProgressInsight worker-a',
    ])
    assert.deepEqual(decide(settled({}, start), at('13:00:00')).actions, [])
  })

  it('T94 deletes the insight of one that is gone or in no pool', () => {
    assert.deepEqual(describePlan(decide({ ...settled({}, start), state: 'none' }, start)), ['delete NodeProgressInsight worker-a'])
    assert.deepEqual(decide(observed({ state: 'none' }), start), { actions: [] })
  })

  it('keeps what is there while there is no cluster version', () => {
    const plan = decide({ ...settled({}, start), state: 'unknown' }, start)
    assert.deepEqual(plan.actions, [])
    assert.match(plan.waitingFor ?? '', /ClusterVersion version/)
  })
})

const draining = { currentConfig: 'C1', desiredConfig: 'C2', state: 'Working', desiredDrain: 'drain-C2', lastAppliedDrain: 'uncordon-C1' }

describe('the health insights of a node', () => {
  it('[ext] a degraded one stalls the update', () => {
    const seen = settled(
      { state: stateOf({ notes: { ...draining, state: 'Degraded', reason: 'disk full', lastAppliedDrain: 'drain-C2' } }) },
      start,
    )
    assert.deepEqual(told(seen), ['Error | Update Stalled | Node worker-a is degraded'])
    const [insight] = seen.health
    assert.deepEqual([insight?.metadata.name, insight?.status?.impact.description], ['node-4ce4q7pnskio6kydtqzlsvustq', 'disk full'])
    assert.equal(insight?.status?.scope.type, 'WorkerPool')
  })

  const parts: NodeParts = {
    conditions: { Ready: { status: 'False', message: 'kubelet stopped', since: start }, DiskPressure: { status: 'True', since: start } },
  }

  it('[ext] one that is away without an excuse slows the update down, once that is serious', () => {
    const state = stateOf(parts)
    assert.deepEqual(told(settled({ state }, at('12:00:59'))), [])
    assert.deepEqual(told(settled({ state }, at('12:01:00'))), ['Warning | Update Speed | Node worker-a has disk pressure'])
    const later = settled({ state }, at('12:05:00'))
    assert.deepEqual(told(later), ['Warning | Update Speed | Node worker-a is not ready | Node worker-a has disk pressure'])
    assert.match(
      later.health[0]?.status?.impact.description ?? '',
      /^Node has a Ready!=True condition with Reason "Not ready" and message "kubelet stopped"/,
    )
    assert.equal(decide(settled({ state }, start), start).requeueAfter, 60_000)
  })

  it('[ext] one that nobody may use, or that its daemon works on, is not serious', () => {
    assert.deepEqual(told(settled({ state: stateOf({ isUnschedulable: true }) }, at('14:00:00'))), [])
    assert.deepEqual(
      told(settled({ state: stateOf({ notes: { currentConfig: 'C1', desiredConfig: 'C1', state: 'Working' } }) }, at('14:00:00'))),
      [],
    )
  })

  const stuck = (minutes: number, options: Partial<Observed> = {}, notes: NodeParts['notes'] = draining) => {
    const state = stateOf({ name: 'worker-b', notes })
    const begun = settled({ name: 'worker-b', state, ...options }, start)
    return settled(begun, start + minutes * 60_000)
  }

  it('T107 [ext] a drain that is blocked names the budgets in the way', () => {
    const seen = stuck(15, { budgets: [{ namespace: 'shop', name: 'checkout' }] })
    assert.deepEqual(told(seen), ['Warning | Update Speed | Draining of node worker-b is blocked'])
    const [insight] = seen.health
    assert.equal(insight?.metadata.name, 'node-5x2sjgjwsyjs233dfbiht5dbfy')
    assert.deepEqual(insight.status?.scope.resources, [
      { resource: 'nodes', name: 'worker-b' },
      { group: 'policy', resource: 'poddisruptionbudgets', namespace: 'shop', name: 'checkout' },
    ])
    assert.equal(insight.status.startedAt, '2025-06-27T12:00:00Z')
    assert.match(insight.status.impact.description ?? '', /shop\/checkout/)
  })

  it('[ext] a drain is worth no word for ten minutes, and stalls the update after an hour', () => {
    assert.deepEqual(told(stuck(10)), [])
    assert.deepEqual(told(stuck(60)), ['Warning | Update Speed | Draining of node worker-b is blocked'])
    assert.deepEqual(told(stuck(61)), ['Error | Update Stalled | Draining of node worker-b is blocked'])
    assert.equal(decide(stuck(5), start + 5 * 60_000).requeueAfter, 300_001)
    assert.equal(decide(stuck(15), start + 15 * 60_000).requeueAfter, 60_000)
  })

  it('[ext] a drain that the daemon has given up stalls the update at once, and is not told twice', () => {
    const reason = 'failed to drain node: worker-b after 1 hour. Please see machine-config-controller logs for more information'
    assert.deepEqual(told(stuck(1, {}, { ...draining, state: 'Degraded', reason })), [
      'Error | Update Stalled | Draining of node worker-b is blocked',
    ])
  })

  it('[ext] are of interest only while an update is in progress', () => {
    assert.deepEqual(told(settled({ state: stateOf(parts), isInProgress: false }, at('13:00:00'))), [])
  })
})

describe('budgets that block a drain', () => {
  const pod = (name: string, owner?: string, labels: Readonly<Record<string, string>> = { app: 'checkout' }): Pod =>
    aPod({
      name,
      namespace: 'shop',
      metadata: {
        namespace: 'shop',
        name,
        labels,
        ...(owner === undefined ? {} : { ownerReferences: [{ apiVersion: 'v1', kind: owner, name: 'o', uid: 'u', controller: true }] }),
      },
    })
  const budget = (name: string, disruptionsAllowed: number, app = 'checkout'): PodDisruptionBudget => {
    const status = { disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 }
    return aPodDisruptionBudget({ name, namespace: 'shop', spec: { selector: { matchLabels: { app } } }, status })
  }
  const named = (pods: readonly Pod[], budgets: readonly PodDisruptionBudget[]) =>
    blockingBudgets(pods, (namespace) => (namespace === 'shop' ? budgets : [])).map(({ name }) => name)

  it('allow nothing and fit a Pod of the node, in the order of their names', () => {
    const budgets = [budget('z', 0), budget('a', 0), budget('free', 1), budget('other', 0, 'cart')]
    assert.deepEqual(named([pod('p', 'ReplicaSet')], budgets), ['a', 'z'])
  })

  it('do not count for Pods that a drain leaves alone', () => {
    assert.deepEqual(named([pod('mirror', 'Node'), pod('daemon', 'DaemonSet')], [budget('a', 0)]), [])
    const finished = { ...pod('job', 'Job'), status: { phase: 'Succeeded' } } as const
    assert.deepEqual(named([finished], [budget('a', 0)]), [])
  })
})
