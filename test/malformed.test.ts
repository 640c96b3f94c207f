import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Random, seededRandom } from '@windlass/core'
import { bombs, ordinary } from './malformed/bombs.ts'
import { found } from './malformed/found.ts'
import { complaint, isOpen } from './malformed/judge.ts'
import { Mutator } from './malformed/mutate.ts'
import { ServerProcess } from './malformed/process.ts'
import { broken, firstReply, sendRaw } from './malformed/raw.ts'
import { described, type Request } from './malformed/request.ts'
import { type Reply, Sender } from './malformed/send.ts'
import { cluster, clusterPrefix } from './malformed/subjects.ts'
import { type Template, templates } from './malformed/valid.ts'
import { restore } from './malformed/world.ts'
import { type Client, client } from './support/client.ts'
import { until } from './support/until.ts'

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 20_000)
const seed = process.env['FUZZ_SEED'] ?? '1'
/** Of all requests: those with broken bytes, and those of people who may do nothing. */
const rawShare = 0.05
const strangerShare = 0.2

/** A PUT that would be accepted if it repeated what the server has filled in. */
const lacking = /metadata\.resourceVersion: .* must be specified for an update|field is immutable/

const lanes = 16
/** How many requests go by before the world is put in order again. */
const batch = 1000
/** As many times as an ordinary large request takes, and a bomb has done harm. The worst takes nine times as long. */
const harm = 30
/** Less than one kilobyte for each request: what it holds on to does not depend on how many there were. */
const margin = 8 * 1024 * 1024

