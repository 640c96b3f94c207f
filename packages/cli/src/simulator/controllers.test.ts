import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Lease, Namespace } from '@windlass/api'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { systemRandom as random } from '@windlass/core'
import { catalogueResolver, sampleCatalogue } from '@windlass/hosted'
import { createClient, inProcessTransport } from '@windlass/kube'
import { allDefinitions } from '../definitions.ts'
import { simulatorControllers } from './controllers.ts'

async function aServer() {
  const server = await startTestServer({ definitions: await allDefinitions() })
  const { clock } = server
  const transport = inProcessTransport((request) => server.api.handle(request), { user: admin })
  const client = createClient({ transport, clock, random, userAgent: 'test', fieldManager: 'test' })
  const releases = catalogueResolver(sampleCatalogue())
  const names = async () => {
    const controllers = await simulatorControllers({ client, seed: '1', speed: 1, releases, connect: () => client })
    return controllers.map(({ name }) => name)
  }
  return { client, names, [Symbol.asyncDispose]: () => server.api.stop() }
}

describe('a simulator of machines', () => {
  it('does not start beside managers of Cluster API, and says how it knows of them', async () => {
    await using server = await aServer()
    const { client, names } = server
    await client.create(Namespace, { metadata: { name: 'clusters-prod' } })
    const ofManager = { metadata: { namespace: 'clusters-prod', name: 'controller-leader-election-capi' }, spec: {} }
    await client.create(Lease, ofManager)
    await client.create(Lease, { metadata: { namespace: 'clusters-prod', name: 'controller-leader-elect-capa' }, spec: {} })
    await assert.rejects(
      names(),
      /this cluster has managers of Cluster API, by their Leases clusters-prod\/controller-leader-elect-capa, clusters-prod\/controller-leader-election-capi: /,
    )
  })

  it('starts beside anybody else who leads by a Lease', async () => {
    await using server = await aServer()
    const { client, names } = server
    for (const name of ['windlass', 'hypershift-operator-leader-elect', 'cluster-capital-leader'])
      await client.create(Lease, { metadata: { namespace: 'default', name }, spec: {} })
    assert.ok((await names()).includes('simulated-machines'))
  })
})
