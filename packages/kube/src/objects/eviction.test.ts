import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Pod, PodDisruptionBudget } from '@windlass/api'
import { admin, startTestServer, userNamed } from '@windlass/apiserver/testing'
import { isForbidden } from '../client/index.ts'
import { clusterOn } from '../plan/testing/index.ts'
import { evict, hasToLeave } from './eviction.ts'

const { signal } = new AbortController()
const spec = { nodeName: 'a', containers: [{ name: 'a', image: 'a' }] }
const aPod = (metadata: Pod['metadata'] = {}, phase?: 'Running' | 'Succeeded' | 'Failed'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name: 'a', ...metadata },
  spec,
  ...(phase === undefined ? {} : { status: { phase } }),
})
const controlledBy = (kind: string) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'a', uid: 'u', controller: true }],
})

describe('a Pod on a node that is drained', () => {
  it('has to leave, but not when it runs on every node, or is run by the node itself', () => {
    assert.ok(hasToLeave(aPod(controlledBy('ReplicaSet'), 'Running')))
    assert.ok(!hasToLeave(aPod(controlledBy('DaemonSet'), 'Running')))
    assert.ok(!hasToLeave(aPod({ annotations: { 'kubernetes.io/config.mirror': 'x' } }, 'Running')))
  })

  it('has to leave when it is over, whoever made it', () => {
    for (const phase of ['Succeeded', 'Failed'] as const) {
      for (const owner of ['Job', 'ReplicaSet', 'DaemonSet'])
        assert.ok(hasToLeave(aPod(controlledBy(owner), phase)), `${phase} of a ${owner}`)
      assert.ok(hasToLeave(aPod({}, phase)), `${phase}, and nobody's`)
      assert.ok(!hasToLeave(aPod({ annotations: { 'kubernetes.io/config.mirror': 'x' } }, phase)))
    }
  })

  it('that is over goes at once, whatever its budget says; one that a finalizer holds stays until that is gone', async () => {
    await using cluster = clusterOn(await startTestServer(), admin)
    const { client } = cluster
    const ref = { namespace: 'default', name: 'a' }
    await client.create(Pod, aPod({ labels: { app: 'a' }, finalizers: ['example.com/backup'] }))
    const pod = await client.patchStatus(Pod, ref, { status: { phase: 'Succeeded' } })
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'a' } } }
    await client.create(PodDisruptionBudget, { metadata: ref, spec })
    const counted = { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 1, expectedPods: 1 }
    await client.patchStatus(PodDisruptionBudget, ref, { status: counted })
    assert.equal(await evict(client, pod, signal), 'going')
    assert.ok(hasToLeave(await client.get(Pod, ref)))
    await client.patch(Pod, ref, { metadata: { finalizers: null } })
    assert.equal(await client.find(Pod, ref), undefined)
  })

  it('goes when nothing keeps it, and may be gone already', async () => {
    await using cluster = clusterOn(await startTestServer(), admin)
    const pod = await cluster.client.create(Pod, aPod())
    assert.equal(await evict(cluster.client, pod, signal), 'going')
    await cluster.client.delete(Pod, { namespace: 'default', name: 'a' }, { gracePeriodSeconds: 0 })
    assert.equal(await evict(cluster.client, pod, signal), 'gone')
  })

  it('stays when a budget says no, or two are in each other’s way', async () => {
    await using cluster = clusterOn(await startTestServer(), admin)
    const { client } = cluster
    // Budgets are about Pods that run.
    await client.create(Pod, aPod({ labels: { app: 'a' } }))
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
    const pod = await client.patchStatus(Pod, { namespace: 'default', name: 'a' }, { status })
    for (const name of ['first', 'second']) {
      const budget = { minAvailable: 1, selector: { matchLabels: { app: 'a' } } }
      await client.create(PodDisruptionBudget, { metadata: { namespace: 'default', name }, spec: budget })
      await client.patchStatus(
        PodDisruptionBudget,
        { namespace: 'default', name },
        { status: { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 } },
      )
      const asking = evict(client, pod, signal)
      await cluster.clock.advance(120_000)
      assert.equal(await asking, 'kept', `with the ${name} budget`)
    }
  })

  it('stays with an error when nobody may ask it to go: to come again would not help', async () => {
    const server = await startTestServer()
    await using cluster = clusterOn(server, admin)
    const pod = await cluster.client.create(Pod, aPod())
    const stranger = clusterOn(server, userNamed('stranger'))
    await assert.rejects(evict(stranger.client, pod, signal), isForbidden)
  })
})
