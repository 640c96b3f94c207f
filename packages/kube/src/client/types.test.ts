import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ConfigMap, Lease, NodePool, type Resource } from '@windlass/api'
import type { Client } from './client.ts'
import { clientOf } from './testing.ts'

/** Never called: that it compiles is the test, and that each line marked as an error is one. */
async function compiles(client: Client): Promise<unknown> {
  const ref = { namespace: 'clusters', name: 'a' }
  const pool: NodePool = await client.get(NodePool, ref)
  const replicas: number | undefined = pool.spec.replicas
  const found: ConfigMap | undefined = await client.find(ConfigMap, ref)
  // @ts-expect-error a ConfigMap is no NodePool
  const wrong: NodePool = await client.get(ConfigMap, ref)
  // @ts-expect-error what comes from the API cannot be changed
  pool.spec.replicas = 3
  // @ts-expect-error a NodePool has no such field
  await client.apply(NodePool, { metadata: ref, spec: { replica: 3 } })
  // @ts-expect-error what is applied has a name
  await client.apply(NodePool, { metadata: { namespace: 'clusters' } })

  const patched: NodePool = await client.patchStatus(NodePool, ref, { status: { replicas: 3 } })
  // @ts-expect-error a ConfigMap has no status
  await client.patchStatus(ConfigMap, ref, {})
  // @ts-expect-error a Lease has no status
  await client.updateStatus(Lease, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: ref })
  // @ts-expect-error a Lease has no status
  await client.applyStatus(Lease, { metadata: ref })
  // Of a kind that is only known while it runs nobody can say.
  const some: Resource = NodePool
  await client.patchStatus(some, ref, {})

  for await (const events of await client.watch(NodePool)) {
    for (const event of events) if (event.type !== 'BOOKMARK') assert.equal(event.object.kind satisfies 'NodePool', 'NodePool')
  }
  return [replicas, found, wrong, patched]
}

it('N1 a call is typed by its kind, and kinds without a status have no status methods', () => {
  assert.equal(typeof compiles, 'function')
  assert.equal(typeof clientOf([]).client.patchStatus, 'function')
})
