import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { aNamespace, aWidget, type Inbox, type Seen, startTestServer, type TestServer, urls } from '../testing/index.ts'

/** What clients do to three objects. */
interface Step {
  readonly name: string
  readonly change: 'create' | 'remove' | { readonly replicas: number; readonly color: string }
}

const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  change: fc.oneof(
    fc.constantFrom('create' as const, 'remove' as const),
    fc.record({ replicas: fc.nat(3), color: fc.constantFrom('red', 'blue') }),
  ),
})

/** Does it, or fails: both are fine. */
async function take(server: TestServer, namespace: string, { name, change }: Step): Promise<void> {
  const url = urls.widget(name, namespace)
  if (change === 'create') await server.send('POST', urls.widgets(namespace), aWidget(name, { replicas: 1, color: 'red' }))
  else if (change === 'remove') await server.send('DELETE', url)
  else await server.send('PATCH', url, { spec: change }, { 'content-type': 'application/merge-patch+json' })
}

/** What an informer holds after a list and the events behind it. */
function cacheAfter(list: Seen, { events }: Inbox): readonly Seen[] {
  const cache = new Map(list.items.map((object) => [object.metadata.name, object]))
  for (const { type, object } of events) {
    if (type === 'DELETED') assert.ok(cache.delete(object.metadata.name), 'what was never there was deleted')
    else if (type === 'ADDED') assert.ok(!cache.has(object.metadata.name), 'what was there was added')
    else assert.ok(cache.has(object.metadata.name), 'what was not there was modified')
    if (type !== 'DELETED') cache.set(object.metadata.name, object)
  }
  return [...cache.values()].toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
}

for (const selector of ['', '?fieldSelector=spec.color%3Dred', '?fieldSelector=metadata.name%3Db']) {
  test(`W1 W2 W3 a list and every event since are a later list ${selector === '' ? '' : `of ${decodeURIComponent(selector.slice(15))}`}`, async () => {
    await using server = await startTestServer()
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.array(step, { maxLength: 8 }), fc.boolean(), async (before, after, isLate) => {
        const namespace = `n${round++}`
        await server.create(urls.namespaces, aNamespace(namespace))
        const url = urls.widgets(namespace) + selector
        for (const each of before) await take(server, namespace, each)
        const list = await server.get(url)
        const open = (): Promise<Inbox> =>
          server.watch(`${url}${selector === '' ? '?' : '&'}resourceVersion=${list.metadata.resourceVersion}`)
        // From the log, or live: it must not matter.
        const early = isLate ? undefined : await open()
        for (const each of after) await take(server, namespace, each)
        const watch = early ?? (await open())
        await server.settle()
        watch.leave()
        const later = await server.get(url)
        assert.deepEqual(cacheAfter(list, watch), later.items)
      }),
      { numRuns: 30 },
    )
  })
}
