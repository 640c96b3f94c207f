import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aReplicaSet } from '@windlass/api/fixtures'
import * as fc from 'fast-check'
import { noon, podNamed, templateOf } from '../testing/index.ts'
import { availableFrom, hasEnded, isActive, isAvailable, isReady, namesFor, podFrom, podName, untilAvailable } from './index.ts'

describe('a Pod', () => {
  it('counts until it has ended or was told to', () => {
    assert.ok(isActive(podNamed('a', { is: 'pending' })) && isActive(podNamed('a')))
    for (const is of ['succeeded', 'failed'] as const) assert.ok(hasEnded(podNamed('a', { is })) && !isActive(podNamed('a', { is })))
    assert.ok(!isActive(podNamed('a', { isTerminating: true })))
    assert.ok(isReady(podNamed('a', { isTerminating: true })), 'it is in service until it is gone')
  })

  it('is available when it has been ready for long enough', () => {
    const pod = podNamed('a', { since: noon - 10_000 })
    assert.ok(isAvailable(pod, undefined, noon) && isAvailable(pod, 10, noon))
    assert.ok(!isAvailable(pod, 11, noon))
    assert.equal(availableFrom(pod, 30), noon + 20_000)
    assert.equal(availableFrom(podNamed('a', { is: 'running' }), 30), undefined)
    assert.equal(untilAvailable([pod, podNamed('b', { since: noon - 25_000 }), podNamed('c', { is: 'running' })], 30, noon), 5_000)
    assert.equal(untilAvailable([pod], undefined, noon), Number.POSITIVE_INFINITY)
  })

  it('is made of a template, with the marks of its owner', () => {
    const owner = aReplicaSet()
    const template = { ...templateOf('web', 'example.com/web', { team: 'a' }) }
    const draft = podFrom({ owner, template, name: 'web-x', labels: { number: '1' }, node: 'n1' })
    assert.deepEqual(draft.metadata.labels, { app: 'web', number: '1' })
    assert.deepEqual(draft.metadata.annotations, { team: 'a' })
    assert.equal(draft.metadata.namespace, owner.metadata.namespace)
    assert.equal(draft.metadata.ownerReferences?.[0]?.uid, owner.metadata.uid)
    assert.equal(draft.spec.nodeName, 'n1')
    assert.equal(podFrom({ owner, template, name: 'web-x' }).spec, template.spec, 'what need not change is shared')
  })
})

describe('names of Pods', () => {
  it('are the same for whoever asks again, and skip those that are taken', () => {
    const [first = '', second = '', third = ''] = namesFor('web-6d4', 3, () => false)
    assert.deepEqual(
      namesFor('web-6d4', 2, () => false),
      [first, second],
    )
    assert.deepEqual(
      namesFor('web-6d4', 2, (name) => name === first),
      [second, third],
    )
    assert.match(first, /^web-6d4-[a-z0-9]{5}$/)
  })

  it('differ, however many are asked for', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,70}$/), fc.integer({ min: 1, max: 50 }), (owner, count) => {
        const names = namesFor(owner, count, () => false)
        assert.equal(new Set(names).size, count)
        assert.ok(names.every((name) => name.length <= 63))
      }),
    )
  })

  it('may follow from anything that tells Pods apart', () => assert.notEqual(podName('a', 'node-1'), podName('a', 'node-2')))
})
