import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap, type ObjectMeta, Secret } from '@windlass/api'
import { done } from '../plan/index.ts'
import { keyOf, setControllerReference } from '../objects/index.ts'
import { aStoredWidget, Gadget, Widget } from '../plan/testing/index.ts'
import { type ControllerDefinition, every, generationChanged, watching } from './index.ts'
import { stage, type Stage } from './testing/index.ts'

/** A controller of Widgets that only notes whom it looks at. */
function noting(seen: string[], parts: Partial<ControllerDefinition<Widget, true>> = {}): ControllerDefinition<Widget, true> {
  return {
    name: 'widgets',
    for: Widget,
    observe: (ref) => (seen.push(keyOf(ref)), true),
    decide: () => done,
    ...parts,
  }
}

async function running(controller: Stage): Promise<() => Promise<void>> {
  const run = controller.run()
  await controller.clock.settle()
  return async () => {
    controller.stop()
    await run
  }
}

const aMap = (name: string, metadata: ObjectMeta = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name, uid: name, resourceVersion: '1', ...metadata },
})

const owner = aStoredWidget('owner')

describe('what a controller hears of', () => {
  it('N10 for: an object that appears, changes or vanishes is looked at', async () => {
    const seen: string[] = []
    const controller = stage(noting(seen))
    const end = await running(controller)
    controller.cache.put(Widget, owner)
    await controller.clock.settle()
    controller.cache.put(Widget, aStoredWidget('owner', { metadata: { resourceVersion: '2' } }))
    await controller.clock.settle()
    controller.cache.remove(Widget, { namespace: 'default', name: 'owner' })
    await controller.clock.settle()
    assert.deepEqual(seen, ['default/owner', 'default/owner', 'default/owner'])
    await end()
  })

  it('N10 for: changes that the predicate refuses are none', async () => {
    const seen: string[] = []
    const controller = stage(noting(seen, { predicate: generationChanged }))
    const end = await running(controller)
    controller.cache.put(Widget, owner)
    await controller.clock.settle()
    controller.cache.put(Widget, aStoredWidget('owner', { metadata: { resourceVersion: '2' }, status: { phase: 'Up' } }))
    await controller.clock.settle()
    assert.deepEqual(seen, ['default/owner'])
    await end()
  })

  it('N10 owns: the controller of an object that changes is looked at', async () => {
    const seen: string[] = []
    const controller = stage(noting(seen, { owns: [ConfigMap] }))
    const end = await running(controller)
    controller.cache.put(ConfigMap, setControllerReference(aMap('a'), owner))
    await controller.clock.settle()
    assert.deepEqual(seen, ['default/owner'])
    await end()
  })

  it('N10 owns: by group and kind, by controller and not by any owner, by uid where the owner is known', async () => {
    const seen: string[] = []
    const controller = stage(noting(seen, { owns: [ConfigMap] }))
    const end = await running(controller)
    const reference = { apiVersion: 'test.windlass.dev/v1', kind: 'Widget', name: 'owner', uid: 'owner-uid', controller: true }
    controller.cache.put(ConfigMap, aMap('nobody'))
    controller.cache.put(ConfigMap, aMap('other-group', { ownerReferences: [{ ...reference, apiVersion: 'apps/v1' }] }))
    controller.cache.put(ConfigMap, aMap('other-kind', { ownerReferences: [{ ...reference, kind: 'Gadget' }] }))
    controller.cache.put(ConfigMap, aMap('no-controller', { ownerReferences: [{ ...reference, controller: false }] }))
    await controller.clock.settle()
    assert.deepEqual(seen, [])
    controller.cache.put(ConfigMap, aMap('other-version', { ownerReferences: [{ ...reference, apiVersion: 'test.windlass.dev/v2' }] }))
    await controller.clock.settle()
    assert.deepEqual(seen.splice(0), ['default/owner'])
    controller.cache.put(Widget, aStoredWidget('owner', { metadata: { uid: 'made-anew' } }))
    await controller.clock.settle()
    seen.splice(0)
    controller.cache.put(ConfigMap, aMap('of-the-old-one', { ownerReferences: [reference] }))
    await controller.clock.settle()
    assert.deepEqual(seen, [])
    await end()
  })

  it('N10 owns: an object without a namespace is the owner wherever the owned one is', async () => {
    const seen: string[] = []
    const gadgets: ControllerDefinition<Gadget, true> = {
      name: 'gadgets',
      for: Gadget,
      owns: [ConfigMap],
      observe: (ref) => (seen.push(keyOf(ref)), true),
      decide: () => done,
    }
    const controller = stage(gadgets)
    const end = await running(controller)
    const gadget: Gadget = { apiVersion: 'test.windlass.dev/v1', kind: 'Gadget', metadata: { name: 'g', uid: 'g' }, spec: {} }
    controller.cache.put(ConfigMap, setControllerReference(aMap('a'), gadget))
    await controller.clock.settle()
    assert.deepEqual(seen, ['g'])
    await end()
  })

  it('N10 owns: when an object changes hands, both look', async () => {
    const seen: string[] = []
    const controller = stage(noting(seen, { owns: [ConfigMap] }))
    const end = await running(controller)
    controller.cache.put(ConfigMap, setControllerReference(aMap('a'), owner))
    await controller.clock.settle()
    seen.splice(0)
    controller.cache.put(ConfigMap, setControllerReference(aMap('a', { resourceVersion: '2' }), aStoredWidget('heir')))
    await controller.clock.settle()
    assert.deepEqual(seen, ['default/heir', 'default/owner'])
    await end()
  })

  it('N10 watches: a change concerns any number of ours', async () => {
    const seen: string[] = []
    const everyWidget = watching(Secret, (_, cache) =>
      cache.list(Widget).map(({ metadata }) => ({ namespace: 'default', name: metadata.name ?? '' })),
    )
    const controller = stage(noting(seen, { watches: [everyWidget] }))
    const end = await running(controller)
    for (const name of ['a', 'b', 'c']) controller.cache.put(Widget, aStoredWidget(name))
    await controller.clock.settle()
    seen.splice(0)
    controller.cache.put(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 's' } })
    await controller.clock.settle()
    assert.deepEqual(seen, ['default/a', 'default/b', 'default/c'])
    await end()
  })

  it('N10 watches: a map or a predicate that throws is told, and takes nothing else down', async () => {
    const seen: string[] = []
    const bad = watching(ConfigMap, () => {
      throw new TypeError('no such thing')
    })
    const controller = stage(noting(seen, { watches: [bad] }))
    const end = await running(controller)
    controller.cache.put(ConfigMap, aMap('a'))
    controller.cache.put(Widget, owner)
    await controller.clock.settle()
    assert.deepEqual(seen, ['default/owner'])
    assert.ok(controller.counts.includes('widgets panicked'))
    assert.deepEqual(
      controller.messages.map(({ level, fields }) => [level, fields['name']]),
      [['error', 'a']],
    )
    await end()
  })

  it('N10 sources: a tick, or anything else that gives objects', async () => {
    const seen: string[] = []
    const controller = stage(noting(seen, { sources: [every(60_000, () => [{ namespace: 'default', name: 'ticked' }])] }))
    const end = await running(controller)
    await controller.clock.advance(59_999)
    assert.deepEqual(seen, [])
    await controller.clock.advance(1)
    assert.deepEqual(seen, ['default/ticked'])
    await controller.clock.advance(120_000)
    assert.equal(seen.length, 3)
    await end()
    assert.equal(controller.clock.pending, 0)
  })

  it('N10 sources: one that fails ends the run with its error', async () => {
    const controller = stage(
      noting([], {
        sources: [
          every(1_000, () => []),
          async function* () {
            await controller.clock.sleep(10)
            yield { name: 'one' }
            throw new Error('the other end hung up')
          },
        ],
      }),
    )
    const run = controller.run()
    const failed = assert.rejects(run, /the other end hung up/)
    await controller.clock.advance(10)
    await failed
    assert.equal(controller.clock.pending, 0)
  })

  it('N10 trigger: somebody asks for a look', async () => {
    const seen: string[] = []
    const controller = stage(noting(seen))
    const end = await running(controller)
    controller.runner.trigger({ namespace: 'default', name: 'a' })
    await controller.clock.settle()
    assert.deepEqual(seen, ['default/a'])
    await end()
  })

  it('N8 what was there at the start, and what is told again, goes after what happens now', async () => {
    const seen: string[] = []
    const controller = stage(noting(seen))
    controller.cache.put(Widget, aStoredWidget('old'), { isInitial: true })
    controller.cache.put(Widget, aStoredWidget('told-again'))
    controller.runner.trigger({ name: 'first' })
    const end = await running(controller)
    seen.splice(0)
    controller.cache.put(Widget, aStoredWidget('told-again'))
    controller.cache.put(Widget, aStoredWidget('older'), { isInitial: true })
    controller.cache.put(Widget, aStoredWidget('old', { metadata: { resourceVersion: '2' } }))
    assert.deepEqual(
      controller.runner.queue().keys.map(({ key, priority }) => [key, priority]),
      [
        ['default/old', 0],
        ['default/told-again', -100],
        ['default/older', -100],
      ],
    )
    await controller.clock.settle()
    assert.deepEqual(seen, ['default/old', 'default/told-again', 'default/older'])
    await end()
  })

  it('N15 listens before it runs, so that it can go on at once', async () => {
    const seen: string[] = []
    const controller = stage(noting(seen))
    controller.cache.put(Widget, owner)
    await controller.clock.settle()
    assert.deepEqual(seen, [])
    const end = await running(controller)
    assert.deepEqual(seen, ['default/owner'])
    await end()
  })
})
