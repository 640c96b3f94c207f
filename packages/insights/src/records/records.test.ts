import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterOperatorProgressInsight, MachineConfigPoolProgressInsight, type NodeProgressInsight, nodeSummaries } from '@windlass/api'
import {
  aClusterOperatorProgressInsight,
  aCondition,
  aMachineConfigPoolProgressInsight,
  aNodeProgressInsight,
} from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'
import { aClusterVersion, at, entry, start, v0, v1, v2 } from '../testing/index.ts'
import { learnFrom, noteOperator, notePool, recordAnnotation, recordsOf, updateOf } from './index.ts'

const day = 24 * 3600_000
const minute = 60_000

/** Two updates before the one that runs, and the installation. */
const history = [
  entry('Partial', v2, start),
  entry('Completed', v1, start - day, start - day + 60 * minute),
  entry('Completed', v0, start - 2 * day, start - 2 * day + 3600_000),
]
const clusterVersion = aClusterVersion({ history })
const update = updateOf(clusterVersion)

const operator = (reason: string, records: readonly object[] = []): ClusterOperatorProgressInsight =>
  aClusterOperatorProgressInsight({
    name: 'etcd',
    metadata: { name: 'etcd', annotations: records.length === 0 ? {} : { [recordAnnotation]: JSON.stringify(records) } },
    status: { name: 'etcd', conditions: [aCondition('Updating', reason === 'Progressing' ? 'True' : 'False', reason)] },
  })

const pool = (reason: string, begun: string): MachineConfigPoolProgressInsight =>
  aMachineConfigPoolProgressInsight({
    name: 'worker',
    status: {
      name: 'worker',
      scopeType: 'WorkerPool',
      assessment: 'Progressing',
      completionPercent: 0,
      summaries: nodeSummaries.map((type) => ({ type, count: type === 'Total' ? 3 : 0 })),
      conditions: [{ ...aCondition('Updating', reason === 'Progressing' ? 'True' : 'False', reason), lastTransitionTime: begun }],
    },
  })

/** The newest record that a note adds. */
const noted = (action: ReturnType<typeof noteOperator>) => {
  const metadata = action?.patch['metadata'] as { readonly annotations: Readonly<Record<string, string>> } | undefined
  return metadata === undefined ? undefined : recordsOf({ metadata })[0]
}

describe('a record', () => {
  it('is made when an operator is seen to get to the version of the update that runs', () => {
    const record = noted(noteOperator(operator('Progressing'), operator('Updated').status, update, at('12:07:00')))
    assert.deepEqual(record, { to: v2, started: formatTime(start), doneAfter: 420 })
    assert.notEqual(noted(noteOperator(operator('Pending'), operator('Updated').status, update, at('12:07:00'))), undefined)
  })

  it('is not made when nobody knows when it got there, or twice', () => {
    assert.equal(noteOperator(undefined, operator('Updated').status, update, at('12:07:00')), undefined)
    assert.equal(noteOperator(operator('Updated'), operator('Updated').status, update, at('12:07:00')), undefined)
    const once = operator('Progressing', [{ to: v2, started: formatTime(start), doneAfter: 60 }])
    assert.equal(noteOperator(once, operator('Updated').status, update, at('12:07:00')), undefined)
  })

  it('is made of an update that begins in the second in which one to another version began', () => {
    const goneBack = operator('Progressing', [{ to: v1, started: formatTime(start), doneAfter: 0 }])
    const record = noted(noteOperator(goneBack, operator('Updated').status, update, at('12:07:00')))
    assert.deepEqual(record, { to: v2, started: formatTime(start), doneAfter: 420 })
  })

  it('is not made of an installation, nor when no update runs', () => {
    const installing = updateOf(aClusterVersion({ history: [entry('Partial', v2, start)] }))
    assert.equal(noteOperator(operator('Progressing'), operator('Updated').status, installing, at('12:07:00')), undefined)
    const over = updateOf(aClusterVersion({ history: [entry('Completed', v2, start, start + minute), ...history.slice(1)] }))
    assert.equal(noteOperator(operator('Progressing'), operator('Updated').status, over, at('12:07:00')), undefined)
  })

  it('of a pool says when its first node was touched, and how many it has', () => {
    const done = pool('Updated', formatTime(at('13:10:00'))).status
    const record = noted(notePool(pool('Progressing', formatTime(at('12:40:00'))), done, 3, update, at('13:10:00')))
    assert.deepEqual(record, { to: v2, started: formatTime(start), doneAfter: 4200, begunAfter: 2400, nodes: 3 })
  })

  it('of a pool has the number of its nodes, not of those that a summary has room for', () => {
    const done = pool('Updated', formatTime(at('13:10:00'))).status
    assert.equal(noted(notePool(pool('Progressing', formatTime(at('12:40:00'))), done, 2100, update, at('13:10:00')))?.nodes, 2100)
  })

  it('of a pool is made after its control plane is done, unless that was done before the pool began', () => {
    const done = pool('Updated', formatTime(at('13:10:00'))).status
    const over = updateOf(aClusterVersion({ history: [entry('Completed', v2, start, at('13:00:00')), ...history.slice(1)] }))
    assert.notEqual(notePool(pool('Progressing', formatTime(at('12:40:00'))), done, 3, over, at('13:10:00')), undefined)
    assert.equal(notePool(pool('Progressing', formatTime(at('13:05:00'))), done, 3, over, at('13:10:00')), undefined)
    assert.equal(notePool(pool('Paused', formatTime(at('12:40:00'))), done, 3, over, at('13:10:00')), undefined)
  })

  it('is one of five: the oldest goes', () => {
    const five = [1, 2, 3, 4, 5].map((age) => ({ to: v1, started: formatTime(start - age * day), doneAfter: 1 }))
    const action = noteOperator(operator('Progressing', five), operator('Updated').status, update, at('12:07:00'))
    const metadata = action?.patch['metadata'] as { readonly annotations: Readonly<Record<string, string>> }
    assert.deepEqual(
      recordsOf({ metadata }).map(({ started }) => started),
      [formatTime(start), ...five.slice(0, 4).map(({ started }) => started)],
    )
  })

  it('that cannot be read is none', () => {
    for (const text of ['', 'no JSON', '7', '[7, null, {"to":"4.1.1"}]', '[{"to":"4.1.1","started":"x","doneAfter":"soon"}]'])
      assert.deepEqual(recordsOf({ metadata: { annotations: { [recordAnnotation]: text } } }), [])
  })
})

