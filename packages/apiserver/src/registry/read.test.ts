import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aConfigMap, aNamespace, aWidget, type Client, type Seen, startTestServer, urls } from '../testing/index.ts'

/** Two states of one collection: `a` alone at the first revision, `a` changed beside `b` now. */
async function twoStates(client: Client): Promise<{ readonly before: string; readonly now: string }> {
  await client.create(urls.widgets(), aWidget('a', { replicas: 1 }))
  const { metadata } = await client.get(urls.widgets())
  await client.merge(urls.widget('a'), { spec: { replicas: 2 } })
  const b = await client.create(urls.widgets(), aWidget('b', { replicas: 1 }))
  return { before: metadata.resourceVersion, now: b.metadata.resourceVersion }
}

/** `a=1 b=2`: what a list shows, in short. */
const shown = ({ items }: Seen): string => items.map(({ metadata, spec }) => `${metadata.name}=${String(spec['replicas'])}`).join(' ')

for (const revision of ['', '&resourceVersion=0']) {
  test(`R1 a list ${revision === '' ? 'without a revision' : 'at revision 0'} shows the newest state and says which revision that is`, async () => {
    await using server = await startTestServer()
    const { now } = await twoStates(server)
    const list = await server.get(`${urls.widgets()}?limit=500${revision}`)
    assert.equal(shown(list), 'a=2 b=1')
    assert.equal(list.metadata.resourceVersion, now)
  })
}

test('R1 a get answers the newest state, whatever older revision it names', async () => {
  await using server = await startTestServer()
  const { before } = await twoStates(server)
  for (const revision of ['0', before]) {
    const widget = await server.get(`${urls.widget('a')}?resourceVersion=${revision}`)
    assert.equal(widget.spec['replicas'], 2)
  }
})

test('R1 a list not older than a revision shows the newest state', async () => {
  await using server = await startTestServer()
  const { before, now } = await twoStates(server)
  for (const query of [`resourceVersion=${before}`, `resourceVersion=${before}&resourceVersionMatch=NotOlderThan&limit=5`]) {
    const list = await server.get(`${urls.widgets()}?${query}`)
    assert.equal(shown(list), 'a=2 b=1', query)
    assert.equal(list.metadata.resourceVersion, now, query)
  }
})

test('R1 an exact list shows the state at its revision and carries that revision', async () => {
  await using server = await startTestServer()
  const { before } = await twoStates(server)
  const list = await server.get(`${urls.widgets()}?resourceVersion=${before}&resourceVersionMatch=Exact`)
  assert.equal(shown(list), 'a=1')
  assert.equal(list.metadata.resourceVersion, before)
})

test('R1 a limit makes a list at a revision exact', async () => {
  await using server = await startTestServer()
  const { before } = await twoStates(server)
  const list = await server.get(`${urls.widgets()}?resourceVersion=${before}&limit=10`)
  assert.equal(shown(list), 'a=1')
  assert.equal(list.metadata.resourceVersion, before)
})

test('R1 an exact list shows objects that have been deleted since', async () => {
  await using server = await startTestServer()
  const { now } = await twoStates(server)
  await server.remove(urls.widget('a'))
  const list = await server.get(`${urls.widgets()}?resourceVersion=${now}&resourceVersionMatch=Exact`)
  assert.equal(shown(list), 'a=2 b=1')
})

test('R1 an empty list has a revision too, and a watch from it sees the first object', async () => {
  await using server = await startTestServer()
  const { items, metadata } = await server.get(urls.widgets())
  assert.deepEqual(items, [])
  const watch = await server.watch(`${urls.widgets()}?resourceVersion=${metadata.resourceVersion}`)
  await server.create(urls.widgets(), aWidget('a'))
  assert.deepEqual(watch.summary, ['ADDED a'])
})

test('R1 an exact list of a compacted revision is 410 Expired', async () => {
  await using server = await startTestServer()
  const { before } = await twoStates(server)
  await server.api.compact()
  const status = await server.refused('GET', `${urls.widgets()}?resourceVersion=${before}&resourceVersionMatch=Exact`)
  assert.equal(status.code, 410)
  assert.equal(status.reason, 'Expired')
  assert.equal(status.message, 'The resourceVersion for the provided list is too old.')
})

const future = 9_999_999
const futureReads = [
  ['get', `${urls.configMap('a')}?resourceVersion=${future}`],
  ['list', `${urls.configMaps()}?resourceVersion=${future}`],
  ['list not older than it', `${urls.configMaps()}?resourceVersion=${future}&resourceVersionMatch=NotOlderThan`],
  ['exact list', `${urls.configMaps()}?resourceVersion=${future}&resourceVersionMatch=Exact`],
] as const

