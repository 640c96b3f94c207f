import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { KubevirtMachineTemplate, LogicalCluster, Node, NodePool, Secret } from '@windlass/api'
import { aNodePool } from '@windlass/api/fixtures'
import { type JsonObject, startEmbedded } from '@windlass/apiserver'
import { systemClock as clock, systemRandom as random } from '@windlass/core'
import { type Client, connector, createMetrics, createOperator, silentLog as log } from '@windlass/kube'
import { httpsIgnition, machineControllers } from '@windlass/simulator'
import { nodePoolControllers } from '../controllers.ts'
import { ignitionServer, IgnitionService } from '../token/index.ts'
import { Annotation } from '../wire.ts'
import { definitions, furnish, home, poolRef, releases } from './world.ts'

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  const end = clock.monotonic() + 60_000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (clock.monotonic() > end) throw new Error(`this did not come: ${String(look)}`)
    await sleep(25)
  }
}

async function kubeconfigOf(client: Client): Promise<string> {
  await client.create(LogicalCluster, { metadata: { name: home }, spec: {} })
  const ref = await until(async () => (await client.get(LogicalCluster, { name: home })).status?.kubeconfigSecretRef)
  const secret = await until(() => client.find(Secret, { namespace: ref.namespace, name: ref.name }))
  return Buffer.from(secret.data?.[ref.key] ?? '', 'base64').toString()
}

describe('node pools over HTTPS', () => {
  it('NP-40 machines fetch their configuration over TLS, and become nodes of their guest', { timeout: 120_000 }, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'windlass-pools-'))
    const server = await startEmbedded({ directory, definitions: definitions as unknown as readonly JsonObject[] })
    const connect = connector({ clock, random, log, userAgent: 'test', fieldManager: 'test' })
    const client = await connect(server.kubeconfig, 'the management cluster')
    const file = (name: string): string => readFileSync(join(directory, 'pki', name), 'utf8')
    const ignition = new IgnitionService()
    const port = ignitionServer({ ignition, clock, log, certificate: file('server.crt'), key: file('server.key'), port: 0 })
    const fetchIgnition = httpsIgnition()
    const templates = [KubevirtMachineTemplate]
    const manager = createOperator({
      client,
      clock,
      random,
      log,
      metrics: createMetrics(),
      instance: 'test',
      controllers: [
        ...nodePoolControllers({ connect, releases, templates, ignition }),
        ...machineControllers({ seed: 1, speed: 100, connect, fetchIgnition, templates }),
      ],
    })
    manager.add(port)
    const stop = new AbortController()
    const running = manager.run(stop.signal)
    try {
      const url = await until(() => Promise.resolve(port.url))
      const ignitionEndpoint = url.replace('https://127.0.0.1', 'localhost')
      await furnish(client, { kubeconfig: await kubeconfigOf(client), authority: file('ca.crt'), ignitionEndpoint })
      const { metadata, spec } = aNodePool({ spec: { replicas: 2 } })
      await client.create(NodePool, { metadata: { namespace: 'clusters', name: metadata.name ?? '' }, spec })
      await until(async () => ((await client.get(NodePool, poolRef())).status?.version === '4.19.6' ? true : undefined))
      const guest = await connect(await guestKubeconfig(client), 'the guest')
      for await (const { items } of guest.pages(Node)) assert.equal(items.length, 2)
      await guest.close()
      const [token] = await tokensIn(client)
      assert.equal(token?.metadata.annotations?.[Annotation.ignitionReached], 'True')
      const headers = { authorization: 'Bearer bm9ib2R5', nodepool: 'clusters/workers', targetconfigversionhash: 'x' }
      const ask = async (given: Readonly<Record<string, string>>, path = '/ignition') => {
        const question = { url: `https://${ignitionEndpoint}${path}`, headers: given, authority: file('ca.crt'), tokenSecret: undefined }
        return (await fetchIgnition(question, AbortSignal.timeout(10_000))).status
      }
      assert.deepEqual([await ask(headers), await ask({}), await ask({}, '/healthz'), await ask({}, '/other')], [511, 401, 200, 404])
      const stranger = fetchIgnition(
        { url: `https://${ignitionEndpoint}/healthz`, headers: {}, authority: '', tokenSecret: undefined },
        AbortSignal.timeout(10_000),
      )
      await assert.rejects(stranger, /certificate|issuer/)
    } finally {
      stop.abort()
      await running
      await client.close()
      await server.close()
      rmSync(directory, { recursive: true })
    }
    assert.equal(port.url, undefined)
  })
})

async function guestKubeconfig(client: Client): Promise<string> {
  const secret = await client.get(Secret, { namespace: 'clusters', name: 'prod-admin-kubeconfig' })
  return Buffer.from(secret.data?.['kubeconfig'] ?? '', 'base64').toString()
}

async function tokensIn(client: Client): Promise<readonly Secret[]> {
  const found: Secret[] = []
  for await (const secret of client.list(Secret, { namespace: home })) if (secret.metadata.name?.startsWith('token-')) found.push(secret)
  return found
}
