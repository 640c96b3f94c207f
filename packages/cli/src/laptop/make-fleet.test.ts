import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap, HostedCluster, LogicalCluster, Namespace, NodePool, toCrd } from '@windlass/api'
import type { JsonObject } from '@windlass/api'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { seededRandom } from '@windlass/core'
import { sampleCatalogue } from '@windlass/hosted'
import { type Client, createClient, inProcessTransport } from '@windlass/kube'
import { clusterDraft } from './fleet-objects.ts'
import { makeFleet } from './make-fleet.ts'
import { sampleFleet } from './sample-fleet.ts'
import { sampleReleases } from './sample-releases.ts'

const definitions = JSON.parse(
  JSON.stringify([HostedCluster, NodePool, LogicalCluster].map((kind) => toCrd(kind))),
) as readonly JsonObject[]
const releases = sampleReleases(sampleCatalogue())
const { signal } = new AbortController()

async function aServer() {
  const server = await startTestServer({ definitions })
  const transport = inProcessTransport((request) => server.api.handle(request), { user: admin })
  const client = createClient({ transport, clock: server.clock, random: seededRandom('client'), userAgent: 'test', fieldManager: 'test' })
  return {
    client,
    make: (size: number) => makeFleet(client, sampleFleet(size), releases, signal),
    [Symbol.asyncDispose]: () => server.api.stop(),
  }
}

async function namesIn(client: Client, kind: typeof HostedCluster | typeof NodePool): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { metadata } of client.list<HostedCluster | NodePool>(kind)) names.push(metadata.name ?? '')
  return names.sort()
}

describe('the sample fleet is made', () => {
  it('where there is none: clusters, and pools for those that have some', async () => {
    await using server = await aServer()
    assert.equal(await server.make(8), true)
    const wanted = sampleFleet(8)
    assert.deepEqual(await namesIn(server.client, HostedCluster), wanted.map(({ name }) => name).sort())
    const withPools = wanted.filter(({ role }) => role !== 'no-node-pools').map(({ name }) => `${name}-workers`)
    assert.deepEqual(await namesIn(server.client, NodePool), [...withPools, 'prod-us-1-batch'].sort())
  })

  it('once: what people have deleted does not come back', async () => {
    await using server = await aServer()
    await server.make(3)
    await server.client.delete(HostedCluster, { namespace: 'clusters', name: 'prod-eu-1' })
    assert.equal(await server.make(3), false)
    assert.deepEqual(await namesIn(server.client, HostedCluster), ['prod-eu-2', 'prod-us-1'])
  })

  it('to the end, when it was left half made', async () => {
    await using server = await aServer()
    await server.client.create(Namespace, { metadata: { name: 'clusters' } })
    const [first] = sampleFleet(3)
    await server.client.create(HostedCluster, clusterDraft(first ?? assert.fail(), releases))
    assert.equal(await server.make(3), true)
    assert.equal((await namesIn(server.client, HostedCluster)).length, 3)
    assert.equal((await server.client.get(ConfigMap, { namespace: 'clusters', name: 'sample-fleet' })).data?.['clusters'], '3')
  })

  it('not where people have clusters of their own, nor where none is wanted', async () => {
    await using server = await aServer()
    assert.equal(await server.make(0), false)
    await server.client.create(Namespace, { metadata: { name: 'mine' } })
    const { spec } = clusterDraft({ name: 'mine', role: 'steady', version: '4.20.6' }, releases)
    await server.client.create(HostedCluster, { metadata: { namespace: 'mine', name: 'mine' }, spec })
    assert.equal(await server.make(3), false)
    assert.deepEqual(await namesIn(server.client, HostedCluster), ['mine'])
  })
})
