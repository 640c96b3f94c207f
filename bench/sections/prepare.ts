import { expect, LoadClient } from '../load/index.ts'
import { definition, everywherePath } from '../node-pool.ts'
import type { ServerProcess } from '../server.ts'

/** Makes NodePools known, and namespaces for them; resolves when they are served. */
export async function prepare(server: ServerProcess, namespaces: readonly string[]): Promise<void> {
  const client = new LoadClient(server, 1)
  const post = (path: string, object: object): Promise<unknown> =>
    expect(201, client.send({ method: 'POST', path, body: JSON.stringify(object) }))
  try {
    await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
    for (const name of namespaces) await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    while ((await client.send({ method: 'GET', path: `${everywherePath}?limit=1` })).status !== 200);
  } finally {
    await client.close()
  }
}
