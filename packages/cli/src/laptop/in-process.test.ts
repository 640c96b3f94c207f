import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LogicalCluster, Namespace, Route, Secret, Service, toCrd } from '@windlass/api'
import { type JsonObject, startEmbedded } from '@windlass/apiserver'
import { until } from '@windlass/apiserver/testing'
import { systemClock as clock, systemRandom as random } from '@windlass/core'
import { type Client, noMetrics as metrics, silentLog as log } from '@windlass/kube'
import { dnsAnnotation } from '@windlass/simulator'
import { inProcessAccess } from './in-process.ts'
import { simulatedNames } from './names.ts'

const definitions = JSON.parse(JSON.stringify([LogicalCluster, Route].map((kind) => toCrd(kind)))) as readonly JsonObject[]

async function aServer() {
  const embedded = await startEmbedded({ definitions })
  const { client, connect } = inProcessAccess(embedded, { clock, random, log, metrics })
  return { embedded, client, connect, [Symbol.asyncDispose]: () => embedded.close() }
}

/** The kubeconfig of a logical cluster, as its Secret has it. */
async function kubeconfigOf(client: Client, name: string): Promise<string> {
  await client.create(LogicalCluster, { metadata: { name }, spec: {} })
  const ref = { namespace: 'kube-system', name: `${name}-kubeconfig` }
  await until(async () => (await client.find(Secret, ref)) !== undefined)
  return Buffer.from((await client.get(Secret, ref)).data?.['kubeconfig'] ?? '', 'base64').toString()
}

describe('a client in the process of the server', () => {
  it('reaches the server and its logical clusters, each with what is in it', async () => {
    await using server = await aServer()
    const guest = await server.connect(await kubeconfigOf(server.client, 'east'), 'clusters/east')
    await guest.create(Namespace, { metadata: { name: 'only-in-east' } })
    assert.equal((await guest.get(Namespace, { name: 'only-in-east' })).metadata.name, 'only-in-east')
    assert.equal(await server.client.find(Namespace, { name: 'only-in-east' }), undefined)
  })

  it('reaches them though the kubeconfig is from before the last start, when the server had another port', async () => {
    await using server = await aServer()
    const kubeconfig = (await kubeconfigOf(server.client, 'east')).replaceAll(`:${server.embedded.port}/`, ':1/')
    assert.match(kubeconfig, /127\.0\.0\.1:1\/clusters\/east/)
    const guest = await server.connect(kubeconfig, 'clusters/east')
    assert.equal((await guest.get(Namespace, { name: 'default' })).metadata.name, 'default')
  })

  it('goes over the network to the guests of other servers', async () => {
    await using here = await aServer()
    await using there = await aServer()
    const kubeconfig = (await kubeconfigOf(there.client, 'west')).replaceAll('127.0.0.1', 'localhost')
    const guest = await here.connect(kubeconfig, 'clusters/west')
    assert.equal((await guest.get(Namespace, { name: 'default' })).metadata.name, 'default')
    await guest.close()
  })
})

describe('names where there is no DNS', () => {
  it('are known when the simulator says so on a Service or a Route', async () => {
    await using server = await aServer()
    const look = simulatedNames(server.client)
    const { signal } = new AbortController()
    const spec = { type: 'LoadBalancer', ports: [{ port: 6443 }] } as const
    await server.client.create(Service, { metadata: { namespace: 'default', name: 'api' }, spec })
    await assert.rejects(look('api.example.com', signal), /api\.example\.com is not known yet: no Service and no Route has it/)
    const annotations = { [dnsAnnotation]: 'api.example.com' }
    await server.client.patch(Service, { namespace: 'default', name: 'api' }, { metadata: { annotations } })
    await look('api.example.com', signal)
  })
})
