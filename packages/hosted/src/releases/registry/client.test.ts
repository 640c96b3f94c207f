import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom, VirtualClock } from '@windlass/core'
import type { Digest } from '../pullspec/index.ts'
import { buildRelease, type Fault, MemoryRegistry, refusal } from '../testing/index.ts'
import { RegistryClient, type RegistryClientOptions } from './client.ts'
import { RegistryFailure } from './failure.ts'
import { parsePullSecret } from './pull-secret.ts'

const place = { registry: 'example.com', repository: 'ocp/release' }
const image = buildRelease()
const secret = parsePullSecret(JSON.stringify({ auths: { 'example.com': { auth: Buffer.from('user:password').toString('base64') } } }))
const basic = `Basic ${Buffer.from('user:password').toString('base64')}`

function setUp(options: Partial<RegistryClientOptions> = {}): { clock: VirtualClock; memory: MemoryRegistry; client: RegistryClient } {
  const clock = new VirtualClock({ start: 0 })
  const memory = new MemoryRegistry()
  memory.push('example.com/ocp/release', image, '4.20.1')
  return { clock, memory, client: new RegistryClient({ transport: memory, clock, random: seededRandom(1), ...options }) }
}

const options = { signal: new AbortController().signal }
const withSecret = { ...options, pullSecret: secret }

/** Moves time until the question is answered. */
async function inTime<T>(clock: VirtualClock, question: Promise<T>): Promise<T> {
  const settled = Promise.allSettled([question])
  await clock.runUntilIdle()
  const [outcome] = await settled
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

function isFailure(kind: RegistryFailure['kind'], message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof RegistryFailure, String(error))
    assert.equal(error.kind, kind, error.message)
    assert.match(error.message, message)
    return true
  }
}

describe('pulling', () => {
  it('asks for a tag by its headers alone', async () => {
    const { client, memory } = setUp()
    assert.equal(await client.digestOfTag(place, '4.20.1', options), image.digest)
    assert.deepEqual(memory.requests, ['HEAD https://example.com/v2/ocp/release/manifests/4.20.1'])
  })

  it('asks for the manifest where the headers do not tell', async () => {
    const { client, memory } = setUp()
    memory.fault(({ method }) => (method === 'HEAD' ? { status: 200 } : undefined))
    assert.equal(await client.digestOfTag(place, '4.20.1', options), image.digest)
  })

  it('gives a manifest that has the digest it was asked for', async () => {
    const { client, memory } = setUp()
    assert.equal((await client.manifest(place, image.digest, options)).kind, 'image')
    memory.fault(() => ({ status: 200, body: '{"schemaVersion":2,"layers":[]}' }))
    await assert.rejects(client.manifest(place, image.digest, options), isFailure('corrupt', /gives sha256:.* when asked for the manifest/))
  })

  it('does not read manifests without end', async () => {
    const { client, memory } = setUp()
    memory.fault(() => ({ status: 200, body: Buffer.alloc(5 * 1024 ** 2) }))
    await assert.rejects(client.manifest(place, image.digest, options), isFailure('unusable', /more than 4 MiB/))
  })

  it('says what is not there', async () => {
    const { client } = setUp()
    const missing = `sha256:${'0'.repeat(64)}` as Digest
    await assert.rejects(
      client.digestOfTag(place, 'gone', options),
      isFailure('not-found', /example.com has no ocp\/release:gone \(status 404/),
    )
    await assert.rejects(
      client.blob(place, { mediaType: '', digest: missing, size: 1 }, 10, options),
      isFailure('corrupt', /BLOB_UNKNOWN: blob unknown/),
    )
  })

  it('tells a registry from something else by a ping', async () => {
    const { client, memory } = setUp()
    await client.ping('example.com', options)
    memory.fault(() => refusal(401, 'UNAUTHORIZED', 'who are you'))
    await client.ping('example.com', options)
    memory.fault(() => ({ status: 404 }))
    await assert.rejects(
      client.ping('example.com', options),
      isFailure('unusable', /https:\/\/example.com\/v2\/ is no registry: status 404/),
    )
  })

  it('goes without TLS only where it is told to', async () => {
    const { client, memory } = setUp({ insecureRegistries: ['example.com'] })
    await client.ping('example.com', options)
    await client.ping('example.com:5000', options)
    assert.deepEqual(memory.requests, ['GET http://example.com/v2/', 'GET https://example.com:5000/v2/'])
  })
})

describe('blobs', () => {
  const blob = [...image.blobs].at(-1)
  assert.ok(blob !== undefined)
  const [digest, bytes] = blob
  const descriptor = { mediaType: '', digest, size: bytes.length }

  it('are given when all bytes are the right ones', async () => {
    const { client } = setUp()
    assert.deepEqual(await client.blob(place, descriptor, 1e6, options), bytes)
  })

  it('are checked to the end though the reader left early', async () => {
    const { client, memory } = setUp()
    const firstByte = async (chunks: AsyncIterable<Uint8Array>): Promise<number> => {
      for await (const chunk of chunks) return chunk[0] ?? -1
      return -1
    }
    assert.equal(await client.readBlob(place, descriptor, options, firstByte), 0x1f)
    const damaged = Buffer.from(bytes)
    damaged.writeUInt8(damaged.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
    memory.fault(() => ({ status: 200, body: damaged }))
    await assert.rejects(client.readBlob(place, descriptor, options, firstByte), isFailure('corrupt', /has the bytes of sha256:/))
  })

  it('that have more bytes than they should are not read on', async () => {
    const { client, memory } = setUp()
    let sent = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        sent += 1000
        yield Buffer.alloc(1000)
      }
    }
    memory.fault(() => ({ status: 200, body: endless() }))
    await assert.rejects(client.blob(place, descriptor, 1e6, options), isFailure('corrupt', /has more than its \d+ bytes/))
    assert.ok(sent < bytes.length + 2000)
  })

  it('that end early are asked for again, whether the connection says so or not', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 10)
      throw new Error('other side closed')
    }
    for (const body of [() => bytes.subarray(0, 10), broken]) {
      const { client, clock, memory } = setUp()
      let left = 2
      memory.fault(() => (left-- > 0 ? { status: 200, body: body() } : undefined))
      assert.deepEqual(await inTime(clock, client.blob(place, descriptor, 1e6, options)), bytes)
      assert.equal(memory.requests.length, 3)
    }
  })

  it('that are too large are not asked for', async () => {
    const { client, memory } = setUp()
    await assert.rejects(client.blob(place, descriptor, 10, options), isFailure('unusable', /more than the 10 that are read/))
    assert.equal(memory.requests.length, 0)
  })

  it('hand on what the reader threw when the bytes were the right ones', async () => {
    const { client } = setUp()
    const failing = client.readBlob(place, descriptor, options, () => Promise.reject(new TypeError('a bug')))
    await assert.rejects(failing, TypeError)
  })
})

