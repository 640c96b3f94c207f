import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { allKinds, type KubernetesObject, Namespace, Node, Pod, PodDisruptionBudget } from '@windlass/api'
import { aHostedCluster, aNodePool } from '@windlass/api/fixtures'
import { type EmbeddedOptions, startEmbedded } from '@windlass/apiserver'
import { parseTime, systemRandom, VirtualClock } from '@windlass/core'
import { type Client, connect, type Draft, isAlreadyExists } from '@windlass/kube'
import { allDefinitions } from '../definitions.ts'
import { aContext, type Ended } from '../fixtures.ts'
import { main } from '../main.ts'
import { objectsInFolder } from './folder-source.ts'
import { readExpected, situationNamed } from './status/golden/situations.ts'

const kinds = [...allKinds, Namespace, Node, Pod, PodDisruptionBudget]

/** What a hosted cluster needs besides what the situations are about. */
const specs: Readonly<Record<string, object>> = { HostedCluster: aHostedCluster().spec, NodePool: aNodePool().spec }

/** A server with its port open, and a command line that asks it. */
async function aCluster(options: EmbeddedOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'windlass-views-'))
  const server = await startEmbedded(options)
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, server.kubeconfig)
  const clock = new VirtualClock()
  const client = await connect({ kubeconfig, clock, random: systemRandom, userAgent: 'test', fieldManager: 'test' })
  return {
    client,
    ask: async (at: string, ...args: readonly string[]): Promise<Ended> => {
      const { context, said } = aContext(new VirtualClock({ start: parseTime(at) ?? assert.fail() }))
      const status = await main([...args, '--kubeconfig', kubeconfig], context)
      return { status, ...said() }
    },
    async [Symbol.asyncDispose]() {
      await client.close()
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function put(client: Client, object: KubernetesObject): Promise<void> {
  const kind =
    kinds.find(({ apiVersion, kind: name }) => apiVersion === object.apiVersion && name === object.kind) ?? assert.fail(object.kind)
  const { name = '', namespace, labels = {}, annotations = {} } = object.metadata
  if (namespace !== undefined) await createNamespace(client, namespace)
  const spec: unknown = { ...specs[object.kind], ...Reflect.get(object, 'spec') }
  const place = { name, ...(namespace === undefined ? {} : { namespace }) }
  await client.create<KubernetesObject>(kind, { metadata: { ...place, labels, annotations }, spec } as Draft<KubernetesObject>)
  const status: unknown = Reflect.get(object, 'status')
  // Not a merge patch: to that, the nulls of a cluster version would mean that there is nothing.
  if (status !== undefined) await client.patchStatus<KubernetesObject>(kind, place, [{ op: 'add', path: '/status', value: status }])
}

async function createNamespace(client: Client, name: string): Promise<void> {
  try {
    await client.create(Namespace, { metadata: { name } })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

const noon = '2025-06-27T12:00:00Z'

describe('windlass status and windlass history against a server', () => {
  for (const name of ['late', 'blocked-drain', 'degraded-operator', 'hosted-stalled', 'hosted-pool-updating']) {
    it(`say of a cluster what they say of its objects in files: ${name}`, async () => {
      const situation = situationNamed(name)
      await using cluster = await aCluster({ definitions: await allDefinitions() })
      for (const object of objectsInFolder(situation.folder)) await put(cluster.client, object)
      const at = situation.args.at(-1) ?? ''
      const args = situation.args.slice(0, situation.args.indexOf('--from'))
      const { status, out, err } = await cluster.ask(at, ...args)
      assert.deepEqual({ out, err }, { out: readExpected(situation, 'expected.txt'), err: '' })
      assert.equal(status, situation.exitStatus)
    })
  }

  it('find a hosted cluster by name, and say what there is otherwise', async () => {
    await using cluster = await aCluster({ definitions: await allDefinitions() })
    const { client, ask } = cluster
    await put(client, aHostedCluster())
    await put(client, aHostedCluster({ name: 'twin', namespace: 'a' }))
    await put(client, aHostedCluster({ name: 'twin', namespace: 'b' }))
    const history = await ask('2026-01-02T00:00:00Z', 'history', 'prod')
    assert.deepEqual([history.status, history.err], [0, ''])
    assert.deepEqual(history.out.split('\n').slice(0, 3), [
      'clusters/prod',
      'Management side: runs 4.19.6 since 2026-01-01T00:30:00Z',
      'Data plane:      runs 4.19.6 since 2026-01-01T00:30:00Z',
    ])
    const parsed = JSON.parse((await ask(noon, 'history', 'clusters/prod', '-o', 'json')).out) as {
      readonly controlPlane: { readonly state: string }
    }
    assert.equal(parsed.controlPlane.state, 'Completed')
    assert.match((await ask(noon, 'history', 'prod', '-n', 'clusters', '-o', 'yaml')).out, /^namespace: clusters\nname: prod\n/)
    assert.deepEqual(await ask(noon, 'status', 'prod'), { status: 0, out: 'The cluster is not updating.\n', err: '' })
    for (const command of ['history', 'status']) {
      assert.deepEqual(await ask(noon, command, 'twin'), {
        status: 1,
        out: '',
        err: 'windlass: there are 2 hosted clusters named twin: a/twin, b/twin. Choose one with -n\n',
      })
      assert.equal((await ask(noon, command, 'a/twin')).status, 0)
      const { status, err } = await ask(noon, command, 'other')
      assert.deepEqual([status, err], [1, 'windlass: there is no hosted cluster other: there are a/twin, b/twin, clusters/prod\n'])
    }
    const { status, err } = await ask(noon, 'status')
    assert.equal(status, 1)
    assert.match(err, /no ClusterVersion either: name one of the clusters that are hosted here, as in windlass status a\/twin\n$/)
  })

  it('say that a server knows nothing of what they are asked for', async () => {
    await using cluster = await aCluster()
    assert.match(
      (await cluster.ask(noon, 'history', 'prod')).err,
      /^windlass: there is no hosted cluster prod, nor any other: choose another/,
    )
    assert.match((await cluster.ask(noon, 'status')).err, /this is no OpenShift cluster\. Choose another with --kubeconfig or --context\n$/)
  })

  it('say that there is no server, or no kubeconfig', async () => {
    const { context, said } = aContext()
    assert.equal(await main(['history', 'prod', '--kubeconfig', '/nowhere/kubeconfig'], context), 1)
    assert.match(said().err, /^windlass: .*\/nowhere\/kubeconfig/)
  })
})
