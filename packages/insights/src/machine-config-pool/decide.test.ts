import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type MachineConfigPool, MachineConfigPoolProgressInsight, nodeSummaries, UpdateHealthInsight } from '@windlass/api'
import { aCondition } from '@windlass/api/fixtures'
import type { Instant } from '@windlass/core'
import * as fc from 'fast-check'
import type { InsightMode } from '../mode.ts'
import { countNodes, isUpdating, type NodeState, type Phase } from '../node/index.ts'
import { at, aPool, describePlan, start, stored } from '../testing/index.ts'
import { assessPool } from './assess.ts'
import { decide, type Observed } from './decide.ts'

const phases = ['Draining', 'Updating', 'Rebooting', 'Completed', 'Paused', 'Pending'] as const
const pool = { name: 'worker', selector: undefined, isPaused: false, isLayered: false }
const nodeIn = (phase: Phase, parts: Partial<NodeState> = {}): NodeState => ({
  name: 'node',
  pool,
  phase,
  version: '4.18.15',
  unavailability: undefined,
  degradation: undefined,
  ...parts,
})

const assessed = (states: readonly NodeState[], of: MachineConfigPool = aPool('worker'), mode: InsightMode = 'extended') => {
  const status = assessPool({ pool: of, counts: countNodes(states) }, undefined, start, mode)
  const [updating = assert.fail(), healthy = assert.fail()] = status.conditions ?? []
  return {
    ...status,
    updating: `${updating.status}/${updating.reason}`,
    healthy: `${healthy.status}/${healthy.reason}`,
    counts: Object.fromEntries(status.summaries?.map(({ type, count }) => [type, count]) ?? []),
  }
}

describe('how the update of a pool goes', () => {
  it('T95 one without nodes waits', () => {
    const { assessment, completionPercent, updating, healthy } = assessed([])
    assert.deepEqual([assessment, completionPercent, updating, healthy], ['Pending', 0, 'False/Pending', 'True/NoNodes'])
  })

  it('T96 one with a node under way progresses', () => {
    const { assessment, completionPercent, counts, updating, healthy } = assessed([
      nodeIn('Completed'),
      nodeIn('Updating'),
      nodeIn('Pending'),
    ])
    assert.deepEqual([assessment, completionPercent, counts['Outdated']], ['Progressing', 33, 2])
    assert.deepEqual([updating, healthy], ['True/Progressing', 'True/NoProblems'])
  })

  it('T97 so does one between two nodes', () => {
    const { assessment, completionPercent } = assessed([nodeIn('Completed'), nodeIn('Pending'), nodeIn('Pending')])
    assert.deepEqual([assessment, completionPercent], ['Progressing', 33])
  })

  it('T98 one that is paused is left out', () => {
    const { assessment, updating, healthy, counts } = assessed([nodeIn('Paused')], aPool('worker', { isPaused: true }))
    assert.deepEqual([assessment, updating, healthy, counts['Excluded']], ['Excluded', 'False/Paused', 'True/Paused', 1])
    assert.equal(assessed([nodeIn('Completed')], aPool('worker', { isPaused: true })).assessment, 'Completed')
  })

  it('T99 one with a degraded node is degraded, and may still move', () => {
    const { assessment, updating, healthy } = assessed([nodeIn('Draining', { degradation: 'failed' })])
    assert.deepEqual([assessment, updating, healthy], ['Degraded', 'True/Progressing', 'False/NodesDegraded'])
    assert.equal(assessed([nodeIn('Pending', { degradation: 'failed' })]).updating, 'False/Pending')
  })

  it('T100 all pools but master are workers', () => {
    assert.equal(assessed([], aPool('infra')).scopeType, 'WorkerPool')
    assert.equal(assessed([], aPool('master')).scopeType, 'ControlPlane')
  })

  it('one whose nodes are all done is done', () => {
    const { assessment, completionPercent, updating, healthy } = assessed([nodeIn('Completed'), nodeIn('Completed')])
    assert.deepEqual([assessment, completionPercent, updating, healthy], ['Completed', 100, 'False/Updated', 'True/AllNodesUpdated'])
  })

  it('counts nodes as they are, also those that must be away', () => {
    const away = { reasons: [], message: 'Node is not ready', since: undefined }
    const { counts } = assessed([nodeIn('Rebooting', { unavailability: away }), nodeIn('Completed'), nodeIn('Draining')])
    assert.deepEqual(counts, { Total: 3, Available: 2, Progressing: 1, Outdated: 2, Draining: 1, Excluded: 0, Degraded: 0 })
  })

  it('[ext] one that cannot render its configuration is degraded', () => {
    const broken = aPool('worker', { status: { conditions: [aCondition('RenderDegraded', 'True')] } })
    const { assessment, healthy } = assessed([nodeIn('Pending')], broken)
    assert.deepEqual([assessment, healthy], ['Degraded', 'False/RenderDegraded'])
    assert.equal(assessed([nodeIn('Pending')], broken, 'compat').assessment, 'Pending')
  })

  it('always says all counts, in order, and 100% only when every node is done', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...phases), { maxLength: 12 }), (all) => {
        const { summaries, completionPercent, assessment } = assessed(all.map((phase) => nodeIn(phase)))
        assert.deepEqual(
          summaries?.map(({ type }) => type),
          nodeSummaries,
        )
        assert.equal(completionPercent === 100, all.length > 0 && all.every((phase) => phase === 'Completed'))
        if (all.some((phase) => isUpdating({ phase }))) assert.equal(assessment, 'Progressing')
      }),
    )
  })

  it('counts no further than the API takes', () => {
    assert.equal(assessed(Array.from({ length: 2100 }, () => nodeIn('Pending'))).counts['Total'], 2000)
  })
})