describe('credentials', () => {
  const wantsBasic: Fault = ({ headers }) =>
    headers['authorization'] === basic
      ? undefined
      : { ...refusal(401, 'UNAUTHORIZED', 'no'), headers: { 'www-authenticate': 'Basic realm="x"' } }

  /** A registry whose tokens live for 100 seconds. */
  function wantsTokens(memory: MemoryRegistry, clock: VirtualClock): { asked: string[] } {
    const asked: string[] = []
    let expires = 0
    memory.fault(({ url, headers, method, body }) => {
      if (url.host === 'auth.example.com') {
        asked.push(`${method} ${url.search}${body ?? ''} ${headers['authorization'] ?? ''}`)
        if (method === 'GET' && headers['authorization'] !== basic) return refusal(401, 'DENIED', 'wrong password')
        expires = clock.now() + 100_000
        return { status: 200, body: JSON.stringify({ access_token: `token-${asked.length}`, expires_in: 100 }) }
      }
      if (headers['authorization'] === `Bearer token-${asked.length}` && clock.now() < expires) return undefined
      const challenge = 'Bearer realm="https://auth.example.com/token",service="example.com"'
      return { ...refusal(401, 'UNAUTHORIZED', 'no'), headers: { 'www-authenticate': challenge } }
    })
    return { asked }
  }

  it('are shown when they are asked for, and from then on', async () => {
    const { client, memory } = setUp()
    memory.fault(wantsBasic)
    await client.digestOfTag(place, '4.20.1', withSecret)
    await client.manifest(place, image.digest, withSecret)
    assert.equal(memory.requests.length, 3)
  })

  it('that are refused are not shown again and again', async () => {
    const { client, memory } = setUp()
    memory.fault(() => ({ status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }))
    await assert.rejects(
      client.manifest(place, image.digest, withSecret),
      isFailure('unauthorized', /The credentials of "user" in the pull secret do not suffice/),
    )
    await assert.rejects(
      client.manifest(place, image.digest, withSecret),
      isFailure('unauthorized', /The credentials of "user" in the pull secret do not suffice/),
    )
    assert.equal(memory.requests.length, 3)
  })

  it('that are not there are asked for in the message', async () => {
    const { client, memory } = setUp()
    memory.fault(wantsBasic)
    await assert.rejects(
      client.manifest(place, image.digest, options),
      isFailure('unauthorized', /The pull secret has no credentials for it: add an entry/),
    )
    memory.fault(() => refusal(403, 'DENIED', 'access\nis denied'))
    await assert.rejects(client.manifest(place, image.digest, options), isFailure('unauthorized', /status 403, DENIED: access is denied/))
  })

  it('are exchanged for a token, which is used until it runs out', async () => {
    const { client, memory, clock } = setUp()
    const { asked } = wantsTokens(memory, clock)
    await client.manifest(place, image.digest, withSecret)
    await client.manifest(place, image.digest, withSecret)
    assert.deepEqual(asked, [`GET ?service=example.com&scope=repository%3Aocp%2Frelease%3Apull ${basic}`])
    await clock.advance(95_000)
    await client.manifest(place, image.digest, withSecret)
    assert.equal(asked.length, 2)
  })

  it('may be a token that is exchanged for another', async () => {
    const { client, memory, clock } = setUp()
    const { asked } = wantsTokens(memory, clock)
    const identity = parsePullSecret('{"auths":{"example.com":{"identitytoken":"me"}}}')
    await client.manifest(place, image.digest, { ...options, pullSecret: identity })
    assert.equal(asked.length, 1)
    assert.match(
      asked[0] ?? '',
      /^POST service=example.com&scope=repository.*&grant_type=refresh_token&client_id=windlass&refresh_token=me $/,
    )
  })

  it('that the token service refuses are refused', async () => {
    const { client, memory, clock } = setUp()
    wantsTokens(memory, clock)
    await assert.rejects(
      client.manifest(place, image.digest, options),
      isFailure('unauthorized', /https:\/\/auth.example.com gives no token for ocp\/release \(status 401, DENIED: wrong password\)/),
    )
  })

  it('wait for a token service that is busy', async () => {
    const { client, memory, clock } = setUp()
    wantsTokens(memory, clock)
    let left = 1
    memory.fault(({ url }) =>
      url.host === 'auth.example.com' && left-- > 0 ? { status: 503, headers: { 'retry-after': '3' } } : undefined,
    )
    await inTime(clock, client.manifest(place, image.digest, withSecret))
    assert.equal(clock.now(), 3000)
  })

  it('are not sent in clear', async () => {
    const { client, memory } = setUp()
    memory.fault(() => ({ status: 401, headers: { 'www-authenticate': 'Bearer realm="http://auth.example.com/token"' } }))
    await assert.rejects(client.manifest(place, image.digest, withSecret), isFailure('unusable', /http:\/\/auth.example.com without TLS/))
    memory.fault(() => ({ status: 401, headers: { 'www-authenticate': 'Bearer realm="token"' } }))
    await assert.rejects(client.manifest(place, image.digest, withSecret), isFailure('unusable', /"token", which is no address/))
  })

  it('that come with an answer which is no token are useless', async () => {
    const { client, memory } = setUp()
    memory.fault(({ url }) =>
      url.host === 'auth.example.com'
        ? { status: 200, body: '{}' }
        : { status: 401, headers: { 'www-authenticate': 'Bearer realm="https://auth.example.com/"' } },
    )
    await assert.rejects(client.manifest(place, image.digest, withSecret), isFailure('unusable', /gives no token/))
  })
})

