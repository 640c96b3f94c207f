import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { ConfigMap, Namespace } from '@windlass/api'
import { setControllerReference } from '../objects/index.ts'
import { type Action, branch, create, ensure, event, plan, remove, status, subjectOf } from './index.ts'
import { aStoredWidget, anExecutor, type Cluster, clusterOn, Widget, widgetDraft } from './testing/index.ts'

const startCluster = async (): Promise<Cluster> => clusterOn(await startTestServer(), admin)

describe('a plan', () => {
  it('N12 is carried out in order, and ends with the first action that fails', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    const stored = aStoredWidget('a')
    const { results, marks, failure } = await execute(
      create(Widget, widgetDraft('a'), 'first'),
      create(Widget, widgetDraft('b', { replicas: -1 }), 'it breaks a rule'),
      event(stored, 'Normal', 'Created', 'two were created'),
    )
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['sent', 'failed'],
    )
    assert.equal(marks.length, 1)
    assert.equal(failure?.isConflict, false)
    assert.match(results[1]?.detail ?? '', /spec.replicas/)
    assert.deepEqual(cluster.occurrences, [])
  })

  it('N12 in branches goes on with the others when one fails, and says everything that went wrong', async () => {
    await using cluster = await startCluster()
    const { executor } = anExecutor(cluster)
    const broken = (name: string): Action => create(Widget, widgetDraft(name, { replicas: -1 }), 'it breaks a rule')
    const { results, failure } = await executor.execute(
      plan(
        create(Widget, widgetDraft('first'), 'first'),
        branch('a', broken('a'), create(Widget, widgetDraft('after-a'), 'never')),
        branch('b', create(Widget, widgetDraft('b'), 'it has nothing to do with the others')),
        branch('c', broken('c')),
        create(Widget, widgetDraft('last'), 'it is on the trunk'),
      ),
    )
    assert.deepEqual(
      results.map(({ action, outcome }) => [subjectOf(action)?.ref.name, outcome]),
      [
        ['first', 'sent'],
        ['a', 'failed'],
        ['b', 'sent'],
        ['c', 'failed'],
        ['last', 'sent'],
      ],
    )
    assert.ok(failure?.error instanceof AggregateError)
    assert.match(failure.error.message, /2 parts of the plan failed: .*spec.replicas.*; .*spec.replicas/)
    assert.equal(failure.isConflict, false)
  })

  it('N12 that needs a new object has a conflict when there is one', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    await cluster.client.create(Widget, widgetDraft('a'))
    const { results, failure } = await execute(
      create(Widget, widgetDraft('a'), 'there is none', { mustBeNew: true }),
      create(Widget, widgetDraft('b'), 'never'),
    )
    assert.deepEqual([results.length, failure?.isConflict], [1, true])
  })

  it('N12 for a namespace that is being deleted has a conflict: what it was made for goes too', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    await cluster.client.create(Namespace, { metadata: { name: 'team', finalizers: ['example.com/slow'] } })
    await cluster.client.delete(Namespace, { name: 'team' })
    const late = { metadata: { namespace: 'team', name: 'late' } }
    const { failure } = await execute(create(ConfigMap, late, 'it is late'))
    assert.match(String(failure?.error), /being terminated/)
    assert.equal(failure?.isConflict, true)
  })

  it('N18 tells people by events', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    const regarding = aStoredWidget('a')
    await execute(event(regarding, 'Warning', 'Stuck', 'it does not move', 'somebody should know'))
    assert.deepEqual(cluster.occurrences, [{ regarding, type: 'Warning', reason: 'Stuck', note: 'it does not move' }])
  })

  it('N12 sends nothing after its signal was aborted', async () => {
    await using cluster = await startCluster()
    const { executor } = anExecutor(cluster)
    const signal = AbortSignal.abort(new Error('leadership was lost'))
    const { failure, marks } = await executor.execute(plan(create(Widget, widgetDraft('a'), 'first')), signal)
    assert.match(String(failure?.error), /leadership was lost/)
    assert.deepEqual(marks, [])
    assert.deepEqual(cluster.sent(), [])
  })

  it('N12 where writing is not allowed, says what it would do and does nothing', async () => {
    await using cluster = await startCluster()
    const own = (action: Action): boolean => action.do !== 'event' && action.kind !== Widget
    const { execute, cache } = anExecutor(cluster, { allows: own })
    cache.put(Widget, aStoredWidget('a', { spec: { replicas: 1 } }))
    const { results } = await execute(
      ensure(Widget, widgetDraft('a', { replicas: 1 }), 'it is so'),
      ensure(Widget, widgetDraft('a', { replicas: 2 }), 'two'),
      remove(Widget, aStoredWidget('a'), 'nobody wants it'),
      event(aStoredWidget('a'), 'Normal', 'Removed', 'it was removed'),
      create(ConfigMap, { metadata: { namespace: 'default', name: 'a' } }, 'our own kind'),
    )
    assert.deepEqual(
      results.map(({ outcome, patch }) => [outcome, patch]),
      [
        ['skipped', undefined],
        ['refused', { spec: { replicas: 2 } }],
        ['refused', undefined],
        ['refused', undefined],
        ['sent', undefined],
      ],
    )
    assert.deepEqual(cluster.sent(), ['POST /api/v1/namespaces/default/configmaps'])
    assert.deepEqual(cluster.occurrences, [])
  })

  it('N17 that made everything so sends nothing the second time', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    const owner = await cluster.client.create(Widget, widgetDraft('owner'))
    cache.put(Widget, owner)
    const actions = (): readonly Action[] => {
      const seen = cache.get(Widget, { namespace: 'default', name: 'owner' }) ?? owner
      const child = setControllerReference({ metadata: { namespace: 'default', name: 'child' }, data: { a: '1' } }, owner)
      return [ensure(ConfigMap, child, 'it needs one'), status(Widget, seen, { phase: 'Up' }, 'it is up')]
    }
    await execute(...actions())
    assert.equal(cluster.sent().length, 3)
    const { results } = await execute(...actions())
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['skipped', 'skipped'],
    )
    assert.deepEqual(cluster.sent(), [])
  })
})
