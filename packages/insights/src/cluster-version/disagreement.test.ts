import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aClusterVersion, at, condition, entry, start, v1, v2 } from '../testing/index.ts'
import { assessClusterVersion, type ProgressStatus } from './assess.ts'
import { disagreementWith } from './disagreement.ts'

const day = 24 * 3600_000
const before = entry('Completed', v1, start - day, start - day + 3600_000)
const resting = aClusterVersion({ desired: v1, history: [before], conditions: [condition('Progressing', 'False')] })
const updating = aClusterVersion()
const updated = aClusterVersion({
  history: [entry('Completed', v2, start, at('13:00:00')), before],
  conditions: [condition('Progressing', 'False')],
})

const statusOf = (clusterVersion: typeof updating): ProgressStatus =>
  assessClusterVersion(clusterVersion, undefined, { operators: [], pools: [] }, at('12:10:00'), 'compat').status ?? assert.fail()

describe('an insight and its cluster version', () => {
  it('agree in every state of which the insight was made', () => {
    const contradicting = aClusterVersion({ conditions: [condition('Progressing', 'False')] })
    const silent = aClusterVersion({ conditions: [] })
    const unwritten = aClusterVersion({ history: [] })
    for (const clusterVersion of [resting, updating, updated, contradicting, silent, unwritten])
      assert.equal(disagreementWith(clusterVersion, statusOf(clusterVersion)), undefined)
  })

  it('disagree when the insight is about an earlier update', () => {
    const problem = disagreementWith(updating, statusOf(resting)) ?? assert.fail()
    assert.match(
      problem,
      /^it tells of the update to 4\.18\.15 that began at .*, not of the one to 4\.18\.16 that began at 2025-06-27T12:00:00Z$/,
    )
    const again = aClusterVersion({ history: [entry('Partial', v2, at('15:00:00')), entry('Partial', v2, start, at('15:00:00')), before] })
    assert.match(disagreementWith(again, statusOf(updating)) ?? '', / that began at 2025-06-27T15:00:00Z$/)
  })

  it('disagree when the insight has not heard of the end', () => {
    assert.equal(disagreementWith(updated, statusOf(updating)), 'it says Updating=True where the ClusterVersion comes to Updating=False')
  })

  it('disagree when the insight says nothing', () => {
    assert.equal(disagreementWith(updating, undefined), 'it has no status')
    assert.equal(disagreementWith(updating, { ...statusOf(updating), conditions: [] }), 'it has no Updating condition')
  })
})
