import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, it } from 'node:test'
import { ConfigMap } from '@windlass/api'
import { ConnectionError } from '../transport/transport.ts'
import { isThrottled } from './errors.ts'
import { aStatus, clientOf, type ScriptedClient, type Step } from './testing.ts'

const ref = { namespace: 'default', name: 'a' }
const draft = { metadata: ref }
const broken = new ConnectionError('broken', 'ECONNRESET')
const refused = new ConnectionError('refused', 'ECONNREFUSED')
const good: Step = { body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref } }

/** How a call ends, how often it was sent and how long it took, in virtual time. */
async function run(
  { client, transport, clock }: ScriptedClient,
  call: (client: ScriptedClient['client']) => Promise<unknown>,
): Promise<{ error: unknown; sent: number; took: number }> {
  let error: unknown
  let isDone = false
  const start = clock.now()
  const calling = call(client)
    .catch((problem: unknown) => (error = problem))
    .finally(() => (isDone = true))
  await clock.advanceUntil(() => isDone, 600_000)
  await calling
  assert.equal(clock.pending, 0, 'no timer is left behind')
  return { error, sent: transport.requests.length, took: clock.now() - start }
}

describe('a request without an answer', () => {
  it('N2 is sent up to three times more when it reads, with longer and longer pauses', async () => {
    const recovered = await run(clientOf([broken, broken, broken, good]), (client) => client.get(ConfigMap, ref))
    assert.deepEqual([recovered.error, recovered.sent], [undefined, 4])
    assert.ok(recovered.took >= 350 && recovered.took <= 1050, `700 ms, half of it more or less: ${recovered.took}`)
    const lost = await run(clientOf([broken]), (client) => client.get(ConfigMap, ref))
    assert.deepEqual([lost.error, lost.sent], [broken, 4])
  })

  it('N2 is sent once when it writes: the server may have done it', async () => {
    const writes: ((client: ScriptedClient['client']) => Promise<unknown>)[] = [
      (client) => client.create(ConfigMap, draft),
      (client) => client.update(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...ref, resourceVersion: '1' } }),
      (client) => client.patch(ConfigMap, ref, {}),
      (client) => client.apply(ConfigMap, draft),
      (client) => client.delete(ConfigMap, ref),
    ]
    for (const write of writes) {
      const { error, sent, took } = await run(clientOf([broken, good]), write)
      assert.deepEqual([error, sent, took], [broken, 1, 0])
    }
  })

  it('N2 is sent again though it writes when the server cannot have seen it', async () => {
    const { error, sent } = await run(clientOf([refused, refused, good]), (client) => client.create(ConfigMap, draft))
    assert.deepEqual([error, sent], [undefined, 3])
  })

  it('N2 is not sent again when only people can help', async () => {
    for (const code of ['CERT_HAS_EXPIRED', 'ERR_LOGIN', 'ERR_TRANSPORT_CLOSED']) {
      assert.equal((await run(clientOf([new ConnectionError('x', code), good]), (client) => client.get(ConfigMap, ref))).sent, 1)
    }
  })

  it('N2 is given up after a minute, by the clock, and not sent again', async () => {
    for (const call of [
      (client: ScriptedClient['client']) => client.get(ConfigMap, ref),
      (client: ScriptedClient['client']) => client.watch(ConfigMap),
    ]) {
      const { error, sent, took } = await run(clientOf(['silence']), call)
      assert.deepEqual([sent, took], [1, 60_000])
      assert.ok(error instanceof ConnectionError)
      assert.match(error.message, /^scripted:6443 did not answer GET \/api\/v1\/.*configmaps.* within 60 s: check how busy the server is$/)
    }
    const told = await run(clientOf(['silence'], { timeout: 5000 }), (client) => client.get(ConfigMap, ref))
    assert.equal(told.took, 5000)
  })
})

describe('a request that the server puts off', () => {
  const putOff = (status: number, after: string | undefined): Step => ({
    ...aStatus(status, 'TooManyRequests'),
    headers: after === undefined ? {} : { 'retry-after': after },
  })

  it('N2 is sent again when the server asked for, whatever it does', async () => {
    for (const status of [429, 503]) {
      const { error, sent, took } = await run(clientOf([putOff(status, '2'), good]), (client) => client.create(ConfigMap, draft))
      assert.deepEqual([error, sent], [undefined, 2])
      assert.ok(took >= 2000 && took <= 2200, `2 s, perhaps a tenth more: ${took}`)
    }
  })

  it('N2 waits half a minute at most, and for a date as well as for seconds', async () => {
    assert.equal((await run(clientOf([putOff(429, '3600'), good]), (client) => client.get(ConfigMap, ref))).took, 30_000)
    const inTenSeconds = new Date(Date.UTC(2026, 0, 1) + 10_000).toUTCString()
    const { took } = await run(clientOf([putOff(429, inTenSeconds), good]), (client) => client.get(ConfigMap, ref))
    assert.ok(took >= 10_000 && took <= 11_000)
  })

  it('N2 is sent five times more, then the refusal is thrown', async () => {
    const { error, sent } = await run(clientOf([putOff(429, '1')]), (client) => client.create(ConfigMap, draft))
    assert.deepEqual([isThrottled(error), sent], [true, 6])
  })

  it('N2 is not sent again when the server does not say when, nor after other refusals', async () => {
    for (const step of [putOff(429, undefined), putOff(503, undefined), putOff(429, 'soon'), putOff(500, '1'), putOff(409, '1')]) {
      assert.equal((await run(clientOf([step, good]), (client) => client.get(ConfigMap, ref))).sent, 1)
    }
  })

  it('N3 is put off in the same way when it opens a watch', async () => {
    const { error, sent } = await run(clientOf([putOff(429, '1'), { chunks: [] }]), (client) => client.watch(ConfigMap))
    assert.deepEqual([error, sent], [undefined, 2])
  })
})

describe('an abort', () => {
  it('N2 ends a call with its reason wherever it is, and nothing is sent afterwards', async () => {
    const putOff: Step = { status: 429, headers: { 'retry-after': '20' } }
    for (const step of ['silence', broken, putOff] satisfies Step[]) {
      const { client, transport, clock } = clientOf([step])
      const stop = new AbortController()
      const calling = assert.rejects(client.get(ConfigMap, ref, { signal: stop.signal }), { message: 'stopped' })
      await clock.advance(20)
      stop.abort(new Error('stopped'))
      await calling
      const sent = transport.requests.length
      await clock.advance(60_000)
      assert.deepEqual([transport.requests.length, clock.pending, getEventListeners(stop.signal, 'abort').length], [sent, 0, 0])
    }
  })

  it('N2 before the call sends nothing at all', async () => {
    const { client, transport, clock } = clientOf([broken])
    await assert.rejects(client.get(ConfigMap, ref, { signal: AbortSignal.abort(new Error('too late')) }), { message: 'too late' })
    assert.deepEqual([transport.requests.length, clock.pending], [0, 0])
  })

  it('N2 leaves no listener on a signal that outlives many calls', async () => {
    const { client } = clientOf([good])
    const { signal } = new AbortController()
    for (let count = 0; count < 20; count++) await client.get(ConfigMap, ref, { signal })
    assert.equal(getEventListeners(signal, 'abort').length, 0)
  })
})
