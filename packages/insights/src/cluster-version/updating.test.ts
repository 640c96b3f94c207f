import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { InsightMode } from '../mode.ts'
import { aClusterVersion, at, condition, entry, start, v1, v2, type VersionParts } from '../testing/index.ts'
import { assessClusterVersion } from './assess.ts'

const modes: readonly InsightMode[] = ['compat', 'extended']
const nobody = { operators: [], pools: [] }

const partial = entry('Partial', v2, start)
const completed = entry('Completed', v2, start, at('13:00:00'))
const said = (status: string, message: string) => [condition('Progressing', status, { message })]

for (const mode of modes) {
  const assessed = (parts: VersionParts) => assessClusterVersion(aClusterVersion(parts), undefined, nobody, at('12:10:00'), mode).status
  const updating = (parts: VersionParts) => assessed(parts)?.conditions?.[0]

  describe(`whether a control plane is being updated (${mode})`, () => {
    it('T14 is so when the version operator says so and its record agrees', () => {
      const result = assessed({ conditions: said('True', 'Working towards 4.18.15'), history: [partial] })
      const { type, status, reason, message } = result?.conditions?.[0] ?? {}
      assert.deepEqual([type, status, reason], ['Updating', 'True', 'Progressing'])
      assert.equal(message, "ClusterVersion has Progressing=True(Reason=) | Message='Working towards 4.18.15'")
      assert.equal(result?.assessment, 'Progressing')
    })

    it('T15 is not so when both say that it is done', () => {
      const result = assessed({ conditions: said('False', 'Cluster version is 4.18.15'), history: [completed] })
      const { status, reason, message } = result?.conditions?.[0] ?? {}
      assert.deepEqual([status, reason], ['False', 'NotProgressing'])
      assert.equal(message, "ClusterVersion has Progressing=False(Reason=) | Message='Cluster version is 4.18.15'")
      assert.deepEqual([result?.assessment, result?.completionPercent], ['Completed', 100])
    })

    it('T16 is unknown without a word about it', () => {
      const { status, reason, message } = updating({ conditions: [] }) ?? {}
      assert.deepEqual([status, reason], ['Unknown', 'CannotDetermineUpdating'])
      assert.equal(message, 'No Progressing condition in ClusterVersion')
    })

    it('T17 is unknown without a record', () => {
      const { status, message } = updating({ conditions: said('False', 'x'), history: [] }) ?? {}
      assert.equal(status, 'Unknown')
      assert.equal(message, "ClusterVersion has Progressing=False(Reason=) | Message='x' | Empty history in ClusterVersion")
    })

    for (const [id, progressing, newest, end] of [
      ['T18', 'True', completed, 'Progressing=True in ClusterVersion but last history item is not Partial'],
      [
        'T19',
        'True',
        entry('Partial', v2, start, at('12:05:00')),
        'Progressing=True in ClusterVersion but last history item has completion time',
      ],
      ['T20', 'False', partial, 'Progressing=False in ClusterVersion but last history item is not completed'],
      ['T21', 'False', entry('Completed', v2, start), 'Progressing=False in ClusterVersion but no completion in last history item'],
    ] as const) {
      it(`${id} is unknown when they do not fit together: ${end}`, () => {
        const result = assessed({ conditions: said(progressing, 'words'), history: [newest] })
        const { status, reason, message } = result?.conditions?.[0] ?? {}
        assert.deepEqual([status, reason, result?.assessment], ['Unknown', 'CannotDetermineUpdating', 'Unknown'])
        assert.equal(message, `ClusterVersion has Progressing=${progressing}(Reason=) | Message='words' | ${end}`)
      })
    }

    it('T22 is unknown when the version operator says what nobody understands', () => {
      const conditions = [condition('Progressing', 'WhatEver', { reason: 'SomeReason', message: 'm' })]
      const { status, message } = updating({ conditions, history: [partial] }) ?? {}
      assert.equal(status, 'Unknown')
      assert.equal(message, "ClusterVersion has Progressing=WhatEver(Reason=SomeReason) | Message='m'")
    })

    it('T23 takes a null where there should be no time for none', () => {
      assert.equal(partial.completionTime, null)
      assert.equal(updating({ history: [partial, entry('Completed', v1, start - 1000, start)] })?.status, 'True')
    })

    it('T24 keeps the time of the transition while only words change', () => {
      const first = assessClusterVersion(aClusterVersion(), undefined, nobody, start, mode).status
      const later = aClusterVersion({ conditions: said('True', 'Working towards 4.18.16: 5 of 862 done') })
      const second = assessClusterVersion(later, first, nobody, at('12:20:00'), mode).status?.conditions?.[0]
      assert.equal(second?.lastTransitionTime, '2025-06-27T12:00:00Z')
      assert.match(second.message, /5 of 862/)
    })

    it('T25 moves it when the answer changes', () => {
      const first = assessClusterVersion(aClusterVersion(), undefined, nobody, start, mode).status
      const later = aClusterVersion({ conditions: said('False', 'Cluster version is 4.18.16'), history: [completed] })
      const second = assessClusterVersion(later, first, nobody, at('13:00:10'), mode).status?.conditions?.[0]
      assert.deepEqual([second?.status, second?.lastTransitionTime], ['False', '2025-06-27T13:00:10Z'])
    })
  })
}
