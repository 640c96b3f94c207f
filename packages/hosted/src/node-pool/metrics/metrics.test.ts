import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aHostedCluster, aMachineDeployment, aNodePool } from '@windlass/api/fixtures'
import type { capi, NodePool, KubernetesObject } from '@windlass/api'
import { parseTime, type SkewPolicy, VirtualClock } from '@windlass/core'
import { type CacheReader, createMetrics } from '@windlass/kube'
import type { NodePoolSettings } from '../settings.ts'
import { PayloadStore } from '../token/index.ts'
import { nodePoolMetrics } from './index.ts'
import { Rollouts } from './rollouts.ts'

const noon = parseTime('2026-03-06T12:00:00Z') ?? assert.fail()
const skew = { source: 'Auto', policy: 'fixed:3' } as const

/** As much of a cache as figures are read from. */
function cacheOf(...objects: readonly KubernetesObject[]): CacheReader {
  const all = (of: unknown): readonly KubernetesObject[] => {
    const kind = (of as { readonly kind: { readonly kind?: string } | string }).kind
    const name = typeof kind === 'string' ? kind : (kind.kind ?? '')
    return objects.filter((object) => object.kind === name)
  }
  return {
    list: (of: unknown) => all(of),
    get: (of: unknown, ref: { readonly name: string }) => all(of).find(({ metadata }) => metadata.name === ref.name),
    byIndex: (of: unknown) => all(of),
  } as unknown as CacheReader
}

async function metricsOf(pool: NodePool, ...others: readonly KubernetesObject[]) {
  return metricsBy(skew, pool, ...others)
}

async function metricsBy(by: NodePoolSettings['skew'], pool: NodePool, ...others: readonly KubernetesObject[]) {
  const clock = new VirtualClock({ start: noon })
  const exposed = createMetrics()
  const metrics = await nodePoolMetrics(clock, exposed, by)
  metrics.saw(pool, cacheOf(pool, ...others))
  return { clock, metrics, text: () => exposed.text() }
}

const cluster = aHostedCluster({ release: '4.20.6' })
const labels = `namespace="clusters",name="workers",_id="${cluster.spec.clusterID ?? ''}",cluster_name="prod",platform="KubeVirt"`

