import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap, NodePool } from '@windlass/api'
import { aNodePool } from '@windlass/api/fixtures'
import { create, done, ensure, event, patch, plan, remove, requeue, requeueAfter, status, wait } from './index.ts'

const pool = aNodePool()
const map = { metadata: { namespace: 'clusters', name: 'a' }, data: { a: '1' } }

describe('plans', () => {
  it('N12 are put together in order, leaving out what is undefined', () => {
    const first = create(ConfigMap, map, 'it is missing')
    const second = status(NodePool, pool, { replicas: 3 }, 'three are ready')
    assert.deepEqual(plan(first, undefined, plan(second)), { actions: [first, second] })
    assert.deepEqual(plan(), done)
  })

  it('N12 look again at the earliest time that a part asks for, and wait for everything that parts wait for', () => {
    assert.deepEqual(plan(requeueAfter(30_000, 'the drain'), requeueAfter(10_000), wait('a machine')), {
      actions: [],
      requeueAfter: 10_000,
      waitingFor: 'the drain; a machine',
    })
    assert.deepEqual(plan(requeue('the load balancer')), { actions: [], requeue: true, waitingFor: 'the load balancer' })
  })

  it('N12 a time that could not be read is an error, and one that never comes is none', () => {
    assert.throws(() => requeueAfter(Number.NaN), RangeError)
    assert.deepEqual(requeueAfter(Number.POSITIVE_INFINITY, 'a change'), { actions: [], waitingFor: 'a change' })
  })

  it('N12 actions are plain values with their reasons', () => {
    assert.deepEqual(ensure(ConfigMap, map, 'it must be there'), {
      do: 'ensure',
      kind: ConfigMap,
      object: map,
      owns: [],
      reason: 'it must be there',
    })
    assert.deepEqual(patch(NodePool, { name: 'a' }, { spec: { replicas: 2 } }, 'one is not enough', { ifStill: pool }), {
      do: 'patch',
      kind: NodePool,
      ref: { name: 'a' },
      patch: { spec: { replicas: 2 } },
      resourceVersion: '1',
      reason: 'one is not enough',
    })
    assert.deepEqual(remove(NodePool, pool, 'nobody wants it'), {
      do: 'delete',
      kind: NodePool,
      object: pool,
      propagation: 'Background',
      reason: 'nobody wants it',
    })
    assert.deepEqual(event(pool, 'Normal', 'Upgraded', 'all nodes run 4.20.1'), {
      do: 'event',
      regarding: pool,
      type: 'Normal',
      word: 'Upgraded',
      note: 'all nodes run 4.20.1',
      reason: 'all nodes run 4.20.1',
    })
  })

  it('N1 a draft, a status field or a kind that does not fit does not compile', () => {
    // @ts-expect-error: data is a map of texts
    create(ConfigMap, { metadata: { name: 'a' }, data: { a: 1 } }, 'it is missing')
    // @ts-expect-error: there is no such field
    status(NodePool, pool, { replica: 3 }, 'three are ready')
    // @ts-expect-error: a ConfigMap has no status
    status(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }, {}, 'it has none')
    // A field that is to go is undefined.
    status(NodePool, pool, { replicas: undefined }, 'nobody knows')
  })
})
