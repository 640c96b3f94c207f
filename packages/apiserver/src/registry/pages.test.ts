import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { aConfigMap, aWidget, type Client, type Seen, startTestServer, urls } from '../testing/index.ts'

const namesOf = ({ items }: Seen): readonly string[] => items.map(({ metadata }) => metadata.name)

async function withWidgets(client: Client, ...names: string[]): Promise<void> {
  for (const name of names) await client.create(urls.widgets(), aWidget(name))
}

/** The next page, or undefined when this was the last. */
function nextOf(url: string, page: Seen): string | undefined {
  const token = page.metadata.continue
  return token === undefined ? undefined : `${url}&continue=${encodeURIComponent(token)}`
}

async function allPages(client: Client, url: string, between: (page: number) => Promise<void> = async () => {}): Promise<readonly Seen[]> {
  const pages: Seen[] = []
  for (let next: string | undefined = url; next !== undefined; next = nextOf(url, pages.at(-1) as Seen)) {
    pages.push(await client.get(next))
    await between(pages.length)
  }
  return pages
}

test('R5 pages follow each other until the last, which has no token', async () => {
  await using server = await startTestServer()
  await withWidgets(server, 'a', 'b', 'c', 'd', 'e')
  const pages = await allPages(server, `${urls.widgets()}?limit=2`)
  assert.deepEqual(pages.map(namesOf), [['a', 'b'], ['c', 'd'], ['e']])
})

test('R5 remainingItemCount says how much is left, and is absent on the last page', async () => {
  await using server = await startTestServer()
  await withWidgets(server, 'a', 'b', 'c', 'd', 'e')
  const pages = await allPages(server, `${urls.widgets()}?limit=2`)
  assert.deepEqual(
    pages.map(({ metadata }) => metadata.remainingItemCount),
    [3, 1, undefined],
  )
})

test('R5 a page that ends with the last object has no token', async () => {
  await using server = await startTestServer()
  await withWidgets(server, 'a', 'b')
  for (const limit of [2, 3]) {
    const { metadata } = await server.get(`${urls.widgets()}?limit=${limit}`)
    assert.equal(metadata.continue, undefined)
    assert.equal(metadata.remainingItemCount, undefined)
  }
})

test('R5 R1 all pages are one snapshot: what is added, changed or deleted in between does not show', async () => {
  await using server = await startTestServer()
  await withWidgets(server, 'a', 'b', 'c', 'd')
  const pages = await allPages(server, `${urls.widgets()}?limit=2`, async (page) => {
    if (page !== 1) return
    await withWidgets(server, 'aa', 'bb')
    await server.merge(urls.widget('c'), { spec: { replicas: 9 } })
    await server.remove(urls.widget('d'))
  })
  assert.deepEqual(pages.flatMap(namesOf), ['a', 'b', 'c', 'd'])
  assert.equal(pages[1]?.items[0]?.spec['replicas'], 1)
  assert.equal(new Set(pages.map(({ metadata }) => metadata.resourceVersion)).size, 1)
})

test('R5 remainingItemCount of a page at an old revision counts the objects of that revision', async () => {
  await using server = await startTestServer()
  await withWidgets(server, 'a', 'b', 'c')
  const { metadata } = await server.get(urls.widgets())
  await withWidgets(server, 'd', 'e')
  const page = await server.get(`${urls.widgets()}?limit=1&resourceVersion=${metadata.resourceVersion}`)
  assert.ok(page.metadata.continue !== undefined)
  // It may be left out; where it is given it must be right.
  assert.ok([undefined, 2].includes(page.metadata.remainingItemCount), `${page.metadata.remainingItemCount}`)
})

test('R5 a page of a selection has no remainingItemCount, and a selection ends without an empty page', async () => {
  await using server = await startTestServer()
  for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    await server.create(urls.widgets(), aWidget(name, {}, { labels: { parity: index % 2 === 0 ? 'even' : 'odd' } }))
  }
  const odd = await allPages(server, `${urls.widgets()}?limit=1&labelSelector=parity%3Dodd`)
  assert.deepEqual(odd.map(namesOf), [['b'], ['d']])
  assert.ok(odd.every(({ metadata }) => metadata.remainingItemCount === undefined))
  await server.remove(urls.widget('e'))
  const even = await allPages(server, `${urls.widgets()}?limit=2&labelSelector=parity%3Deven`)
  assert.deepEqual(even.map(namesOf), [['a', 'c']])
})

