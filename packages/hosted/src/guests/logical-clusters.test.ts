import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LogicalCluster, Secret } from '@windlass/api'
import { aHostedControlPlane, aLogicalCluster, aSecret } from '@windlass/api/fixtures'
import type { CacheReader } from '@windlass/kube'
import { World } from '../hosted-cluster/testing/index.ts'
import { logicalClusterGuests, madeForAnnotation } from './logical-clusters.ts'

const controlPlane = aHostedControlPlane()
const guests = logicalClusterGuests({ template: 'guests' })

function looking(...objects: readonly (LogicalCluster | Secret)[]) {
  const world = new World(objects)
  const cache = { get: world.find.bind(world) } as unknown as CacheReader
  return guests.look(controlPlane, cache)
}

const status = { phase: 'Ready', kubeconfigSecretRef: { namespace: 'kube-system', name: 'k', key: 'kubeconfig' } } as const
const served = aLogicalCluster({ name: 'clusters-prod', metadata: { annotations: { [madeForAnnotation]: 'clusters-prod/prod' } }, status })
const secret = aSecret({ namespace: 'kube-system', name: 'k', data: { kubeconfig: 'YQ==' } })

describe('guests as logical clusters', () => {
  it('are made with the name of the namespace of their control plane, and say whose they are', () => {
    const { actions, kubeconfig, health, leftovers } = looking()
    assert.deepEqual(
      actions.map((action) => (action.do === 'create' ? action.object : undefined)),
      [{ metadata: { name: 'clusters-prod', annotations: { [madeForAnnotation]: 'clusters-prod/prod' } }, spec: { template: 'guests' } }],
    )
    assert.deepEqual([kubeconfig.is, health.is, leftovers.remaining], ['failed', 'failed', []])
  })

  it('are reached by the kubeconfig that the server has made', () => {
    const { actions, kubeconfig, health } = looking(served, secret)
    assert.deepEqual([actions, kubeconfig, health.is], [[], { is: 'found', value: 'YQ==' }, 'found'])
    assert.equal(looking(served).kubeconfig.is, 'failed')
    assert.equal(looking(aLogicalCluster({ ...served, status: { phase: 'Creating' } })).health.is, 'failed')
  })

  it('are removed once, and waited for', () => {
    const { leftovers } = looking(served, secret)
    assert.deepEqual([leftovers.actions.length, leftovers.remaining], [1, ['LogicalCluster clusters-prod']])
    const leaving = { ...served, metadata: { ...served.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
    assert.deepEqual([looking(leaving).leftovers.actions, looking(leaving).leftovers.remaining.length], [[], 1])
  })

  it('of somebody else are neither used nor removed', () => {
    const { actions, kubeconfig, health, leftovers } = looking(aLogicalCluster({ name: 'clusters-prod', status }), secret)
    assert.deepEqual([actions, kubeconfig.is, health.is, leftovers], [[], 'failed', 'failed', { actions: [], remaining: [] }])
    assert.match(
      health.is === 'failed' ? health.problem : '',
      /was not made for this control plane. Delete it, or give the cluster another name/,
    )
  })
})
