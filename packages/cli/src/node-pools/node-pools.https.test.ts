import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { HostedCluster, Namespace, NodePool, Secret } from '@windlass/api'
import { aHostedCluster } from '@windlass/api/fixtures'
import { startEmbedded } from '@windlass/apiserver'
import { systemClock, systemRandom } from '@windlass/core'
import { connect } from '@windlass/kube'
import { allDefinitions } from '../definitions.ts'
import { aContext, type Ended } from '../fixtures.ts'
import { main } from '../main.ts'

/** A management cluster with a hosted cluster at 4.20.6, of sample releases, and a command line that asks it. */
async function aPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'windlass-pools-'))
  const server = await startEmbedded({ definitions: await allDefinitions() })
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, server.kubeconfig)
  const client = await connect({ kubeconfig, clock: systemClock, random: systemRandom, userAgent: 'test', fieldManager: 'test' })
  await client.create(Namespace, { metadata: { name: 'clusters' } })
  await client.create(Secret, {
    metadata: { namespace: 'clusters', name: 'prod-pull-secret' },
    stringData: { '.dockerconfigjson': '{"auths":{}}' },
  })
  const { spec, status } = JSON.parse(JSON.stringify(aHostedCluster({ release: '4.20.6' }))) as HostedCluster
  const created = await client.create(HostedCluster, { metadata: { namespace: 'clusters', name: 'prod' }, spec })
  await client.updateStatus(HostedCluster, { ...created, ...(status === undefined ? {} : { status }) })
  return {
    client,
    ask: async (...args: readonly string[]): Promise<Ended> => {
      const { context, said } = aContext(systemClock)
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

const image = (version: string): string => `example.com/ocp/release:${version}-x86_64`
const sample = ['--release-catalogue', 'sample'] as const

describe('windlass create nodepool', () => {
  it('asks for nodes of what the control plane has completed, and says so', async () => {
    await using place = await aPlace()
    const { status, out, err } = await place.ask('create', 'nodepool', 'batch', '--cluster', 'prod', '--replicas', '3', ...sample)
    assert.deepEqual([status, err], [0, ''])
    assert.match(out, /^nodepool clusters\/batch created: 3 nodes of \S+\n$/)
    const { spec } = await place.client.get(NodePool, { namespace: 'clusters', name: 'batch' })
    assert.deepEqual([spec.clusterName, spec.replicas, spec.arch, spec.management.upgradeType], ['prod', 3, 'amd64', 'Replace'])
  })

  it('refuses nodes that are too new or too old, in the words of the condition, before anything is written', async () => {
    await using place = await aPlace()
    const ask = (version: string, ...more: readonly string[]) =>
      place.ask('create', 'nodepool', 'batch', '--cluster', 'clusters/prod', '--release', image(version), ...sample, ...more)
    assert.match(
      (await ask('4.21.1')).err,
      /is not created: NodePool version 4\.21\.1 cannot be higher than the HostedCluster version 4\.20\.6/,
    )
    const old = await ask('4.18.18', '--policy', 'fixed:1')
    assert.match(old.err, /NodePool minor version 4\.18 is less than 4\.19, which is the minimum/)
    assert.equal(old.status, 1)
    assert.equal(await place.client.find(NodePool, { namespace: 'clusters', name: 'batch' }), undefined)
    assert.equal((await ask('4.18.18')).status, 0)
    assert.match((await ask('4.18.18')).err, /NodePool clusters\/batch already exists; choose another name/)
  })

  it('refuses an architecture that the release has no images for, and a cluster that is not there', async () => {
    await using place = await aPlace()
    const { err } = await place.ask('create', 'nodepool', 'batch', '--cluster', 'prod', '--arch', 'arm64', ...sample)
    assert.match(err, /NodePool CPU arch arm64 is not supported by the HostedCluster payload type AMD64/)
    assert.match((await place.ask('create', 'nodepool', 'x', '--cluster', 'other')).err, /there is no hosted cluster other/)
    assert.match((await place.ask('create', 'nodepool', 'x', '--cluster', 'prod', '--like', 'y', ...sample)).err, /no NodePool clusters\/y/)
  })
})

describe('windlass scale nodepool', () => {
  it('changes the size, and only that; not of a pool that the autoscaler has', async () => {
    await using place = await aPlace()
    await place.ask('create', 'nodepool', 'batch', '--cluster', 'prod', ...sample)
    const scale = (replicas: number) => place.ask('scale', 'nodepool', 'batch', '--replicas', `${replicas}`)
    assert.equal((await scale(5)).out, 'nodepool clusters/batch scaled from 2 to 5\n')
    assert.equal((await scale(5)).out, 'nodepool clusters/batch has 5 replicas already\n')
    assert.equal((await place.client.get(NodePool, { namespace: 'clusters', name: 'batch' })).spec.replicas, 5)
    await place.client.patch(
      NodePool,
      { namespace: 'clusters', name: 'batch' },
      { spec: { replicas: null, autoScaling: { min: 1, max: 3 } } },
    )
    const { status, err } = await scale(4)
    assert.deepEqual([status, /is scaled by the autoscaler, between 1 and 3 nodes/.test(err)], [1, true], err)
    assert.match(
      (await place.ask('scale', 'nodepool', 'other', '--replicas', '1')).err,
      /there is no node pool other: kubectl get nodepools -A/,
    )
  })

  it('windlass skew shows the pools of all clusters, and ends with 2 when one is not supported', async () => {
    await using place = await aPlace()
    await place.ask('create', 'nodepool', 'batch', '--cluster', 'prod', ...sample)
    const ref = { namespace: 'clusters', name: 'batch' }
    await place.client.patchStatus(NodePool, ref, { status: { version: '4.20.6', replicas: 2 } })
    const good = await place.ask('skew')
    assert.deepEqual([good.status, good.err], [0, ''])
    assert.match(good.out, /^clusters\/prod\n[\s\S]*batch +4\.20\.6 +4\.18 \.\. 4\.20\.6 +Supported\n$/)
    await place.client.patchStatus(NodePool, ref, { status: { version: '4.17.1', replicas: 2 } })
    assert.equal((await place.ask('skew', 'prod')).status, 2)
    const parsed = JSON.parse((await place.ask('skew', 'prod', '--to', '4.20.7', '-o', 'json')).out) as {
      readonly plan: { readonly to: string }
    }
    assert.equal(parsed.plan.to, '4.20.7')
    assert.match((await place.ask('skew', '--to', '4.21.0')).err, /'--to <version>' needs a hosted cluster/)
    assert.match((await place.ask('skew', 'prod', '--to', 'soon')).err, /"soon" is no version: write it as in 4\.20\.8/)
  })
})
