import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { component, components } from '../testing/notation.ts'
import { type ComponentReport, isComplete, missingComponents, shortfallOf } from './index.ts'

const target = { version: '4.17.0', generation: 5 }
const done = components('kube-apiserver@4.17.0+', 'kube-controller-manager@4.17.0+', 'openshift-apiserver@4.17.0+')
const deleting = (text: string): ComponentReport => {
  const { status, metadata } = component(text)
  return { metadata: { ...metadata, deletionTimestamp: '2026-03-06T11:00:00Z' }, ...(status === undefined ? {} : { status }) }
}
const withCondition = (status: string | undefined): ComponentReport => ({
  metadata: { name: 'etcd' },
  status: { version: '4.17.0', conditions: status === undefined ? [] : [{ type: 'RolloutComplete', status }] },
})

describe('a component', () => {
  it('has got there with the version and a finished rollout', () => assert.equal(shortfallOf(component('etcd@4.17.0+'), target), undefined))

  for (const [what, report, shortfall] of [
    ['of another version', component('etcd@4.16.0+'), 'VersionMismatch'],
    ['V04 of no version', component('etcd@+'), 'VersionMismatch'],
    ['without status', { metadata: { name: 'etcd' } }, 'VersionMismatch'],
    ['V02 whose rollout is not finished', component('etcd@4.17.0-'), 'RolloutIncomplete'],
    ['V05 that says nothing about its rollout', withCondition(undefined), 'RolloutIncomplete'],
    ['V06 that does not know about its rollout', withCondition('Unknown'), 'RolloutIncomplete'],
    ['V08 that last acted on an older generation', component('etcd@4.17.0+#4'), 'StaleGeneration'],
    ['of another version and an unfinished rollout', component('etcd@4.16.0-#4'), 'VersionMismatch'],
    ['with an unfinished rollout of an older generation', component('etcd@4.17.0-#4'), 'RolloutIncomplete'],
  ] satisfies [string, ComponentReport, string][]) {
    it(`${what} has not: ${shortfall}`, () => assert.equal(shortfallOf(report, target), shortfall))
  }

  for (const generation of ['#5', '#6', '#0', '']) {
    it(`V09 has with ${generation === '' ? 'no generation' : `generation ${generation.slice(1)}`} where 5 is wanted`, () =>
      assert.equal(shortfallOf(component(`etcd@4.17.0+${generation}`), target), undefined))
  }

  it('has not got anywhere when the target is not known', () =>
    assert.equal(shortfallOf(component('etcd@+'), { version: '', generation: 5 }), 'VersionMismatch'))
})

describe('an update is complete', () => {
  it('V01 when every component has got there', () => assert.ok(isComplete(done, target)))
  it('V03 not while one is behind', () => assert.ok(!isComplete([...done, component('new-component@4.16.0-')], target)))
  it('V14 not without any component', () => assert.ok(!isComplete([], target)))
  it('V42 whatever a component says that is being deleted', () => assert.ok(isComplete([...done, deleting('etcd@4.16.0+')], target)))
  it('not when all components are being deleted', () => assert.ok(!isComplete([deleting('etcd@4.17.0+')], target)))

  it('V16 V17 not while an expected component is missing', () => {
    assert.ok(isComplete(done, target, new Set(['kube-apiserver'])))
    assert.ok(!isComplete(done, target, new Set(['kube-apiserver', 'etcd'])))
    assert.ok(!isComplete([...done, deleting('etcd@4.17.0+')], target, new Set(['kube-apiserver', 'etcd'])))
    assert.ok(isComplete(done, target, new Set()))
  })

  it('or misses these', () => {
    assert.deepEqual(missingComponents(done, new Set(['kube-apiserver', 'router', 'etcd'])), ['etcd', 'router'])
    assert.deepEqual(missingComponents([deleting('etcd@4.17.0+')], new Set(['etcd'])), ['etcd'])
  })
})