for (const [what, url] of futureReads) {
  test(`R2 a ${what} of a revision that never comes waits three seconds, then is 504 with a cause that informers know`, async () => {
    await using server = await startTestServer()
    await server.create(urls.configMaps(), aConfigMap('a'))
    const started = server.clock.now()
    const reading = server.send('GET', url)
    let isAnswered = false
    void reading.then(() => (isAnswered = true))
    await server.clock.advance(2_999)
    assert.equal(isAnswered, false)
    await server.clock.advance(1)
    const answer = await reading
    assert.equal(server.clock.now() - started, 3_000)
    assert.equal(answer.status, 504)
    assert.equal(answer.headers['retry-after'], '1')
    assert.equal(answer.body.reason, 'Timeout')
    assert.equal(answer.body.message, `Timeout: Too large resource version: ${future}, current: ${server.revision}`)
    assert.deepEqual(answer.body.details, {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    })
  })
}

test('R2 a read of the next revision is answered as soon as it is written', async () => {
  await using server = await startTestServer()
  const started = server.clock.now()
  const reading = server.get(`${urls.configMaps()}?resourceVersion=${server.revision + 1}`)
  await server.create(urls.configMaps(), aConfigMap('a'))
  const list = await reading
  assert.deepEqual(
    list.items.map(({ metadata }) => metadata.name),
    ['a'],
  )
  assert.equal(server.clock.now(), started)
})

test('R2 a read that was kept waiting leaves no timer behind', async () => {
  await using server = await startTestServer()
  const before = server.clock.pending
  const reading = server.get(`${urls.configMaps()}?resourceVersion=${server.revision + 1}`)
  await server.create(urls.configMaps(), aConfigMap('a'))
  await reading
  // What follows any write: a look whether something has to expire.
  await server.clock.advance(1000)
  assert.equal(server.clock.pending, before)
})

test('R4 a revision that is no number is 400', async () => {
  await using server = await startTestServer()
  const status = await server.refused('GET', `${urls.widgets()}?resourceVersion=abc`)
  assert.equal(status.code, 400)
  assert.equal(
    status.message,
    'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  )
})

test('R5 the order of a list is namespace, then name', async () => {
  await using server = await startTestServer()
  for (const namespace of ['b', 'a']) {
    await server.create(urls.namespaces, aNamespace(namespace))
    for (const name of ['z', 'y', 'y.1']) await server.create(urls.widgets(namespace), aWidget(name))
  }
  const { items } = await server.get(urls.allWidgets)
  assert.deepEqual(
    items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
    ['a/y', 'a/y.1', 'a/z', 'b/y', 'b/y.1', 'b/z'],
  )
})

/** More than one chunk. */
const manyConfigMaps = Array.from({ length: 600 }, (_, index) => aConfigMap(`c-${String(index).padStart(4, '0')}`))

test('R11 a list of more than one chunk is made while it is sent', async () => {
  await using server = await startTestServer()
  await server.createAll(urls.configMaps(), manyConfigMaps)
  const response = await server.api.handle({ method: 'GET', url: urls.configMaps(), headers: { authorization: 'Bearer admin-token' } })
  const { body } = response
  assert.ok(body !== undefined && !Buffer.isBuffer(body), 'the body is one piece')
  const pieces = [...body]
  response.release?.()
  assert.ok(pieces.length >= 3, `${pieces.length} pieces`)
  const list = JSON.parse(Buffer.concat(pieces).toString('utf8')) as Seen
  assert.equal(list.items.length, 600)
})

test('R11 a list of large objects is read a few at a time', async () => {
  await using server = await startTestServer()
  await server.createAll(
    urls.configMaps(),
    Array.from({ length: 8 }, (_, index) => aConfigMap(`large-${index}`, { text: 'x'.repeat(600_000) })),
  )
  const response = await server.api.handle({ method: 'GET', url: urls.configMaps(), headers: { authorization: 'Bearer admin-token' } })
  const { body } = response
  assert.ok(body !== undefined && !Buffer.isBuffer(body), 'the body is one piece')
  const pieces = [...body]
  response.release?.()
  assert.ok(Math.max(...pieces.map(({ length }) => length)) < 2_000_000, `pieces of ${pieces.map(({ length }) => length).join(', ')}`)
  assert.equal((JSON.parse(Buffer.concat(pieces).toString('utf8')) as Seen).items.length, 8)
  const pages = await server.get(`${urls.configMaps()}?limit=3`)
  assert.equal(pages.items.length, 3)
  assert.equal(pages.metadata.remainingItemCount, 5)
})

test('R11 a list that is sent slowly shows one state, whatever is written meanwhile', async () => {
  await using server = await startTestServer()
  await server.createAll(urls.configMaps(), manyConfigMaps)
  const response = await server.api.handle({ method: 'GET', url: urls.configMaps(), headers: { authorization: 'Bearer admin-token' } })
  const { body } = response
  assert.ok(body !== undefined && !Buffer.isBuffer(body))
  const pieces = body[Symbol.iterator]()
  const first = pieces.next()
  await server.remove(urls.configMap('c-0599'))
  await server.create(urls.configMaps(), aConfigMap('zzz'))
  const rest = Array.from({ [Symbol.iterator]: () => pieces })
  response.release?.()
  const list = JSON.parse(Buffer.concat([first.value ?? Buffer.alloc(0), ...rest]).toString('utf8')) as Seen
  assert.equal(list.items.length, 600)
  assert.equal(list.items.at(-1)?.metadata.name, 'c-0599')
})