test('R5 a Table has the same pages', async () => {
  await using server = await startTestServer()
  await withWidgets(server, 'a', 'b', 'c')
  const accept = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
  const first = await server.get(`${urls.widgets()}?limit=2`, accept)
  assert.equal(first.kind, 'Table')
  assert.equal(first.metadata.remainingItemCount, 1)
  const second = await server.get(`${urls.widgets()}?limit=2&continue=${first.metadata.continue}`, accept)
  assert.equal(second.metadata.continue, undefined)
})

test('R1 a revision beside a continue token is 400', async () => {
  await using server = await startTestServer()
  await withWidgets(server, 'a', 'b')
  const { metadata } = await server.get(`${urls.widgets()}?limit=1`)
  const url = `${urls.widgets()}?limit=1&continue=${metadata.continue}&resourceVersion=${metadata.resourceVersion}`
  const status = await server.refused('GET', url)
  assert.equal(status.code, 400)
  assert.equal(status.message, 'specifying resource version is not allowed when using continue')
})

test('R7 a token whose revision is compacted is 410 with a token to go on inconsistently', async () => {
  await using server = await startTestServer()
  await withWidgets(server, 'a', 'b', 'c')
  const first = await server.get(`${urls.widgets()}?limit=1`)
  await withWidgets(server, 'd')
  await server.api.compact()
  const expired = await server.refused('GET', `${urls.widgets()}?limit=1&continue=${first.metadata.continue}`)
  assert.equal(expired.code, 410)
  assert.equal(expired.reason, 'Expired')
  assert.match(expired.message, /^The provided continue parameter is too old to display a consistent list result\./)
  const token = expired.metadata.continue ?? ''
  assert.equal(JSON.parse(Buffer.from(token, 'base64url').toString('utf8')).rv, -1)
  const rest = await server.get(`${urls.widgets()}?limit=5&continue=${token}`)
  assert.deepEqual(namesOf(rest), ['b', 'c', 'd'])
})

test('R7 an inconsistent list settles on the revision of its next page, and a further compaction expires that one too', async () => {
  await using server = await startTestServer()
  await withWidgets(server, 'a', 'b', 'c', 'd')
  const first = await server.get(`${urls.widgets()}?limit=1`)
  await withWidgets(server, 'e')
  await server.api.compact()
  const { metadata } = await server.refused('GET', `${urls.widgets()}?limit=1&continue=${first.metadata.continue}`)
  const second = await server.get(`${urls.widgets()}?limit=2&continue=${metadata.continue}`)
  await withWidgets(server, 'f')
  await server.api.compact()
  const again = await server.refused('GET', `${urls.widgets()}?limit=9&continue=${second.metadata.continue}`)
  assert.equal(again.code, 410)
  const third = await server.get(`${urls.widgets()}?limit=9&continue=${again.metadata.continue}`)
  assert.deepEqual([...namesOf(second), ...namesOf(third)], ['b', 'c', 'd', 'e', 'f'])
})

test('R5 pages of any size, one after the other, are the list, whatever is written in between', async () => {
  await using server = await startTestServer()
  let round = 0
  const page = fc.integer({ min: 1, max: 8 })
  const disturbance = fc.record({ name: fc.constantFrom('a0', 'c5', 'm', 'zz'), isRemoved: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.nat(12), page, fc.array(disturbance, { maxLength: 6 }), async (size, limit, disturbances) => {
      const namespace = `n${round++}`
      await server.create(urls.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
      for (let index = 0; index < size; index++) await server.create(urls.configMaps(namespace), aConfigMap(`c${index}`))
      const whole = await server.get(urls.configMaps(namespace))
      const url = `${urls.configMaps(namespace)}?limit=${limit}&resourceVersion=${whole.metadata.resourceVersion}`
      const pages: Seen[] = [await server.get(url)]
      for (let left = [...disturbances]; ;) {
        const token = pages.at(-1)?.metadata.continue
        if (token === undefined) break
        const [next, ...rest] = left
        left = rest
        if (next?.isRemoved === true) await server.send('DELETE', urls.configMap(next.name, namespace))
        else if (next !== undefined) await server.send('POST', urls.configMaps(namespace), aConfigMap(next.name))
        pages.push(await server.get(`${urls.configMaps(namespace)}?limit=${limit}&continue=${token}`))
      }
      assert.deepEqual(
        pages.flatMap(({ items }) => items),
        whole.items,
      )
      assert.ok(pages.every(({ items }) => items.length <= limit))
    }),
    { numRuns: 25 },
  )
})
