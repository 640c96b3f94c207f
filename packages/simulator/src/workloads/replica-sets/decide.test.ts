import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Pod, ReplicaSet } from '@windlass/api'
import { aReplicaSet } from '@windlass/api/fixtures'
import { deedsOf, noon, podNamed, type PodOptions, statusIn, templateOf } from '../testing/index.ts'
import { decide, type Observed, surplus } from './decide.ts'

const template = templateOf('web', 'example.com/web')
const setOf = (replicas: number, spec: Partial<ReplicaSet['spec']> = {}) =>
  aReplicaSet({ name: 'web-1', spec: { replicas, template, ...spec }, status: { replicas: 0 } })
const owned = (name: string, options: PodOptions = {}): Pod => podNamed(name, { owner: setOf(0), labels: { app: 'web' }, ...options })
const observe = (replicaSet: ReplicaSet, pods: readonly Pod[], more: Partial<Observed> = {}): Observed => ({
  replicaSet,
  pods,
  names: Array.from({ length: Math.max(0, -surplus(replicaSet, pods)) }, (_, number) => `new-${number}`),
  node: 'virtual-node',
  relatedOn: new Map(),
  ...more,
})

describe('a ReplicaSet', () => {
  it('makes the Pods that are missing, and says so in one go', () => {
    const plan = decide(observe(setOf(3), [owned('a')]), noon)
    assert.deepEqual(deedsOf(plan), ['create Pod new-0', 'create Pod new-1'])
    assert.deepEqual(statusIn(plan, ReplicaSet), {
      observedGeneration: 1,
      replicas: 3,
      fullyLabeledReplicas: 3,
      readyReplicas: 1,
      availableReplicas: 1,
    })
  })

  it('makes Pods where they run, unless the scheduler has to choose', () => {
    const nodeOf = (node: string | undefined): unknown => {
      const [action] = decide(observe(setOf(1), [], { node }), noon).actions
      return action?.do === 'create' ? JSON.parse(JSON.stringify(action.object)).spec.nodeName : 'nothing was made'
    }
    assert.equal(nodeOf('virtual-node'), 'virtual-node')
    assert.equal(nodeOf(undefined), undefined)
  })

  it('does not count Pods that have ended or are on their way out', () => {
    const pods = [owned('a'), owned('b', { is: 'failed' }), owned('c', { isTerminating: true })]
    assert.deepEqual(deedsOf(decide(observe(setOf(2), pods), noon)), ['create Pod new-0'])
  })

  it('removes what is too much, and no longer counts it', () => {
    const plan = decide(observe(setOf(1), [owned('a'), owned('b', { is: 'running' })]), noon)
    assert.deepEqual(deedsOf(plan), ['delete Pod b'])
    assert.deepEqual(statusIn(plan, ReplicaSet), {
      observedGeneration: 1,
      replicas: 1,
      fullyLabeledReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
    })
  })

  it('that is being deleted leaves its Pods to others', () => {
    const leaving = { ...setOf(3), metadata: { ...setOf(3).metadata, deletionTimestamp: '2026-03-06T11:00:00Z' } }
    assert.deepEqual(deedsOf(decide(observe(leaving, [owned('a')]), noon)), [])
  })

  it('looks again when a Pod will have been ready for long enough', () => {
    const plan = decide(observe(setOf(1, { minReadySeconds: 30 }), [owned('a', { since: noon - 10_000 })]), noon)
    assert.equal(plan.requeueAfter, 20_000)
    assert.deepEqual([statusIn(plan, ReplicaSet)?.readyReplicas, statusIn(plan, ReplicaSet)?.availableReplicas], [1, undefined])
  })
})

describe('the Pod that goes first', () => {
  const first = (a: PodOptions, b: PodOptions, relatedOn: Observed['relatedOn'] = new Map()): string | undefined => {
    const pods = [owned('a', a), owned('b', b)]
    return deedsOf(decide(observe(setOf(1), pods, { relatedOn }), noon))[0]
  }
  const rules: readonly [string, PodOptions, PodOptions][] = [
    ['is on no node', {}, { node: '', is: 'pending' }],
    ['has not come far', { is: 'running' }, { is: 'pending' }],
    ['is not ready', { is: 'ready' }, { is: 'running' }],
    ['says so itself', {}, { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '-5' } }],
    ['has been ready for a shorter time', { since: noon - 60_000 }, { since: noon - 50_000 }],
    ['was started again more often', { restarts: 0 }, { restarts: 4 }],
  ]
  for (const [name, a, b] of rules) it(name, () => assert.equal(first(a, b), 'delete Pod b'))

  it('is on a node with many others of its application', () => {
    assert.equal(
      first(
        { node: 'n1' },
        { node: 'n2' },
        new Map([
          ['n1', 1],
          ['n2', 3],
        ]),
      ),
      'delete Pod b',
    )
  })

  it('is the same at any time, when nothing tells them apart', () => assert.equal(first({}, {}), 'delete Pod a'))
})
