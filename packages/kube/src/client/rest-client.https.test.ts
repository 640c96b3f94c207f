import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ConfigMap, Namespace } from '@windlass/api'
import { type Embedded, startEmbedded } from '@windlass/apiserver'
import { until } from '@windlass/apiserver/testing'
import { systemClock, systemRandom } from '@windlass/core'
import { parseKubeconfig } from '../kubeconfig/kubeconfig.ts'
import { HttpsTransport, type TransportOptions } from '../transport/https.ts'
import { serving } from '../transport/testing.ts'
import { ConnectionError } from '../transport/transport.ts'
import { isConflict, isExpired, isThrottled, isUnauthorized } from './errors.ts'
import { type ClientOptions, createClient, type RestClient } from './rest-client.ts'
import { gather } from './testing.ts'

function clientTo(options: TransportOptions, more: Partial<ClientOptions> = {}): RestClient & AsyncDisposable {
  const transport = new HttpsTransport(options)
  const base = { transport, clock: systemClock, random: systemRandom, userAgent: 'test/1.0', fieldManager: 'test' }
  const client = createClient({ ...base, ...more })
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

const accessTo = (embedded: Embedded): Promise<TransportOptions> =>
  parseKubeconfig(embedded.kubeconfig, { name: 'kubeconfig', clock: systemClock, env: {} }).access()

const ref = { namespace: 'default', name: 'a' }

describe('a client of the embedded server over HTTPS', () => {
  let embedded: Embedded
  let access: TransportOptions

  before(async () => {
    embedded = await startEmbedded()
    access = await accessTo(embedded)
  })

  after(() => embedded.close())

  it('N2 writes and reads', async () => {
    await using client = clientTo(access)
    const created = await client.create(ConfigMap, { metadata: ref, data: { word: 'Grüße' } })
    assert.deepEqual(await client.get(ConfigMap, ref), created)
    await client.patch(ConfigMap, ref, { data: { word: null } })
    await assert.rejects(client.update(ConfigMap, created), isConflict)
    assert.equal(await client.delete(ConfigMap, ref), undefined)
    const namespaces = await gather(client.list(Namespace))
    assert.deepEqual(new Set(namespaces.map(({ kind }) => kind)), new Set(['Namespace']))
    assert.match(await client.getText('/readyz'), /^ok/)
  })

  it('N3 watches, and is told when it begins too far in the past', async () => {
    await using client = clientTo(access)
    const { metadata } = await client.create(ConfigMap, { metadata: { ...ref, name: 'watched' } })
    const watch = await client.watch(ConfigMap, { namespace: 'default', resourceVersion: metadata.resourceVersion ?? '' })
    for (const count of ['1', '2', '3']) await client.patch(ConfigMap, { ...ref, name: 'watched' }, { data: { count } })
    const counts: (string | undefined)[] = []
    for await (const events of watch) {
      for (const event of events) if (event.type === 'MODIFIED') counts.push(event.object.data?.['count'])
      if (counts.length === 3) break
    }
    assert.deepEqual(counts, ['1', '2', '3'])
    await until(() => embedded.server.hub.size === 0)

    await embedded.server.compact()
    const old = await client.watch(ConfigMap, { resourceVersion: '1' })
    await assert.rejects(gather(old), isExpired)
  })

  it('N2 throws what the server says about who asks', async () => {
    await using client = clientTo({ ...access, credentials: { identity: () => ({ headers: { authorization: 'Bearer wrong' } }) } })
    await assert.rejects(client.get(ConfigMap, ref), isUnauthorized)
  })
})

describe('a client of a server that goes away', () => {
  it('N2 reads on when the server is back', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'windlass-client-'))
    try {
      const first = await startEmbedded({ directory, engine: 'sqlite' })
      const isBack = Promise.withResolvers<void>()
      // A clock on which a pause lasts as long as the new server takes to start.
      await using client = clientTo(await accessTo(first), { clock: { ...systemClock, sleep: () => isBack.promise } })
      await client.create(ConfigMap, { metadata: ref })
      await first.close()
      const reading = client.get(ConfigMap, ref)
      const second = await startEmbedded({ directory, engine: 'sqlite', port: first.port })
      isBack.resolve()
      assert.equal((await reading).metadata.name, 'a')
      await client.close()
      await second.close()
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('N3 sees the end of its watch', async () => {
    const embedded = await startEmbedded()
    await using client = clientTo(await accessTo(embedded))
    const watching = gather(await client.watch(ConfigMap))
    await embedded.close()
    assert.deepEqual(await watching, [])
    await assert.rejects(client.create(ConfigMap, { metadata: ref }), { name: 'ConnectionError', code: 'ECONNREFUSED' })
  })
})

describe('a client of a server that misbehaves', () => {
  it('N2 waits no longer than it was told', async () => {
    await using server = await serving(() => {})
    await using client = clientTo({ server: server.url }, { timeout: 50 })
    await assert.rejects(client.get(ConfigMap, ref), { code: 'ERR_REQUEST_TIMEOUT' })
    await assert.rejects(client.watch(ConfigMap), { code: 'ERR_REQUEST_TIMEOUT' })
    await until(() => server.sockets.size === 0)
  })

  it('N2 reads again what broke off, and does not write again', async () => {
    const seen: string[] = []
    await using server = await serving((request, response) => {
      seen.push(request.method ?? '')
      if (seen.length === 2) response.end(JSON.stringify({ kind: 'ConfigMap' }))
      else response.destroy()
    })
    await using client = clientTo({ server: server.url })
    assert.equal((await client.get(ConfigMap, ref)).kind, 'ConfigMap')
    await assert.rejects(client.create(ConfigMap, { metadata: ref }), ConnectionError)
    assert.deepEqual(seen, ['GET', 'GET', 'POST'])
  })

  it('N2 comes back after 429 with Retry-After, and gives the refusal without one', async () => {
    let count = 0
    await using server = await serving((request, response) => {
      count++
      if (count === 2) response.end(JSON.stringify({ kind: 'ConfigMap' }))
      else response.writeHead(429, request.method === 'GET' ? { 'retry-after': '0' } : {}).end('slow down')
    })
    await using client = clientTo({ server: server.url })
    assert.equal((await client.get(ConfigMap, ref)).kind, 'ConfigMap')
    await assert.rejects(client.create(ConfigMap, { metadata: ref }), isThrottled)
    assert.equal(count, 3)
  })

  it('N3 drops half an event at the end of a watch, and says when it broke', async () => {
    const bookmark = `${JSON.stringify({ type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion: '5' } } })}\n`
    await using server = await serving((request, response) => {
      response.write(bookmark + bookmark.slice(0, 20), () => {
        if (request.url?.includes('break') === true) response.destroy()
        else response.end()
      })
    })
    await using client = clientTo({ server: server.url })
    assert.deepEqual((await gather(await client.watch(ConfigMap))).flat().length, 1)
    await assert.rejects(gather(await client.watch(ConfigMap, { labelSelector: 'break' })), ConnectionError)
  })
})
