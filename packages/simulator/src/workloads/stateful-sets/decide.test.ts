import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Pod, StatefulSet } from '@windlass/api'
import { aStatefulSet } from '@windlass/api/fixtures'
import { revisionLabel, templateHash } from '../revision.ts'
import { deedsOf, noon, podNamed, type PodOptions, statusIn, templateOf } from '../testing/index.ts'
import { decide } from './decide.ts'

const template = templateOf('etcd', 'example.com/etcd:2')
const setOf = (spec: Partial<StatefulSet['spec']> = {}, status: StatefulSet['status'] = { replicas: 0 }): StatefulSet =>
  aStatefulSet({ metadata: { generation: 7 }, spec: { template, podManagementPolicy: 'OrderedReady', ...spec }, status })
const newRevision = `etcd-${templateHash(template)}`
const oldRevision = 'etcd-old'
const pod = (ordinal: number, options: PodOptions & { readonly isOld?: boolean } = {}): Pod =>
  podNamed(`etcd-${ordinal}`, {
    owner: setOf(),
    labels: { [revisionLabel]: options.isOld === true ? oldRevision : newRevision },
    ...options,
  })
const look = (set: StatefulSet, pods: readonly Pod[], taken: readonly string[] = []) =>
  decide({ set, pods, taken: new Set(taken), node: 'virtual-node' }, noon)
const deeds = (set: StatefulSet, pods: readonly Pod[]) => deedsOf(look(set, pods))

describe('a StatefulSet that goes in order', () => {
  it('makes the first Pod, and the next when that is in service', () => {
    assert.deepEqual(deeds(setOf(), []), ['create Pod etcd-0'])
    assert.deepEqual(deeds(setOf(), [pod(0, { is: 'running' })]), [])
    assert.equal(look(setOf(), [pod(0, { is: 'running' })]).waitingFor, 'Pod etcd-0 to be available')
    assert.deepEqual(deeds(setOf(), [pod(0)]), ['create Pod etcd-1'])
  })

  it('fills a gap before anything else, once its name is free', () => {
    assert.deepEqual(deeds(setOf(), [pod(1), pod(2)]), ['create Pod etcd-0'])
    assert.deepEqual(deeds(setOf(), [pod(0, { isTerminating: true }), pod(1), pod(2)]), [])
    assert.deepEqual(look(setOf(), [], ['etcd-0']).waitingFor, 'Pod etcd-0 of somebody else to be gone')
    assert.deepEqual(deedsOf(look(setOf(), [], ['etcd-0'])), [])
  })

  it('gives each Pod the volumes that it claims for itself, in the place of those of the template', () => {
    const { volumes: _, ...rest } = template.spec
    const shared = { name: 'logs', emptyDir: {} }
    const set = setOf({
      template: { ...template, spec: { ...rest, volumes: [shared, { name: 'data', emptyDir: {} }] } },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }],
    })
    const [first] = look(set, []).actions
    assert.ok(first?.do === 'create')
    const claimed = { name: 'data', persistentVolumeClaim: { claimName: 'data-etcd-0' } }
    assert.deepEqual('spec' in first.object ? first.object.spec : undefined, {
      ...rest,
      nodeName: 'virtual-node',
      volumes: [shared, claimed],
    })
    assert.deepEqual(deedsOf(look(setOf({ volumeClaimTemplates: [] }), [])), ['create Pod etcd-0'])
  })

  it('replaces a Pod that has ended', () => assert.deepEqual(deeds(setOf(), [pod(0, { is: 'failed' })]), ['delete Pod etcd-0']))

  it('removes the last Pod first, one at a time', () => {
    const smaller = setOf({ replicas: 1 })
    assert.deepEqual(deeds(smaller, [pod(0), pod(1), pod(2)]), ['delete Pod etcd-2'])
    assert.deepEqual(deeds(smaller, [pod(0), pod(1), pod(2, { isTerminating: true })]), [])
    assert.deepEqual(deeds(smaller, [pod(0), pod(1, { is: 'running' })]), ['delete Pod etcd-1'])
    assert.deepEqual(deeds(smaller, [pod(0, { is: 'running' }), pod(1)]), [], 'not while those that stay are unwell')
  })

  it('brings Pods to a new template from the last to the first, one at a time', () => {
    const old = { isOld: true }
    assert.deepEqual(deeds(setOf(), [pod(0, old), pod(1, old), pod(2, old)]), ['delete Pod etcd-2'])
    assert.deepEqual(deeds(setOf(), [pod(0, old), pod(1, old)]), ['create Pod etcd-2'])
    assert.deepEqual(deeds(setOf(), [pod(0, old), pod(1, old), pod(2, { is: 'running' })]), [])
    assert.deepEqual(deeds(setOf(), [pod(0, old), pod(1, old), pod(2)]), ['delete Pod etcd-1'])
  })

  it('is held up for ever by a Pod that does not work, a better template or not', () => {
    assert.deepEqual(deeds(setOf(), [pod(0, { isOld: true, is: 'running' }), pod(1), pod(2)]), [])
  })

  it('counts from another number where it is told to', () => {
    assert.deepEqual(deeds(setOf({ replicas: 2, ordinals: { start: 5 } }), [pod(5)]), ['create Pod etcd-6'])
    assert.deepEqual(deeds(setOf({ replicas: 1, ordinals: { start: 5 } }), [pod(4), pod(5)]), ['delete Pod etcd-4'])
  })

  it('waits until a Pod has been ready for long enough', () => {
    const plan = look(setOf({ minReadySeconds: 30 }), [pod(0, { since: noon - 10_000 })])
    assert.deepEqual([deedsOf(plan), plan.requeueAfter], [[], 20_000])
  })
})