describe(`malformed requests, ${requests} of them with seed ${seed}`, () => {
  let server: ServerProcess
  let api: Client
  let sender: Sender
  const failures: string[] = []
  /** What the server held more after the last tenth of one user's requests than after the first. */
  let grown = 0

  before(async () => {
    server = await ServerProcess.start()
    api = client(server)
    sender = new Sender(server, lanes)
    await restore(api)
  })
  after(async () => {
    sender.close()
    api.close()
    await server.stop()
  })

  it('all requests that they are made from are understood', async () => {
    const wrong: string[] = []
    for (const template of templates) {
      const request = plain(template)
      const reply = await sender.send(request, server.token)
      // 404, 409 and 429 are answers to a well-formed request; 415 is a strategic patch of a custom resource; many a PUT lacks something.
      const isUnderstood = reply.status < 400 || [404, 409, 415, 429].includes(reply.status) || lacking.test(reply.text)
      if (!isUnderstood) wrong.push(`${described(request)} => ${reply.status} ${reply.text}`)
    }
    assert.deepEqual(wrong, [])
  })

  it('are answered with a Status and a 4xx', async () => {
    const mutator = new Mutator(seededRandom(`${seed}/admin`), templates)
    const count = Math.round(requests * (1 - rawShare - strangerShare))
    const early = Math.ceil(count / 10 / batch) * batch
    let settled = 0
    for (let done = 0; done < count; done += batch) {
      await together(Math.min(batch, count - done), () => judge(mutator.next(), server.token))
      await restore(api)
      if (done + batch === early) settled = await settledMemory()
    }
    grown = (await settledMemory()) - settled
    report()
  })

  it('that were once answered wrongly are not any more', async () => {
    for (const [what, request] of found) await judge(request, server.token, what)
    await restore(api)
    report()
  })

  it('of which some are bombs do not take the server down', async () => {
    const most = harm * (await timeOf(() => judge(ordinary, server.token)))
    for (const [what, request] of bombs) {
      const took = await shortest(() => judge(request, server.token, what), most)
      if (took > most) failures.push(`${what}: took ${took.toFixed(0)} ms, an ordinary large request ${(most / harm).toFixed(0)} ms`)
    }
    await restore(api)
    report()
  })

  it('that are broken as bytes are refused or hung up on', async () => {
    const random = seededRandom(`${seed}/raw`)
    const mutator = new Mutator(
      random,
      templates.filter(({ query }) => query?.['watch'] === undefined),
    )
    await together(Math.round(requests * rawShare), () => judgeRaw(mutator.next(), random))
    await restore(api)
    report()
  })

  it('and others get somebody without rights nowhere, in any logical cluster', async () => {
    const before = await everything()
    const mutator = new Mutator(seededRandom(`${seed}/strangers`), templates)
    const strangers = await tokensWithoutRights()
    // First those that would be right for somebody else.
    const well = templates.flatMap((template) => [plain(template), plain({ ...template, path: clusterPrefix + template.path })])
    let index = 0
    await together(Math.round(requests * strangerShare), () => {
      const stranger = strangers[index % strangers.length]
      const request = well[Math.floor(index++ / strangers.length)] ?? mutator.next()
      return judgeStranger(request, stranger)
    })
    assert.deepEqual(await everything(), before)
    report()
  })

  it('leave a server that works, and holds on to nothing', async () => {
    assert.ok(server.isAlive)
    assert.deepEqual(await api.get('/readyz'), { text: 'ok' })
    await until('all watches and requests to end', async () => (await running()) === 0)
    // Names that clients made up are no names of ours.
    const [invented] = /.*"s[0-9a-f]{8}-[0-9a-f]{4}-.*/.exec(await metrics()) ?? []
    assert.equal(invented, undefined)
    assert.ok(grown < margin, `the server holds ${Math.round(grown / 1024)} KiB more than after a tenth of the requests`)
    assert.deepEqual(server.problems, [])
  })

  async function judge(request: Request, token: string | undefined, what = described(request)): Promise<Reply | undefined> {
    try {
      const reply = await sender.send(request, token)
      // The answer to a HEAD does not say what is wrong; that to the same as a GET does.
      if (request.method === 'HEAD' && reply.status >= 500) return await judge({ ...request, method: 'GET' }, token)
      const wrong = complaint(request, reply)
      if (wrong !== undefined) failures.push(`${what} => ${reply.status} ${reply.text.slice(0, 300)} ${wrong}`)
      return reply
    } catch (error) {
      failures.push(`${what} => ${String(error)}`)
      return undefined
    }
  }

  async function judgeRaw(request: Request, random: Random): Promise<void> {
    const bytes = broken(request, server.token, random)
    try {
      const answer = await sendRaw(server, bytes)
      const reply = firstReply(answer)
      const isRefusal = reply === undefined || (reply.status >= 200 && reply.status < 500) || complaint(request, reply) === undefined
      if (!isRefusal) failures.push(`${bytes.subarray(0, 1000).toString('latin1')} => ${answer.slice(0, 500)}`)
    } catch (error) {
      failures.push(`${bytes.subarray(0, 1000).toString('latin1')} => ${String(error)}`)
    }
  }

  async function judgeStranger(request: Request, token: string | undefined): Promise<void> {
    const reply = await judge(request, token)
    if (reply !== undefined && reply.status < 400 && !isOpen(request)) {
      failures.push(`${described(request)} by ${token} => ${reply.status} ${reply.text.slice(0, 300)}`)
    }
  }

  /** Nobody, somebody without a role, an administrator of the other cluster, and a ServiceAccount of each. */
  async function tokensWithoutRights(): Promise<readonly (string | undefined)[]> {
    const path = `/api/v1/namespaces/default/serviceaccounts/default/token`
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [], expirationSeconds: 3600 } }
    const accounts = await Promise.all([path, clusterPrefix + path].map((each) => api.create(each, request)))
    return [undefined, 'nobody-token', 'wrong-token', ...accounts.map(({ status }) => (status as { token: string }).token)]
  }

  /** Without what it keeps of the past. */
  async function settledMemory(): Promise<number> {
    await api.send('POST', '/windlass/compact')
    await until('all watches and requests to end', async () => (await running()) === 0)
    return server.memory()
  }

  async function metrics(): Promise<string> {
    return ((await api.get('/metrics')) as { text: string }).text
  }

  /** Requests and watches that are not over, other than the one that asks. */
  async function running(): Promise<number> {
    const counts = (await metrics()).matchAll(/^apiserver_(?:current_inflight|longrunning)_requests\{.*\} (\d+)$/gm)
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
  }

  /** The revision of everything that is stored, in both clusters. */
  async function everything(): Promise<readonly string[]> {
    const found: string[] = []
    for (const prefix of ['', clusterPrefix]) {
      for (const path of await collections(prefix)) {
        const { items } = (await api.get(path)) as unknown as {
          items: readonly { metadata: { name: string; namespace?: string; resourceVersion: string } }[]
        }
        found.push(...items.map(({ metadata }) => `${path} ${metadata.namespace ?? ''}/${metadata.name} ${metadata.resourceVersion}`))
      }
    }
    assert.ok(found.some((line) => line.includes(`/${cluster} `)))
    return found
  }

  async function collections(prefix: string): Promise<readonly string[]> {
    const { groups } = (await api.get(`${prefix}/apis`)) as unknown as {
      groups: readonly { versions: readonly { groupVersion: string }[] }[]
    }
    const roots = ['/api/v1', ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`))]
    const lists = roots.map(async (root) => {
      const { resources } = (await api.get(prefix + root)) as unknown as {
        resources: readonly { name: string; verbs: readonly string[] }[]
      }
      return resources.filter(({ verbs }) => verbs.includes('list')).map(({ name }) => `${prefix}${root}/${name}`)
    })
    return (await Promise.all(lists)).flat()
  }

  /** Fails with what went wrong since the last report, the first of each sort. */
  function report(): void {
    const found = failures.splice(0)
    assert.ok(server.isAlive, `the server is gone. Last seen:\n${found.slice(-20).join('\n')}`)
    assert.equal(
      found.length,
      0,
      `${found.length} wrong answers:\n${found.slice(0, 40).join('\n')}\nproblems:\n${server.problems.slice(0, 20).join('\n')}`,
    )
  }
})

function plain({ method, path, query = {}, headers = {}, type = 'application/json', body }: Template): Request {
  const bytes = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }
  return { method, path, query: Object.entries(query), headers: { 'content-type': type, ...headers }, ...bytes }
}

/** Milliseconds of the shortest of three tries: whatever else a machine does only makes one longer. One that is short enough will do. */
async function shortest(work: () => Promise<unknown>, enough: number): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < 3 && least > enough; tries++) least = Math.min(least, await timeOf(work))
  return least
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function together(times: number, work: () => Promise<unknown>): Promise<void> {
  let started = 0
  const lane = async (): Promise<void> => {
    while (started++ < times) await work()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
