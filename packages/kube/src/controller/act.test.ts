import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import type { KubernetesObject } from '@windlass/api'
import { create, done, patch, plan, status } from '../plan/index.ts'
import { type Cluster, clusterOn, Widget, widgetDraft } from '../plan/testing/index.ts'
import { finished, reconciling, ref, runFor, stage } from './testing/index.ts'

const startCluster = async (): Promise<Cluster> => clusterOn(await startTestServer(), admin)

describe('acting while deciding', () => {
  it('N12 gives back what the server returned, and the cache has it at once', async () => {
    await using cluster = await startCluster()
    const seen: (KubernetesObject | undefined)[] = []
    const controller = stage(
      reconciling(async ({ act, cache }) => {
        seen.push(await act(create(Widget, widgetDraft('a'), 'it is missing')), cache.get(Widget, ref))
        return plan(patch(Widget, ref, { metadata: { labels: { a: 'b' } } }, 'the rest'))
      }),
      cluster,
    )
    await runFor(controller, 0)
    assert.ok(seen[0]?.metadata.uid !== undefined)
    assert.equal(seen[1]?.metadata.uid, seen[0].metadata.uid)
    const [last] = controller.runner.history.of(ref).toReversed()
    assert.deepEqual(
      last?.actions.map((action) => [action.do, action.outcome]),
      [
        ['create', 'sent'],
        ['patch', 'sent'],
      ],
    )
  })

  it('N12 gives back nothing when nothing is sent', async () => {
    await using cluster = await startCluster()
    const widget = await cluster.client.create(Widget, widgetDraft('a'))
    const seen: unknown[] = []
    const controller = stage(
      reconciling(async ({ act }) => {
        seen.push(await act(create(Widget, widgetDraft('a'), 'it is missing')))
        return done
      }),
      cluster,
    )
    controller.cache.put(Widget, widget)
    await runFor(controller, 0)
    assert.deepEqual([...new Set(seen)], [undefined])
  })

  it('N7 counts as written though the pass fails afterwards', async () => {
    await using cluster = await startCluster()
    const controller = stage(
      reconciling(async ({ act }) => {
        await act(create(Widget, widgetDraft('a'), 'it is missing'))
        throw new Error('then it went wrong')
      }),
      cluster,
    )
    controller.cache.isLate = true
    await runFor(controller, 3_000)
    assert.equal(controller.counts.filter((count) => count.includes('started')).length, 1, 'the next pass waits until the cache shows it')
    const [last] = controller.runner.history.of(ref)
    assert.deepEqual([last?.actions.map(({ outcome }) => outcome), last?.error], [['sent'], 'Error: then it went wrong'])
  })

  it('N17 throws what went wrong; a conflict is tried again without a word', async () => {
    await using cluster = await startCluster()
    const widget = await cluster.client.create(Widget, widgetDraft('a'))
    await cluster.client.patch(Widget, ref, { metadata: { labels: { a: 'b' } } })
    const controller = stage(
      reconciling(async ({ act }) => {
        await act(status(Widget, widget, { phase: 'Ready' }, 'it was seen', { ifUnchanged: true }))
        return done
      }),
      cluster,
    )
    await runFor(controller, 0)
    assert.deepEqual(finished(controller)[0]?.split(' ')[0], 'requeue')
    assert.ok(controller.messages.every(({ level }) => level !== 'error'))
  })

  it('N9 a controller says how soon it tries again', async () => {
    const controller = stage(reconciling(() => Promise.reject(new Error('no')), { backOff: { first: 1_000, longest: 2_000 } }))
    await runFor(controller, 7_500)
    // At 0, 1, 3, 5 and 7 seconds.
    assert.equal(controller.counts.filter((count) => count.includes('started')).length, 5)
  })
})
