import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ConfigMap } from '@windlass/api'
import { type Embedded, startEmbedded } from '@windlass/apiserver'
import { aConfigMap, admin, Client, until, urls } from '@windlass/apiserver/testing'
import { type Clock, systemClock, systemRandom } from '@windlass/core'
import { createClient } from '../client/rest-client.ts'
import { fixedCredentials } from '../transport/credentials.ts'
import { HttpsTransport } from '../transport/https.ts'
import type { SharedCache } from './cache.ts'
import { cached } from './declaration.ts'
import { createSharedCache } from './shared-cache.ts'
import { changesOf, contentsOf } from './testing/fixture.ts'

/** Time that passes fifty times as fast, so that nobody waits for back-off. */
const hurried: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic() * 50,
  after: (milliseconds, fire) => systemClock.after(milliseconds / 50, fire),
  sleep: (milliseconds, signal) => systemClock.sleep(milliseconds / 50, signal),
}

const maps = cached(ConfigMap, { namespaces: ['default'] })

function cacheOf({ url, ca, adminToken }: Embedded): SharedCache & AsyncDisposable {
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${adminToken}` } })
  const transport = new HttpsTransport({ server: url, ca, credentials })
  const client = createClient({ transport, clock: hurried, random: systemRandom, userAgent: 'test', fieldManager: 'test' })
  const cache = createSharedCache({ client, clock: hurried, random: systemRandom, freezes: true })
  cache.declare(maps)
  const stop = new AbortController()
  const run = cache.run(stop.signal)
  return Object.assign(cache, {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await run
      await client.close()
    },
  })
}

const asAdmin = ({ server }: Embedded): Client => new Client((request) => server.handle(request), admin)

async function contentsOfServer(server: Client): Promise<readonly string[]> {
  const { items } = await server.get(urls.configMaps())
  return items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`).toSorted()
}

describe('caches over HTTPS', () => {
  let directory: string
  let embedded: Embedded

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'windlass-cache-'))
    embedded = await startEmbedded({ directory, durability: 'relaxed' })
  })

  after(async () => {
    await embedded.close()
    rmSync(directory, { recursive: true, force: true })
  })

  it('N3 N4 are filled, follow what changes, and read nothing twice', async () => {
    const server = asAdmin(embedded)
    await server.createAll(
      urls.configMaps(),
      Array.from({ length: 300 }, (_, index) => aConfigMap(`filled-${index}`, { text: 'x'.repeat(1000) })),
    )
    await using cache = cacheOf(embedded)
    await cache.synced()
    assert.deepEqual(contentsOf(cache, maps), await contentsOfServer(server))
    const changes = changesOf(cache, maps)
    const present = changes.splice(0).length
    const written = await server.merge(urls.configMap('filled-7'), { data: { text: 'y' } })
    await server.remove(urls.configMap('filled-8'))
    await until(() => changes.length === 2)
    assert.match(changes[0] ?? '', new RegExp(`^updated filled-7 \\d+ ${written.metadata.resourceVersion}$`))
    assert.match(changes[1] ?? '', /^deleted filled-8 \d+$/)
    assert.equal(cache.list(maps).length, present - 1)
    assert.equal(cache.describe()[0]?.watches, 1)
  })

  it('N3 outlive a restart of the server and hear of what happened meanwhile', async () => {
    await using cache = cacheOf(embedded)
    await cache.synced()
    const changes = changesOf(cache, maps)
    const before = changes.splice(0).length
    const { port } = embedded
    await embedded.close()
    await until(() => cache.describe()[0]?.problem !== undefined)
    embedded = await startEmbedded({ directory, durability: 'relaxed', port })
    const server = asAdmin(embedded)
    await server.create(urls.configMaps(), aConfigMap('meanwhile'))
    await until(() => changes.length === 1)
    assert.match(changes[0] ?? '', /^added meanwhile \d+$/)
    assert.equal(cache.list(maps).length, before + 1)
    assert.equal(cache.describe()[0]?.lists, 1)
    assert.deepEqual(contentsOf(cache, maps), await contentsOfServer(server))
  })
})
