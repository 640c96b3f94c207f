import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors/api-error.ts'
import { aConfigMap, aWidget, startTestServer, urls, userNamed } from '../testing/index.ts'
import { Limiter } from './limiter.ts'

/** Requests in a line; `turns` are the users of those that had theirs, in that order. */
interface Line {
  readonly limiter: Limiter
  readonly turns: string[]
  readonly ask: (user: string) => void
  readonly settle: () => Promise<void>
}

function aLine(limit: number): Line {
  const limiter = new Limiter(limit)
  const turns: string[] = []
  return {
    limiter,
    turns,
    ask: (user) => {
      const turn = limiter.enter(user)
      if (turn === undefined) turns.push(user)
      else void turn.then(() => turns.push(user))
    },
    settle: () => new Promise((resolve) => setImmediate(resolve)),
  }
}

test('S8 as many requests as allowed run at once, the others wait', async () => {
  const { limiter, turns, ask, settle } = aLine(2)
  for (let count = 0; count < 3; count++) ask('a')
  await settle()
  assert.equal(turns.length, 2)
  assert.equal(limiter.running, 2)
  limiter.leave()
  await settle()
  assert.equal(turns.length, 3)
  assert.equal(limiter.running, 2)
})

test('S8 users take turns: the flood of one does not starve another', async () => {
  const { limiter, turns, ask, settle } = aLine(1)
  for (const user of ['flood', 'flood', 'flood', 'flood', 'small', 'other']) ask(user)
  for (let count = 0; count < 5; count++) {
    limiter.leave()
    await settle()
  }
  assert.deepEqual(turns, ['flood', 'flood', 'small', 'other', 'flood', 'flood'])
})

test('S8 nobody overtakes those who wait', async () => {
  const { limiter, turns, ask, settle } = aLine(1)
  ask('a')
  ask('b')
  limiter.leave()
  ask('c')
  await settle()
  assert.deepEqual(turns, ['a', 'b'])
})

test('S8 a user whose queue is full gets 429 and is told when to come back; others still queue', () => {
  const { limiter, ask } = aLine(1)
  for (let count = 0; count < 101; count++) ask('flood')
  assert.throws(
    () => limiter.enter('flood'),
    (error) => error instanceof ApiError && error.code === 429 && error.status.details?.retryAfterSeconds === 1,
  )
  assert.doesNotThrow(() => ask('small'))
})

test('S8 when all queues together are full everybody gets 429', () => {
  const { limiter, ask } = aLine(1)
  ask('first')
  for (let user = 0; user < 10; user++) for (let count = 0; count < 100; count++) ask(`user-${user}`)
  assert.throws(() => limiter.enter('newcomer'), ApiError)
})

test('S8 when everybody has left the next may run at once', async () => {
  const { limiter, turns, ask, settle } = aLine(1)
  ask('a')
  ask('b')
  limiter.leave()
  await settle()
  limiter.leave()
  assert.equal(limiter.running, 0)
  ask('c')
  assert.deepEqual(turns, ['a', 'b', 'c'])
})

test('S8 a server under a flood of writes answers 429 with Retry-After, and serves the other users', async () => {
  await using server = await startTestServer({ limits: { reads: 10, writes: 1 } })
  const flood = Array.from({ length: 120 }, (_, index) => server.send('POST', urls.configMaps(), aConfigMap(`c-${index}`)))
  const other = server.as(userNamed('other', 'system:masters')).send('POST', urls.configMaps(), aConfigMap('other'))
  const answers = await Promise.all(flood)
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(answers.filter(({ status }) => status === 201).length, 101)
  assert.equal(refused.length, 19)
  assert.ok(refused.every(({ headers, body }) => headers['retry-after'] === '1' && body.reason === 'TooManyRequests'))
  assert.equal((await other).status, 201)
})

test('S8 a request that fails gives its seat back', async () => {
  await using server = await startTestServer({ limits: { reads: 1, writes: 1 } })
  for (let count = 0; count < 5; count++) {
    assert.equal((await server.send('GET', urls.widget('missing'))).status, 404)
    assert.equal((await server.send('POST', urls.widgets(), '{broken')).status, 400)
    assert.equal((await server.send('GET', `${urls.widgets()}?limit=x`)).status, 400)
  }
  await server.create(urls.widgets(), aWidget('a'))
  assert.deepEqual(await server.names(urls.widgets()), ['a'])
})

test('S8 an open watch takes no seat', async () => {
  await using server = await startTestServer({ limits: { reads: 1, writes: 1 } })
  for (let count = 0; count < 5; count++) await server.watch(urls.widgets())
  assert.deepEqual(await server.names(urls.widgets()), [])
})

test('S8 a list that is being sent keeps its seat until it is sent or given up', async () => {
  await using server = await startTestServer({ limits: { reads: 1, writes: 200 } })
  await server.createAll(
    urls.configMaps(),
    Array.from({ length: 600 }, (_, index) => aConfigMap(`c-${index}`)),
  )
  const headers = { authorization: 'Bearer admin-token' }
  const slow = await server.api.handle({ method: 'GET', url: urls.configMaps(), headers })
  let isAnswered = false
  const waiting = server.names(urls.widgets()).then(() => (isAnswered = true))
  await server.settle()
  assert.equal(isAnswered, false)
  slow.release?.()
  await waiting
})