describe('a StatefulSet that goes all at once', () => {
  const parallel = (spec: Partial<StatefulSet['spec']> = {}) => setOf({ podManagementPolicy: 'Parallel', ...spec })

  it('makes all that is missing, and removes all that is too much', () => {
    assert.deepEqual(deeds(parallel(), [pod(1, { is: 'running' })]), ['create Pod etcd-0', 'create Pod etcd-2'])
    assert.deepEqual(deeds(parallel({ replicas: 1 }), [pod(0), pod(1), pod(2)]), ['delete Pod etcd-2', 'delete Pod etcd-1'])
  })

  it('still brings Pods to a new template one at a time, and is not held up by those below', () => {
    const old = { isOld: true }
    assert.deepEqual(deeds(parallel(), [pod(0, old), pod(1, old), pod(2, old)]), ['delete Pod etcd-2'])
    assert.deepEqual(deeds(parallel(), [pod(0, old), pod(1, old), pod(2, { is: 'running' })]), [])
    assert.deepEqual(deeds(parallel(), [pod(0, { ...old, is: 'running' }), pod(1, old), pod(2)]), ['delete Pod etcd-1'])
  })
})

describe('the update of a StatefulSet', () => {
  const old = [0, 1, 2].map((ordinal) => pod(ordinal, { isOld: true }))

  it('stops at its partition', () => {
    const partition = (number: number) => setOf({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: number } } })
    assert.deepEqual(deeds(partition(2), old), ['delete Pod etcd-2'])
    assert.deepEqual(deeds(partition(2), [...old.slice(0, 2), pod(2)]), [])
    assert.deepEqual(deeds(partition(3), old), [])
  })

  it('is left to people where they want it so', () => {
    assert.deepEqual(deeds(setOf({ updateStrategy: { type: 'OnDelete' } }), old), [])
  })
})

describe('the status of a StatefulSet', () => {
  it('counts what is made now', () => {
    assert.deepEqual(statusIn(look(setOf(), [pod(0)]), StatefulSet), {
      observedGeneration: 7,
      replicas: 2,
      readyReplicas: 1,
      availableReplicas: 1,
      currentReplicas: 2,
      updatedReplicas: 2,
      currentRevision: newRevision,
      updateRevision: newRevision,
    })
  })

  it('tells old and new apart while it is under way', () => {
    const pods = [pod(0, { isOld: true }), pod(1, { isOld: true, isTerminating: true }), pod(2)]
    assert.deepEqual(statusIn(look(setOf({}, { replicas: 3, currentRevision: oldRevision }), pods), StatefulSet), {
      observedGeneration: 7,
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 1,
      updatedReplicas: 1,
      currentRevision: oldRevision,
      updateRevision: newRevision,
    })
  })

  it('makes the new revision the current one when all is new and in service', () => {
    const status = statusIn(look(setOf({}, { replicas: 3, currentRevision: oldRevision }), [pod(0), pod(1), pod(2)]), StatefulSet)
    assert.deepEqual([status?.currentRevision, status?.currentReplicas, status?.updatedReplicas], [newRevision, 3, 3])
  })
})
