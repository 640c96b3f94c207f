import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterOperator, ClusterVersion, Node } from '@windlass/api'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { systemRandom } from '@windlass/core'
import { sampleCatalogue } from '@windlass/hosted'
import { createClient, inProcessTransport } from '@windlass/kube'
import { allDefinitions } from '../definitions.ts'
import { standaloneControllers } from './standalone.ts'

async function aServer(definitions: NonNullable<Parameters<typeof startTestServer>[0]>['definitions'] = []) {
  const server = await startTestServer({ definitions })
  const { clock } = server
  const transport = inProcessTransport((request) => server.api.handle(request), { user: admin })
  const client = createClient({ transport, clock, random: systemRandom, userAgent: 'test', fieldManager: 'test' })
  const parts = { client, clock, catalogue: sampleCatalogue(), seed: '1', speed: 1 }
  return { client, parts, [Symbol.asyncDispose]: () => server.api.stop() }
}

describe('a classic cluster that is simulated', () => {
  it('is made where there is none, and left alone where there is one', async () => {
    await using server = await aServer(await allDefinitions())
    const { client, parts } = server
    const controllers = await standaloneControllers({ ...parts, version: '4.19.12' })
    assert.ok(controllers.length > 0)
    const version = await client.get(ClusterVersion, { name: 'version' })
    assert.equal(version.status?.desired.version, '4.19.12')
    assert.match(version.status.desired.image, /@sha256:/)
    assert.equal(version.spec.channel, 'stable-4.19')
    let operators = 0
    for await (const _ of client.list(ClusterOperator)) operators++
    assert.equal(operators, 33)
    await client.delete(Node, { name: 'worker-2' })
    await standaloneControllers({ ...parts, version: '4.20.1' })
    assert.equal((await client.get(ClusterVersion, { name: 'version' })).status?.desired.version, '4.19.12')
    assert.equal(await client.find(Node, { name: 'worker-2' }), undefined)
  })

  it('needs a release that there is', async () => {
    await using server = await aServer(await allDefinitions())
    await assert.rejects(standaloneControllers({ ...server.parts, version: '4.19.99' }), /has no release 4\.19\.99 in any channel/)
  })

  it('needs a server that knows its kinds', async () => {
    await using server = await aServer()
    await assert.rejects(standaloneControllers({ ...server.parts, version: '4.19.12' }), /create the definitions of deploy\/crds first/)
  })
})