const observed = (parts: Partial<Observed> = {}): Observed => ({
  name: 'worker',
  pool: aPool('worker'),
  counts: countNodes([nodeIn('Pending')]),
  insight: undefined,
  health: [],
  isInProgress: true,
  ...parts,
})

/** What is there once everything is written. */
function settled(parts: Partial<Observed>, now: Instant): Observed {
  let seen = observed(parts)
  for (let pass = 0; pass < 3; pass++) {
    const plan = decide(seen, now, 'extended')
    const [insight] = stored(plan, MachineConfigPoolProgressInsight, seen.insight === undefined ? [] : [seen.insight])
    seen = { ...seen, insight, health: stored(plan, UpdateHealthInsight, seen.health) }
  }
  return seen
}

describe('a look at a pool', () => {
  it('writes its insight, once', () => {
    assert.deepEqual(describePlan(decide(observed(), start, 'extended')), [
      'create MachineConfigPoolProgressInsight worker',
      'status MachineConfigPoolProgressInsight worker',
    ])
    assert.deepEqual(decide(settled({}, start), at('13:00:00'), 'extended').actions, [])
  })

  it('deletes the insight of one that is gone', () => {
    assert.deepEqual(describePlan(decide({ ...settled({}, start), pool: undefined }, start, 'extended')), [
      'delete MachineConfigPoolProgressInsight worker',
    ])
  })

  it('keeps what is there while there is no cluster version', () => {
    assert.deepEqual(decide({ ...settled({}, start), counts: undefined }, start, 'extended').actions, [])
  })
})

describe('the health insights of a pool', () => {
  const told = ({ health }: Observed): readonly string[] =>
    health.map(({ metadata, status }) => `${metadata.name} | ${status?.impact.level} | ${status?.impact.summary}`)
  const paused = { pool: aPool('worker', { isPaused: true }), counts: countNodes([nodeIn('Paused')]) }

  it('[ext] nodes that wait in a paused pool are a warning, since we first saw them', () => {
    const later = settled(settled(paused, start), at('14:00:00'))
    assert.deepEqual(told(later), [
      "mcp-kbedjles4lngaroespjzpvox4a | Warning | Outdated nodes in a paused pool 'worker' will not be updated",
    ])
    assert.equal(later.health[0]?.status?.startedAt, '2025-06-27T12:00:00Z')
    assert.deepEqual(told(settled({ ...paused, counts: countNodes([nodeIn('Completed')]) }, start)), [])
    assert.deepEqual(told(settled({ ...paused, isInProgress: false }, start)), [])
  })

  it('[ext] those of the control plane are an error', () => {
    assert.match(told(settled({ ...paused, name: 'master', pool: aPool('master', { isPaused: true }) }, start))[0] ?? '', /Error/)
  })

  it('[ext] a configuration that cannot be rendered is an error', () => {
    const broken = aPool('worker', { status: { conditions: [aCondition('RenderDegraded', 'True', 'Failed', 'no such config')] } })
    const seen = settled({ pool: broken }, start)
    assert.match(told(seen)[0] ?? '', /Error \| Pool worker cannot render its configuration$/)
    assert.equal(seen.health[0]?.status?.impact.description, 'no such config')
  })
})
