import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDefinition, startTestServer, type TestServer, urls } from '../testing/index.ts'

const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json' }

async function describes(server: TestServer, what: string): Promise<Readonly<Record<string, boolean>>> {
  const has = async (url: string, headers?: { accept: string }): Promise<boolean> =>
    (await server.send('GET', url, undefined, headers)).text.includes(what)
  return {
    legacy: await has('/apis'),
    aggregated: await has('/apis', aggregated),
    openapi: await has('/openapi/v3'),
    paths: await has('/'),
  }
}

const everywhere = { legacy: true, aggregated: true, openapi: true, paths: true }
const nowhere = { legacy: false, aggregated: false, openapi: false, paths: false }

test('D4 a group appears everywhere when its first definition is established, and goes with its last', async () => {
  await using server = await startTestServer()
  await server.create(urls.definitions, aDefinition({ kind: 'Goner', group: 'new.example.com' }))
  assert.deepEqual(await describes(server, 'new.example.com'), nowhere)
  await server.clock.advance(250)
  assert.deepEqual(await describes(server, 'new.example.com'), everywhere)
  await server.remove(urls.definition('goners.new.example.com'))
  await server.settle()
  assert.deepEqual(await describes(server, 'new.example.com'), nowhere)
})

test('D4 definitions that come together settle together', async () => {
  await using server = await startTestServer()
  const kinds = Array.from({ length: 20 }, (_, index) => `Kind${index}`)
  await Promise.all(kinds.map((kind) => server.create(urls.definitions, aDefinition({ kind, group: 'new.example.com' }))))
  await server.clock.advance(250)
  const { resources } = (await server.get('/apis/new.example.com/v1')) as unknown as { resources: readonly { name: string }[] }
  assert.deepEqual(new Set(resources.map(({ name }) => name)), new Set(kinds.map((kind) => `${kind.toLowerCase()}s`)))
})

test('D2 D5 an unchanged document is 304, a changed one is sent again', async () => {
  await using server = await startTestServer()
  for (const url of ['/openapi/v3', '/apis']) {
    const { headers } = await server.send('GET', url, undefined, aggregated)
    const etag = String(headers['etag'])
    const again = { ...aggregated, 'if-none-match': etag }
    assert.equal((await server.send('GET', url, undefined, again)).status, 304, url)
    await server.create(urls.definitions, aDefinition({ kind: url === '/apis' ? 'First' : 'Second' }))
    await server.clock.advance(250)
    assert.equal((await server.send('GET', url, undefined, again)).status, 200, url)
  }
})

test('D8 the version is a Kubernetes of today, with ours behind the plus', async () => {
  await using server = await startTestServer()
  const version = (await server.get('/version')) as unknown as Readonly<Record<string, string>>
  assert.equal(version['major'], '1')
  assert.equal(version['minor'], '35')
  assert.equal(version['gitVersion'], 'v1.35.0+windlass.1.2.3')
})

test('documents can only be read', async () => {
  await using server = await startTestServer()
  assert.equal((await server.refused('POST', '/apis', {})).code, 405)
})