describe('redirects', () => {
  function redirecting(memory: MemoryRegistry, location: string): { authorizations: (string | undefined)[] } {
    const authorizations: (string | undefined)[] = []
    memory.fault(({ url, headers }) => {
      if (url.host === 'example.com') {
        if (headers['authorization'] !== basic) return { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }
        return { status: 307, headers: { location } }
      }
      authorizations.push(headers['authorization'])
      return { status: 200, body: image.manifests.get(image.digest)?.bytes ?? '' }
    })
    return { authorizations }
  }

  it('are followed without the credentials', async () => {
    const { client, memory } = setUp()
    const { authorizations } = redirecting(memory, 'https://storage.example.org/blob?signature=x')
    await client.manifest(place, image.digest, withSecret)
    assert.deepEqual(authorizations, [undefined])
  })

  it('to the same host keep them, and may be relative', async () => {
    const { client, memory } = setUp()
    memory.fault(({ url, headers }) => {
      if (headers['authorization'] !== basic) return { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }
      return url.pathname.startsWith('/v2/') ? { status: 302, headers: { location: '/elsewhere' } } : { status: 200, body: manifestBytes }
    })
    const manifestBytes = image.manifests.get(image.digest)?.bytes ?? ''
    assert.equal((await client.manifest(place, image.digest, withSecret)).kind, 'image')
  })

  it('do not lead out of TLS', async () => {
    const { client, memory } = setUp()
    redirecting(memory, 'http://storage.example.org/blob')
    await assert.rejects(
      client.manifest(place, image.digest, withSecret),
      isFailure('unusable', /redirects to storage.example.org without TLS/),
    )
  })

  it('end somewhere', async () => {
    const { client, memory } = setUp()
    memory.fault(({ url }) => ({ status: 301, headers: { location: `${url.href}x` } }))
    await assert.rejects(client.manifest(place, image.digest, options), isFailure('unusable', /redirects more than 5 times/))
    assert.equal(memory.requests.length, 6)
  })

  it('to somebody who refuses say who, and not what was signed', async () => {
    const { client, memory } = setUp()
    memory.fault(({ url }) =>
      url.host === 'example.com'
        ? { status: 307, headers: { location: 'https://storage.example.org/?signature=secret' } }
        : { status: 403 },
    )
    await assert.rejects(client.manifest(place, image.digest, options), (error) => {
      assert.doesNotMatch(String(error), /secret/)
      return isFailure('unusable', /redirects to storage.example.org, which refuses: status 403/)(error)
    })
  })
})

