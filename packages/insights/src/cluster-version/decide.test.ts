import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterVersionProgressInsight, UpdateHealthInsight } from '@windlass/api'
import type { Instant } from '@windlass/core'
import * as fc from 'fast-check'
import type { InsightMode } from '../mode.ts'
import {
  aClusterVersion,
  actionsOn,
  at,
  condition,
  describePlan,
  entry,
  operators,
  start,
  statusIn,
  stored,
  v1,
  v2,
} from '../testing/index.ts'
import type { ProgressStatus } from './assess.ts'
import { decide, type Observed } from './decide.ts'

const modes: readonly InsightMode[] = ['compat', 'extended']
const forcing = { 'oue.openshift.muller.dev/force-health-insight': '' }
const forcedName = 'cv-2je242kecfijbtqaqac5jjmtti'

const observed = (parts: Partial<Observed> = {}): Observed => ({
  name: 'version',
  clusterVersion: aClusterVersion(),
  insight: undefined,
  operators: operators(3, 1),
  pools: [],
  health: [],
  ...parts,
})

/** What is there once everything is written, so that another look at the same moment finds nothing to do. */
function settled(parts: Partial<Observed>, now: Instant, mode: InsightMode): Observed {
  let seen = observed(parts)
  for (let pass = 0; pass < 3; pass++) {
    const plan = decide(seen, now, mode)
    const [insight] = stored(plan, ClusterVersionProgressInsight, seen.insight === undefined ? [] : [seen.insight])
    seen = { ...seen, insight, health: stored(plan, UpdateHealthInsight, seen.health) }
  }
  return seen
}

const withStatus = (seen: Observed, change: (status: ProgressStatus) => ProgressStatus): Observed => {
  assert.ok(seen.insight?.status)
  return { ...seen, insight: { ...seen.insight, status: change(seen.insight.status) } }
}