describe('what is learned', () => {
  const lessons = { clusterVersion, operators: [], pools: [], nodes: [] }
  const then = { to: v1, started: formatTime(start - day), doneAfter: 300 }

  it('needs a finished update with a record of its parts', () => {
    assert.deepEqual(learnFrom({ ...lessons, operators: [operator('Pending')] }, at('12:01:00')).controlPlane, { state: 'unlearned' })
    const { controlPlane } = learnFrom({ ...lessons, operators: [operator('Pending', [then])] }, at('12:01:00'))
    assert.ok(controlPlane?.state === 'expected')
    assert.equal(controlPlane.likely, at('13:00:00'))
  })

  it('is nothing without a cluster version, of an installation, and of a control plane that is done', () => {
    const operators = [operator('Pending', [then])]
    assert.equal(learnFrom({ ...lessons, operators, clusterVersion: undefined }, at('12:01:00')).controlPlane, undefined)
    const done = aClusterVersion({ history: [entry('Completed', v2, start, at('12:30:00')), ...history.slice(1)] })
    assert.equal(learnFrom({ ...lessons, operators, clusterVersion: done }, at('12:31:00')).controlPlane, undefined)
  })

  it('counts all nodes of a pool, also those that its summary has no room for', () => {
    const of = (count: number): readonly NodeProgressInsight[] =>
      Array.from({ length: count }, (_, index) => {
        const name = `worker-${index}`
        const poolResource = { group: 'machineconfiguration.openshift.io', resource: 'machineconfigpools', name: 'worker' }
        const conditions = [{ ...aCondition('Updating', 'False', 'Pending'), lastTransitionTime: formatTime(start) }]
        return aNodeProgressInsight({ name, status: { name, poolResource, scopeType: 'WorkerPool', conditions } })
      })
    const worker = pool('Progressing', formatTime(start))
    const summaries = nodeSummaries.map((type) => ({ type, count: type === 'Total' || type === 'Outdated' ? 2000 : 0 }))
    const large = {
      ...worker,
      metadata: {
        name: 'worker',
        annotations: { [recordAnnotation]: JSON.stringify([{ ...then, doneAfter: 4200, begunAfter: 0, nodes: 4200 }]) },
      },
      status: { ...(worker.status ?? assert.fail()), summaries },
    }
    const likely = (count: number) => {
      const estimate = learnFrom({ ...lessons, pools: [large], nodes: of(count) }, start).pools.get('worker')
      return estimate?.state === 'expected' ? estimate.likely : assert.fail(estimate?.state)
    }
    // A second each.
    assert.equal(likely(0), start + 2000_000)
    assert.equal(likely(2100), start + 2100_000)
  })

  it('names what it waits for: operators, or more nodes of a pool', () => {
    const records = [{ ...then, doneAfter: 1200, begunAfter: 600, nodes: 3 }]
    const worker = pool('Progressing', formatTime(at('12:10:00')))
    const summaries = nodeSummaries.map((type) => ({ type, count: type === 'Total' || type === 'Outdated' ? 3 : 0 }))
    const behind = {
      ...worker,
      metadata: { name: 'worker', annotations: { [recordAnnotation]: JSON.stringify(records) } },
      status: { ...(worker.status ?? assert.fail()), summaries },
    }
    const { controlPlane, pools } = learnFrom({ ...lessons, operators: [operator('Pending', [then])], pools: [behind] }, at('15:00:00'))
    assert.ok(controlPlane?.state === 'stalled')
    assert.deepEqual(controlPlane.on, ['etcd'])
    const stalled = learnFrom({ ...lessons, pools: [behind] }, at('15:00:00')).pools.get('worker')
    assert.ok(stalled?.state === 'stalled')
    assert.deepEqual(stalled.on, ['more nodes of pool worker'])
    assert.equal(pools.get('worker')?.state, 'stalled')
  })

  it('does not wait for an operator that is done and was not seen to get there', () => {
    const { controlPlane } = learnFrom({ ...lessons, operators: [operator('Updated', [then])] }, at('12:30:00'))
    assert.equal(controlPlane?.state, 'expected')
  })
})