describe('registries in trouble', () => {
  it('that answer nothing are given up after a time, and asked again', async () => {
    const { client, clock, memory } = setUp({ answerTimeout: 10_000, retries: { attempts: 2 } })
    memory.fault(() => new Promise(() => {}))
    await assert.rejects(
      inTime(clock, client.manifest(place, image.digest, options)),
      isFailure('unreachable', /example.com does not answer within 10 s/),
    )
    assert.equal(memory.requests.length, 2)
    assert.ok(clock.now() > 20_000 && clock.now() < 21_000)
    assert.equal(clock.pending, 0)
  })

  it('that are busy are left alone for as long as they ask', async () => {
    const { client, clock, memory } = setUp()
    let left = 1
    memory.fault(() => (left-- > 0 ? { status: 429, headers: { 'retry-after': '12' } } : undefined))
    await inTime(clock, client.manifest(place, image.digest, options))
    assert.equal(clock.now(), 12_000)
  })

  it('that ask for a long time are not waited for, and the failure says how long', async () => {
    const { client, memory } = setUp()
    memory.fault(() => ({ status: 429, headers: { 'retry-after': '3600' } }))
    await assert.rejects(client.manifest(place, image.digest, options), (error) => {
      assert.ok(error instanceof RegistryFailure)
      assert.deepEqual([error.kind, error.retryAfter], ['unreachable', 3_600_000])
      return true
    })
    assert.equal(memory.requests.length, 1)
  })

  it('answer with what nobody understands', async () => {
    const { client, memory } = setUp()
    memory.fault(() => ({ status: 418, body: '<html>' }))
    await assert.rejects(
      client.manifest(place, image.digest, options),
      isFailure('unusable', /not answer GET .* as a registry should: status 418/),
    )
  })

  it('are asked by no more than four at once', async () => {
    const { client, clock, memory } = setUp()
    let [running, most] = [0, 0]
    memory.fault(async () => {
      most = Math.max(most, ++running)
      await clock.sleep(10)
      running--
      return undefined
    })
    await inTime(clock, Promise.all(Array.from({ length: 10 }, () => client.manifest(place, image.digest, options))))
    assert.equal(most, 4)
  })

  it('are left when the signal says so, with its reason', async () => {
    const { client, clock, memory } = setUp()
    memory.fault(() => new Promise(() => {}))
    const control = new AbortController()
    const question = client.manifest(place, image.digest, { signal: control.signal })
    clock.after(100, () => control.abort(new Error('enough')))
    await assert.rejects(inTime(clock, question), /^Error: enough$/)
    assert.equal(clock.now(), 100)
  })
})