describe('metrics of node pools', () => {
  it('count pools by platform, with a 0 for those that have none, and by cluster', async () => {
    const { text } = await metricsOf(aNodePool({ status: { replicas: 3, version: '4.19.6' } }), cluster)
    const said = await text()
    assert.match(said, /^hypershift_nodepools\{platform="KubeVirt"\} 1$/m)
    assert.match(said, /^hypershift_nodepools\{platform="AWS"\} 0$/m)
    assert.match(said, /^hypershift_hostedcluster_nodepools\{namespace="clusters",name="prod",_id="[^"]*",platform="[^"]*"\} 1$/m)
    assert.ok(said.includes(`windlass_nodepool_skew_minors{${labels}} 1`), said)
    assert.ok(said.includes(`windlass_nodepool_version_info{${labels},version="4.19.6",target_version="4.19.6"} 1`), said)
  })

  it('count the virtual CPUs of a cluster that has AWS machines, by what people say about instance types', async () => {
    const pool = (name: string, instanceType: string, replicas: number) =>
      aNodePool({ name, spec: { platform: { type: 'AWS', aws: { instanceType, subnet: { id: 'subnet-1' } } } }, status: { replicas } })
    const types = (data: Readonly<Record<string, string>>): KubernetesObject =>
      ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: 'hypershift', name: 'rosa-cpus-instance-types-config' },
        data,
      }) as never
    const said = async (...objects: readonly KubernetesObject[]) => {
      const text = await (await metricsOf(pool('workers', 'm5.large', 3), cluster, ...objects)).text()
      const [count] = /^hypershift_cluster_vcpus\{.*$/m.exec(text) ?? []
      const [, reason] = /^hypershift_cluster_vcpus_computation_error\{.*reason="([^"]*)"\} 1$/m.exec(text) ?? []
      return [Number(count?.split(' ').at(-1)), reason]
    }
    assert.deepEqual(await said(types({ 'm5.large': '2' })), [6, undefined])
    assert.deepEqual(await said(types({ 'm5.large': '2', 'm5.xlarge': '4' }), pool('big', 'm5.xlarge', 2)), [14, undefined])
    assert.deepEqual(await said(types({ 'm5.large': '2' }), pool('empty', 'unheard.of', 0)), [6, undefined], 'no node, no question')
    assert.deepEqual(await said(types({ 'm5.large': '2' }), pool('big', 'm5.xlarge', 2)), [-1, 'unknown instance type'])
    assert.deepEqual(await said(types({ 'm5.large': 'two' })), [-1, 'unable to parse ConfigMap data'])
    assert.deepEqual(await said(), [-1, 'ROSA CPUs instance types ConfigMap not found'])
    assert.deepEqual(await said(aNodePool({ name: 'other', status: { replicas: 1 } }), types({ 'm5.large': '2' })), [
      -1,
      'unsupported platform',
    ])
    const told = aMachineDeployment({ name: 'workers', metadata: { annotations: { 'machine.openshift.io/vCPU': '8' } } })
    assert.deepEqual(await said(told), [24, undefined])
  })

  it('name conditions that are not as they should be: not_Ready, and UpdatingVersion', async () => {
    const conditions = [
      { type: 'Ready', status: 'False', reason: 'x', message: '', lastTransitionTime: '2026-03-06T11:00:00Z' },
      { type: 'UpdatingVersion', status: 'True', reason: 'x', message: '', lastTransitionTime: '2026-03-06T11:00:00Z' },
    ] as const
    const { text } = await metricsOf(aNodePool({ status: { replicas: 3, conditions } }))
    const said = await text()
    assert.match(said, /^hypershift_nodepools_failure_conditions\{platform="KubeVirt",condition="not_Ready"\} 1$/m)
    assert.match(said, /^hypershift_nodepools_failure_conditions\{platform="KubeVirt",condition="UpdatingVersion"\} 1$/m)
  })

  it('tell sizes from what makes the machines, and ages only while they matter', async () => {
    const deployment = aMachineDeployment({ name: 'workers', spec: { replicas: 5 }, status: { replicas: 4 } })
    const born = { metadata: { name: 'workers', namespace: 'clusters', creationTimestamp: '2026-03-06T11:59:00Z' } }
    const { text } = await metricsOf(aNodePool({ ...born, status: { replicas: 3 } }), cluster, deployment)
    const said = await text()
    assert.ok(said.includes(`hypershift_nodepools_size{${labels}} 5`), said)
    assert.ok(said.includes(`hypershift_nodepools_available_replicas{${labels}} 4`), said)
    assert.ok(said.includes(`hypershift_nodepools_initial_rolling_out_duration_seconds{${labels}} 60`), said)
    assert.doesNotMatch(said, /^hypershift_nodepools_deleting_duration_seconds\{/m)
  })

  it('tell machines whose nodes are ready apart from machines that there are; a count that is left out is none', async () => {
    const readyOf = async (status: NonNullable<capi.MachineDeployment['status']>): Promise<string | undefined> => {
      const { text } = await metricsOf(aNodePool(), cluster, aMachineDeployment({ name: 'workers', spec: { replicas: 3 }, status }))
      return /^windlass_nodepool_ready_replicas\{.*\} (\d+)$/m.exec(await text())?.[1]
    }
    assert.equal(await readyOf({ replicas: 3, readyReplicas: 2 }), '2')
    assert.equal(await readyOf({ replicas: 3 }), '0')
    assert.doesNotMatch(await (await metricsOf(aNodePool(), cluster)).text(), /^windlass_nodepool_ready_replicas\{/m, 'nobody makes any')
  })

  it('say that a skew is not supported where people are told so, by the policy and by every version that may still run', async () => {
    const unsupported = async (pool: NodePool, policy: SkewPolicy, ...others: readonly KubernetesObject[]) => {
      const { text } = await metricsBy({ source: 'Auto', policy }, pool, ...others)
      return /^windlass_nodepool_skew_unsupported\{.*\} (\d)$/m.exec(await text())?.[1]
    }
    const odd = aHostedCluster({ release: '4.19.6' })
    assert.equal(await unsupported(aNodePool({ release: '4.17.3' }), 'parity', odd), '1', 'two behind, where one is allowed')
    assert.equal(await unsupported(aNodePool({ release: '4.18.3' }), 'parity', odd), '0')
    assert.equal(await unsupported(aNodePool({ release: '4.18.3' }), 'parity', cluster), '0', 'two behind, where two are allowed')
    assert.equal(await unsupported(aNodePool({ release: '4.17.3' }), 'parity', cluster), '1')
    assert.equal(await unsupported(aNodePool({ release: '4.17.3' }), 'fixed:3', cluster), '0')
    assert.equal(await unsupported(aNodePool({ release: '4.20.9' }), 'parity', cluster), '1', 'ahead, by a patch')
    assert.equal(await unsupported(aNodePool(), 'parity'), undefined, 'its cluster is not known')
  })

  it('count each transition once, when it falls between two readings', async () => {
    const reached = { type: 'ReachedIgnitionEndpoint', status: 'True', reason: 'AsExpected', message: '' } as const
    const born = { metadata: { name: 'workers', namespace: 'clusters', creationTimestamp: '2026-03-06T12:00:00Z' } }
    const at = { ...reached, lastTransitionTime: '2026-03-06T12:00:20Z' }
    const { clock, text } = await metricsOf(aNodePool({ ...born, status: { replicas: 0, conditions: [at] } }))
    await clock.advance(30_000)
    const count = /^hypershift_nodepools_transition_seconds_count\{condition="ReachedIgnitionEndpoint"\} 1$/m
    assert.match(await text(), count)
    await clock.advance(30_000)
    const again = await text()
    assert.match(again, count)
    assert.match(again, /^hypershift_nodepools_transition_seconds_sum\{condition="ReachedIgnitionEndpoint"\} 20$/m)
  })

  it('18 say which version the image of a pool is, as far as that was found out', async () => {
    const pool = aNodePool({
      spec: { release: { image: 'example.com/ocp/release@sha256:0f0f' } },
      status: { replicas: 3, version: '4.19.6' },
    })
    const message = 'Updating version in progress. Target version: 4.20.1'
    const said = {
      type: 'UpdatingVersion',
      status: 'True',
      message,
      lastTransitionTime: '2026-03-06T11:00:00Z',
      observedGeneration: 1,
    } as const
    const { text } = await metricsOf({ ...pool, status: { ...pool.status, conditions: [said] } }, cluster)
    assert.match(await text(), /^windlass_nodepool_version_info\{.*version="4\.19\.6",target_version="4\.20\.1"\} 1$/m)
  })

  it('18 say nothing of a pool that is gone', async () => {
    const { metrics, text } = await metricsOf(aNodePool())
    metrics.asked('clusters/workers')
    metrics.asked('clusters/other')
    metrics.gone('clusters/workers')
    const requests = (await text()).split('\n').filter((line) => line.startsWith('ign_server_get_request{'))
    assert.deepEqual(requests, ['ign_server_get_request{nodePool="clusters/other"} 1'])
  })

  it('NP-40 count what machines ask for, and tokens and payloads', async () => {
    const { metrics, text } = await metricsOf(aNodePool())
    const store = new PayloadStore()
    store.keep('a', { payload: '{}', cloudConfigHash: '' }, noon)
    metrics.serves(store)
    metrics.asked('clusters/workers')
    metrics.rotated()
    metrics.generated(3)
    metrics.generated(undefined)
    const said = await text()
    for (const line of [
      'ign_server_get_request{nodePool="clusters/workers"} 1',
      'ign_server_token_rotation_total 1',
      'ign_server_payload_cache_miss_total 2',
      'ign_server_payload_generation_seconds_count 1',
      'ign_server_payload_cache_total 1',
    ])
      assert.ok(said.includes(`${line}\n`), line)
  })

  it('measure a rollout from its beginning to its end, and none that has failed', () => {
    const updating = (status: string, time: string, reason = 'AsExpected') =>
      aNodePool({
        status: {
          replicas: 3,
          conditions: [{ type: 'UpdatingVersion', status, reason, message: '', lastTransitionTime: `2026-03-06T${time}Z` }] as never,
        },
      })
    const rollouts = new Rollouts()
    assert.deepEqual(rollouts.see(updating('True', '12:00:00')), [])
    assert.deepEqual(rollouts.see(updating('True', '12:00:00')), [])
    const [done] = rollouts.see(updating('False', '12:10:00'))
    assert.deepEqual(done, { platform: 'KubeVirt', strategy: 'RollingUpdate', kind: 'version', seconds: 600 })
    assert.deepEqual(rollouts.see(updating('False', '12:10:00')), [])
    rollouts.see(updating('True', '13:00:00'))
    assert.deepEqual(rollouts.see(updating('False', '13:10:00', 'InplaceUpgradeFailed')), [])
  })
})
