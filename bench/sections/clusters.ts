import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { allKinds, toCrd } from '@windlass/api'
import { open } from 'lmdb'
import type { Bench } from '../bench.ts'
import { goals } from '../goals.ts'
import { expect, LoadClient } from '../load/index.ts'
import type { ServerProcess } from '../server.ts'

const kinds = allKinds.filter(({ scope }) => scope !== 'Cluster').slice(0, 10)
const template = 'template'
const collection = '/apis/windlass.dev/v1alpha1/logicalclusters'

/**
 * What a logical cluster costs that shares the ten CRDs of a template: on the disk, and in memory once somebody has used it. Memory is that of
 * the second half: the first half warms the server up, which takes as much whatever it is that it does.
 */
export async function measureClusters(bench: Bench): Promise<void> {
  const count = bench.settings.clusters
  const directory = bench.folder()
  await withServer(bench, directory, async (client) => {
    await create(client, template)
    await until(client, (ready) => ready === 1)
    for (const kind of kinds) {
      const path = `/clusters/${template}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`
      await expect(201, client.send({ method: 'POST', path, body: JSON.stringify(toCrd(kind)) }))
    }
    await compact(client)
  })
  const before = await bytesAtRest(directory)
  await withServer(bench, directory, async (client, server) => {
    const names = Array.from({ length: count }, (_, index) => `tenant-${index}`)
    const half = Math.floor(count / 2)
    const started = performance.now()
    await make(client, names.slice(0, half), half)
    const memory = server.memory().anonymous
    await make(client, names.slice(half), count)
    const grown = server.memory().anonymous - memory
    bench.add({ name: 'logical clusters made', value: (count * 1000) / (performance.now() - started), unit: '/s' })
    bench.add({ name: `memory per logical cluster of ${count}`, value: (grown * 1024) / (count - half), unit: 'KB' })
    await compact(client)
  })
  const copied = kinds.reduce((sum, kind) => sum + JSON.stringify(toCrd(kind)).length, 0) / 1024
  const value = ((await bytesAtRest(directory)) - before) / 1024 / count
  const baseline = { what: 'copies of its CRDs', value: copied }
  bench.add({ name: `disk per logical cluster of ${count}`, value, unit: 'KB', baseline, goal: goals.cluster })
}

async function withServer(
  bench: Bench,
  directory: string,
  work: (client: LoadClient, server: ServerProcess) => Promise<void>,
): Promise<void> {
  const server = await bench.start(directory)
  const client = new LoadClient(server, 16)
  try {
    await work(client, server)
  } finally {
    await client.close()
    await bench.stop(server)
  }
}

/** A few at a time, as many as there are connections. */
async function eachOf(names: readonly string[], work: (name: string) => Promise<unknown>): Promise<void> {
  const left = names.values()
  const worker = async (): Promise<void> => {
    for (const name of left) await work(name)
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}

/** Makes clusters and uses each once. `total` is how many there are then besides the template. */
async function make(client: LoadClient, names: readonly string[], total: number): Promise<void> {
  await eachOf(names, (name) => create(client, name, template))
  await until(client, (ready) => ready === total + 1)
  await eachOf(names, (name) => use(client, name))
}

function create(client: LoadClient, name: string, from?: string): Promise<unknown> {
  const spec = from === undefined ? {} : { template: from }
  const object = { apiVersion: 'windlass.dev/v1alpha1', kind: 'LogicalCluster', metadata: { name }, spec }
  return expect(201, client.send({ method: 'POST', path: collection, body: JSON.stringify(object) }))
}

/** Asks for objects of every shared kind, which makes the server load the cluster. */
async function use(client: LoadClient, name: string): Promise<void> {
  for (const kind of kinds)
    await expect(200, client.send({ method: 'GET', path: `/clusters/${name}/apis/${kind.apiVersion}/${kind.plural}` }))
}

async function until(client: LoadClient, isDone: (ready: number) => boolean): Promise<void> {
  for (;;) {
    const { text } = await expect(200, client.send({ method: 'GET', path: collection, keepsText: true }))
    const { items } = JSON.parse(text) as { readonly items: readonly { readonly status?: { readonly phase?: string } }[] }
    if (isDone(items.filter(({ status }) => status?.phase === 'Ready').length)) return
    // Looking all the time would keep the server from getting there.
    await sleep(100)
  }
}

/** History is bounded by its age, not by the number of clusters: without it, what is left is what they cost. */
function compact(client: LoadClient): Promise<unknown> {
  return expect(200, client.send({ method: 'POST', path: '/windlass/compact' }))
}

/** The size of a copy without free pages: the file itself keeps the size it once needed. */
async function bytesAtRest(directory: string): Promise<number> {
  const copy = join(directory, 'copy.mdb')
  rmSync(copy, { force: true })
  const store = open({ path: join(directory, 'data', 'objects.mdb'), readOnly: true })
  await store.backup(copy, true)
  await store.close()
  return statSync(copy).size
}