for (const mode of modes) {
  describe(`a look at a cluster version (${mode})`, () => {
    it('T07 creates the insight and writes its status in one go', () => {
      const plan = decide(observed(), at('12:10:00'), mode)
      assert.deepEqual(describePlan(plan), ['create ClusterVersionProgressInsight version', 'status ClusterVersionProgressInsight version'])
      assert.equal(statusIn(plan, ClusterVersionProgressInsight)?.completionPercent, 33)
    })

    it('T08 deletes the insight of one that is gone, and what was said about its health', () => {
      const seen = settled({ clusterVersion: aClusterVersion({ annotations: forcing }) }, start, mode)
      const plan = decide({ ...seen, clusterVersion: undefined }, start, mode)
      assert.deepEqual(describePlan(plan), ['delete ClusterVersionProgressInsight version', `delete UpdateHealthInsight ${forcedName}`])
    })

    it('T09 does nothing where there is nothing', () => {
      assert.deepEqual(decide(observed({ clusterVersion: undefined }), start, mode), { actions: [] })
    })

    it('T10 T11 is followed by another a second after somebody else was faster', () => {
      const plan = decide(observed(), start, mode)
      const [action] = plan.actions
      assert.ok(action?.do === 'create' && action.mustBeNew)
      assert.equal(plan.afterConflict, 1000)
      const [update] = decide(settled({ operators: operators(3, 2) }, start, mode), at('14:00:00'), mode).actions
      assert.ok(update?.do === 'status' && update.ifUnchanged)
    })

    it('keeps what it has written when no version is named any more, and says what it waits for', () => {
      const seen = settled({}, start, mode)
      const nameless = aClusterVersion({ desired: '', history: [entry('Partial', '', start)], annotations: forcing })
      const plan = decide({ ...seen, clusterVersion: nameless }, start, mode)
      assert.deepEqual(actionsOn(plan, ClusterVersionProgressInsight), [])
      assert.match(plan.waitingFor ?? '', /to name a version/)
      assert.equal(actionsOn(plan, UpdateHealthInsight).length, 2)
    })

    it('waits for an old insight to be gone', () => {
      const { insight, ...seen } = settled({}, start, mode)
      assert.ok(insight)
      const going = { ...insight, metadata: { ...insight.metadata, deletionTimestamp: '2025-06-27T12:00:00Z' } }
      assert.deepEqual(decide({ ...seen, insight: going }, at('14:00:00'), mode).actions, [])
    })
  })

  describe(`what is worth a write (${mode})`, () => {
    const now = at('12:10:00')
    const written = (seen: Observed): ProgressStatus | undefined => statusIn(decide(seen, now, mode), ClusterVersionProgressInsight)
    const parts = { clusterVersion: aClusterVersion({ annotations: forcing }) }
    const shifted = (time: string, by: number): string => new Date(Date.parse(time) + by * 1000).toISOString().replace('.000', '')
    const estimatedOff = (by: number) =>
      withStatus(settled(parts, now, mode), (status) => ({
        ...status,
        estimatedCompletedAt: shifted(status.estimatedCompletedAt ?? '', by),
      }))

    it('T60 not an estimate that is 29 seconds off, but health is looked after all the same', () => {
      const { health: _, ...seen } = estimatedOff(29)
      assert.deepEqual(describePlan(decide({ ...seen, health: [] }, now, mode)), [
        `create UpdateHealthInsight ${forcedName}`,
        `status UpdateHealthInsight ${forcedName}`,
      ])
    })

    it('T61 one that is 30 seconds off, either way', () => {
      assert.ok(written(estimatedOff(30)))
      assert.ok(written(estimatedOff(-30)))
      assert.equal(written(estimatedOff(-29)), undefined)
    })

    it('T62 a condition that says it in other words', () => {
      const other = withStatus(settled(parts, now, mode), ({ conditions = [], ...status }) => ({
        ...status,
        conditions: conditions.map((each) => (each.type === 'Updating' ? { ...each, message: 'other words' } : each)),
      }))
      assert.match(written(other)?.conditions?.[0]?.message ?? '', /Working towards/)
    })

    it('T63 an end', () => {
      const history = [entry('Completed', v2, start, at('12:09:00')), entry('Completed', v1, start - 9e7, start - 8e7)]
      const clusterVersion = aClusterVersion({ history, conditions: [condition('Progressing', 'False')] })
      const seen = withStatus(settled({ clusterVersion }, now, mode), ({ completedAt: _, ...status }) => status)
      assert.equal(written(seen)?.completedAt, '2025-06-27T12:09:00Z')
    })

    it('T64 that the update before was completed after all', () => {
      const seen = withStatus(settled(parts, now, mode), (status) => ({
        ...status,
        versions: { ...status.versions, previous: { version: v1, metadata: [{ key: 'Partial' }] } },
      }))
      assert.deepEqual(written(seen)?.versions.previous, { version: v1 })
    })

    it('removes what is not so any more', () => {
      const seen = withStatus(settled(parts, now, mode), (status) => ({ ...status, completedAt: '2025-06-27T12:00:00Z' }))
      const [action] = decide(seen, now, mode).actions
      assert.ok(action?.do === 'status' && 'completedAt' in action.status)
      assert.equal(written(seen)?.completedAt, undefined)
    })

    it('does not depend on the order of lists', () => {
      const seen = withStatus(settled(parts, now, mode), ({ conditions = [], ...status }) => ({
        ...status,
        conditions: conditions.toReversed(),
      }))
      assert.equal(written(seen), undefined)
    })

    it('T65 nothing a second later, when nothing has happened', () => {
      const seen = settled(parts, now, mode)
      assert.deepEqual(decide(seen, now + 1000, mode).actions, [])
    })

    it('nothing when nothing has changed, whatever the cluster is like and whenever one looks', () => {
      const progressing = fc.constantFrom('True', 'False', 'Unknown', 'WhatEver')
      const states = fc.constantFrom('Completed' as const, 'Partial' as const)
      const cluster = fc.record({
        progressing,
        failing: fc.option(progressing),
        states: fc.array(fc.tuple(states, fc.boolean()), { maxLength: 4 }),
        all: fc.nat(5),
        updated: fc.nat(5),
        now: fc.integer({ min: -600, max: 20_000 }).map((seconds) => start + seconds * 1000),
      })
      fc.assert(
        fc.property(cluster, ({ progressing, failing, states, all, updated, now }) => {
          const history = states.map(([state, ended], index) =>
            entry(state, v2, start - index * 9e7, ended ? start - index * 8e7 : undefined),
          )
          const conditions = [condition('Progressing', progressing), ...(failing === null ? [] : [condition('Failing', failing)])]
          const clusterVersion = aClusterVersion({ history, conditions, annotations: forcing })
          const seen = settled({ clusterVersion, operators: operators(all, updated) }, now, mode)
          assert.deepEqual(decide(seen, now, mode).actions, [])
        }),
      )
    })
  })

  describe(`the health insights of a cluster version (${mode})`, () => {
    const forced = { clusterVersion: aClusterVersion({ annotations: forcing }) }

    it('T66 are as many as an annotation asks for: one, whole', () => {
      const { health, insight } = settled(forced, start + 500, mode)
      assert.equal(health.length, 1)
      const [{ metadata, status } = assert.fail()] = health
      assert.equal(metadata.name, forcedName)
      assert.deepEqual(metadata.labels, {
        'insight-manager': 'clusterversion',
        'oue.openshift.muller.dev/update-health-insight-manager': 'clusterversion',
      })
      assert.deepEqual(metadata.ownerReferences, [
        {
          apiVersion: 'openshift.muller.dev/v1alpha1',
          kind: 'ClusterVersionProgressInsight',
          name: 'version',
          uid: insight?.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ])
      assert.deepEqual(status, {
        startedAt: '2025-06-27T12:00:00Z',
        scope: { type: 'ControlPlane', resources: [{ group: 'config.openshift.io', resource: 'clusterversions', name: 'version' }] },
        impact: {
          level: 'Info',
          type: 'None',
          summary: 'Forced health insight for ClusterVersion version',
          description:
            'The resource has a "oue.openshift.muller.dev/force-health-insight" annotation which forces USC to generate this health insight for testing purposes.',
        },
        remediation: { reference: 'https://issues.redhat.com/browse/OTA-1418' },
      })
    })

    it('T67 are not written again, and remember since when they are', () => {
      const later = settled(settled(forced, start, mode), at('12:10:00'), mode)
      assert.deepEqual(actionsOn(decide(later, at('12:10:00'), mode), UpdateHealthInsight), [])
      assert.equal(later.health[0]?.status?.startedAt, '2025-06-27T12:00:00Z')
    })

    it('T68 go when nobody asks for them any more', () => {
      const seen = { ...settled(forced, start, mode), clusterVersion: aClusterVersion() }
      assert.deepEqual(describePlan(decide(seen, start, mode)), [`delete UpdateHealthInsight ${forcedName}`])
    })

    it('T70 come back when somebody deletes them', () => {
      const seen = { ...settled(forced, start, mode), health: [] }
      assert.deepEqual(describePlan(decide(seen, start, mode)), [
        `create UpdateHealthInsight ${forcedName}`,
        `status UpdateHealthInsight ${forcedName}`,
      ])
    })
  })
}

it('a cluster that goes back to compat mode loses what only the other mode says', () => {
  const history = [entry('Partial', v2, start), entry('Partial', v1, start - 9e7, start)]
  const seen = settled({ clusterVersion: aClusterVersion({ history }) }, start, 'extended')
  assert.equal(seen.health.length, 1)
  const plan = decide(seen, start, 'compat')
  assert.deepEqual(describePlan(plan), [
    'status ClusterVersionProgressInsight version',
    `delete UpdateHealthInsight ${seen.health[0]?.metadata.name}`,
  ])
  assert.equal(statusIn(plan, ClusterVersionProgressInsight)?.conditions?.length, 1)
})
