import { setTimeout as sleep } from 'node:timers/promises'
import { type BareServer, startBareServer } from '../baselines/index.ts'
import type { Bench } from '../bench.ts'
import { goals, orientation } from '../goals.ts'
import { expect, LoadClient } from '../load/index.ts'
import { everywherePath, namespacesFor, objectPath } from '../node-pool.ts'
import type { ServerProcess } from '../server.ts'
import { measureLists } from './lists.ts'
import { prepare } from './prepare.ts'
import { measureWatches } from './watches.ts'
import { extraNamespace, measureCreates, measurePatches } from './writes.ts'

export const clients = 32

/** What one operation costs, in milliseconds: to be compared between sizes. */
export type Costs = Readonly<Record<'create' | 'status patch' | 'get' | 'list', number>>

/** Everything about a server with `count` objects. Creates come last: they make it a server with more of them. */
export async function measureObjects(bench: Bench, count: number): Promise<Costs> {
  const suffix = `of ${count.toLocaleString('en-US')}`
  const server = await bench.start()
  await prepare(server, [...namespacesFor(count), extraNamespace])
  const filled = await bench.generator.run('create', { at: server, clients, from: 0, extent: { count } })
  bench.add({ name: `fill up to ${count.toLocaleString('en-US')}`, value: filled.perSecond, unit: '/s', orientation: orientation.creates })
  const memoryGoal = count <= orientation.objects ? goals.memory : goals.memoryLarge
  await measureMemory(bench, server, `memory after the fill ${suffix}`, memoryGoal)

  const bodies = await bodiesOf(server)
  const bare = await startBareServer(server, bodies)
  try {
    const get = await measureGets(bench, server, bare, count, suffix)
    const list = await measureLists(bench, { server, bare, count, suffix })
    const patch = await measurePatches(bench, server, count, suffix)
    await measureMemory(bench, server, `memory after reads and patches ${suffix}`, memoryGoal)
    await measureWatches(bench, server, bare, suffix)
    await measureMemory(bench, server, `memory after 100 watchers ${suffix}`)
    const create = await measureCreates(bench, server, count, suffix)
    const costs: Costs = { create: 1000 / create, 'status patch': 1000 / patch, get: 1000 / get, list }
    await bench.stop(server)
    await measureRestart(bench, server.directory, suffix)
    return costs
  } finally {
    bare.stop()
  }
}

/** What the bare server is to answer with: one object, a list of 3,000, a list of 10,000 where there are so many. */
async function bodiesOf(server: ServerProcess): Promise<readonly string[]> {
  const client = new LoadClient(server, 1)
  try {
    const paths = [objectPath(0), `${everywherePath}?limit=3000`, `${everywherePath}?limit=10000`]
    return await Promise.all(paths.map(async (path) => (await expect(200, client.send({ method: 'GET', path, keepsText: true }))).text))
  } finally {
    await client.close()
  }
}

/** Milliseconds after which a server has given back what a load took. */
const rest = 8_000

/** At rest, and before it. Pages of the database are the system's: it keeps them as long as nobody needs the room. */
async function measureMemory(bench: Bench, server: ServerProcess, name: string, goal?: number): Promise<void> {
  const beside = (): number => server.memory().resident - server.databasePages()
  const busy = beside()
  await sleep(rest)
  bench.add({ name, value: beside(), unit: 'MB', orientation: orientation.memory, ...(goal === undefined ? {} : { goal }) })
  bench.add({ name: `${name}, right after the load`, value: busy, unit: 'MB' })
  bench.add({ name: `${name}, pages of the database`, value: server.databasePages(), unit: 'MB' })
}

async function measureGets(bench: Bench, server: ServerProcess, bare: BareServer, count: number, suffix: string): Promise<number> {
  const extent = { seconds: bench.roundSeconds }
  const got = await bench.bestOn(server, () => bench.generator.run('get', { at: server, clients, objects: count, extent }))
  const plain = await bench.bestOn(bare, () => bench.generator.run('repeat', { at: bare, clients, path: '/0', extent }))
  const baseline = (value: number) => ({ what: 'bare https', value })
  const { perSecond, p99, cpu } = got
  bench.add({
    name: `get ${suffix}`,
    value: perSecond,
    unit: '/s',
    baseline: baseline(plain.perSecond),
    orientation: orientation.gets,
    goal: goals.gets,
  })
  bench.add({ name: `get ${suffix}, p99`, value: p99, unit: 'ms', baseline: baseline(plain.p99), goal: goals.getsSlow })
  bench.add({ name: `get ${suffix}, CPU`, value: cpu, unit: 'us', baseline: baseline(plain.cpu) })
  return perSecond
}

async function measureRestart(bench: Bench, directory: string, suffix: string): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < bench.rounds; round++) {
    const server = await bench.start(directory)
    times.push(server.readyAfter)
    await bench.stop(server)
  }
  bench.add({ name: `ready with the data ${suffix}`, value: Math.min(...times), unit: 'ms', goal: goals.readyLarge })
}
