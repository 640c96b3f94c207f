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
  const ref = { namespace: 'clusters', name: 'prod' }
  return {
    client,
    /** The control plane is on its way to another version. */
    async leavesFor(version: string): Promise<void> {
      const cluster = await client.patch(HostedCluster, ref, { spec: { release: { image: image(version) } } })
      const { controlPlaneVersion } = cluster.status ?? {}
      const begun = { state: 'Partial' as const, version, image: image(version), startedTime: '2026-03-01T00:00:00Z' }
      const history = [begun, ...(controlPlaneVersion?.history ?? [])]
      await client.patchStatus(HostedCluster, ref, { status: { controlPlaneVersion: { history } } })
    },
    /** The guest has got to this version, whatever the management side says. */
    async guestIsAt(version: string): Promise<void> {
      const { version: told } = aHostedCluster({ release: version }).status ?? {}
      const cluster = await client.get(HostedCluster, ref)
      await client.updateStatus(HostedCluster, {
        ...cluster,
        status: { ...cluster.status, ...(told === undefined ? {} : { version: told }) },
      })
    },
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
    assert.match((await place.ask('create', 'nodepool', 'x', '--cluster', 'clusters/other')).err, /there is no hosted cluster other/)
    assert.match((await place.ask('create', 'nodepool', 'x', '--cluster', 'prod', '--like', 'y', ...sample)).err, /no NodePool clusters\/y/)
  })
})

describe('windlass create nodepool, where not everything is known', () => {
  it('is content with a cluster that will come, and says that nothing is checked', async () => {
    await using place = await aPlace()
    const args = ['create', 'nodepool', 'early', '--cluster', 'clusters/later', '--release', image('4.20.6')]
    const { status, out, err } = await place.ask(...args)
    assert.deepEqual([status, out], [0, `nodepool clusters/early created: 2 nodes of ${image('4.20.6')}\n`])
    assert.equal(err, 'windlass: HostedCluster later is not found: nothing is checked until it exists\n')
    const { spec } = await place.client.get(NodePool, { namespace: 'clusters', name: 'early' })
    assert.deepEqual([spec.clusterName, spec.platform.type, spec.management.upgradeType], ['later', 'KubeVirt', 'Replace'])
    assert.match((await place.ask(...args)).err, /NodePool clusters\/early already exists: choose another name/)
  })

  it('takes what the control plane has completed while it is being updated, and says so; --follow-cluster does not', async () => {
    await using place = await aPlace()
    await place.leavesFor('4.21.1')
    const { status, err } = await place.ask('create', 'nodepool', 'batch', '--cluster', 'prod', ...sample)
    const note = /^windlass: the control plane has completed 4\.20\.6, and not \S+:4\.21\.1-x86_64 yet: the pool gets (\S+)\n$/.exec(err)
    assert.equal(status, 0, err)
    assert.equal((await place.client.get(NodePool, { namespace: 'clusters', name: 'batch' })).spec.release.image, note?.[1], err)
    const follows = await place.ask('create', 'nodepool', 'eager', '--cluster', 'prod', '--follow-cluster', ...sample)
    assert.match(follows.err, /is not created: NodePool version 4\.21\.1 cannot be higher than the HostedCluster version 4\.20\.6/)
  })

  it('warns of what is only not safe now, and refuses it with --strict', async () => {
    await using place = await aPlace()
    await place.leavesFor('4.21.1')
    const args = ['create', 'nodepool', 'batch', '--cluster', 'prod', '--release', image('4.18.18'), ...sample]
    const strict = await place.ask(...args, '--strict')
    assert.deepEqual([strict.status, /is not created: 4\.18\.18 is below 4\.20/.test(strict.err)], [1, true], strict.err)
    const { status, err } = await place.ask(...args)
    assert.deepEqual([status, err.startsWith('windlass: 4.18.18 is below 4.20')], [0, true], err)
  })

  it('warns where no registry answers, and asks for the pool', async () => {
    await using place = await aPlace()
    const { status, err } = await place.ask(
      'create',
      'nodepool',
      'batch',
      '--cluster',
      'prod',
      '--release',
      '127.0.0.1:1/ocp/release:4.20.6',
    )
    assert.deepEqual([status, err.startsWith('windlass: Failed to get release image: ')], [0, true], err)
  })

  it('judges by the history that --source names', async () => {
    await using place = await aPlace()
    await place.guestIsAt('4.19.12')
    const args = ['create', 'nodepool', 'batch', '--cluster', 'prod', '--release', image('4.20.6'), ...sample]
    const refused = await place.ask(...args, '--source', 'ClusterVersion')
    assert.match(refused.err, /NodePool version 4\.20\.6 cannot be higher than the HostedCluster version 4\.19\.12/)
    assert.equal((await place.ask(...args)).status, 0)
    assert.match((await place.ask('skew', 'prod', '--source', 'ClusterVersion')).out, /may run 4\.19\.12 \(by ClusterVersion\)/)
    assert.match((await place.ask('skew', 'prod')).out, /may run 4\.20\.6 \(by Auto\)/)
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
