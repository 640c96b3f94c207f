import type { Bench } from '../bench.ts'
import { goals } from '../goals.ts'
import { expect, LoadClient } from '../load/index.ts'
import { collectionPath } from '../node-pool.ts'
import { prepare } from './prepare.ts'

const namespace = 'owned'

/** How long the garbage collector takes for all dependents of one owner, against the time it took to create them. */
export async function measureCollector(bench: Bench): Promise<void> {
  const dependents = bench.settings.isQuick ? 2000 : 10_000
  const server = await bench.start()
  await prepare(server, [namespace])
  const client = new LoadClient(server, 1)
  try {
    const owners = `/api/v1/namespaces/${namespace}/configmaps`
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owner' } })
    const { text } = await expect(201, client.send({ method: 'POST', path: owners, body, keepsText: true }))
    const { metadata } = JSON.parse(text) as { readonly metadata: { readonly uid: string } }
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid }
    const created = await bench.generator.run('create', {
      at: server,
      clients: 32,
      from: 0,
      namespace,
      owner,
      extent: { count: dependents },
    })
    const started = performance.now()
    await expect(200, client.send({ method: 'DELETE', path: `${owners}/owner` }))
    while (!(await isEmpty(client)));
    const name = `collect ${dependents.toLocaleString('en-US')} dependents`
    const baseline = { what: 'creating them', value: (dependents * 1000) / created.perSecond }
    bench.add({
      name,
      value: performance.now() - started,
      unit: 'ms',
      baseline,
      ...(bench.settings.isQuick ? {} : { goal: goals.collection }),
    })
  } finally {
    await client.close()
    await bench.stop(server)
  }
}

async function isEmpty(client: LoadClient): Promise<boolean> {
  const path = `${collectionPath(namespace)}?limit=1`
  const { text } = await expect(200, client.send({ method: 'GET', path, keepsText: true }))
  return (JSON.parse(text) as { readonly items: readonly unknown[] }).items.length === 0
}
