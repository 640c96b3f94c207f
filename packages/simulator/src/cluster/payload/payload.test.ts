import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hostedPayload, largerPayload, manifestsDone, selfManagedPayload } from './index.ts'

describe('the payload of a release', () => {
  it('has 862 manifests and 33 operators in 11 steps', () => {
    assert.deepEqual([selfManagedPayload.manifests, selfManagedPayload.operators.size, selfManagedPayload.steps.length], [862, 33, 11])
  })

  it('takes about an hour on the reference cluster, nodes included', () => {
    const minutes = selfManagedPayload.steps.map(({ operators }) => Math.max(0, ...operators.map((operator) => operator.minutes)))
    const work = minutes.reduce((sum, length) => sum + length, 0)
    // A minute before and after, and the nodes of the control plane.
    assert.ok(Math.abs(work + 2 + 16.6 - 60) < 1, `${work}`)
  })

  it('counts everything of steps that are over, and all but those waited for of the one that is not', () => {
    assert.equal(
      manifestsDone(selfManagedPayload, 0, () => false),
      0,
    )
    assert.equal(
      manifestsDone(selfManagedPayload, 1, () => false),
      56,
    )
    assert.equal(
      manifestsDone(selfManagedPayload, 2, ({ name }) => name === 'etcd'),
      101,
    )
    assert.equal(
      manifestsDone(selfManagedPayload, 10, () => true),
      736,
    )
  })

  it('may have more operators, in one of its steps', () => {
    const larger = largerPayload(['one', 'two'])
    assert.deepEqual([larger.manifests, larger.operators.size, larger.steps.length], [864, 35, 11])
    assert.equal(larger.operators.get('one')?.step, larger.operators.get('ingress')?.step)
    assert.equal(larger.operators.get('machine-config')?.step, selfManagedPayload.operators.get('machine-config')?.step)
  })

  it('brings nothing into hosted clusters that belongs to their control planes or nodes', () => {
    for (const name of ['etcd', 'machine-config', 'machine-api', 'cloud-credential']) assert.ok(!hostedPayload.operators.has(name), name)
    for (const name of ['kube-apiserver', 'network', 'console', 'monitoring']) assert.ok(hostedPayload.operators.has(name), name)
    assert.ok(
      hostedPayload.steps.every(({ operators }, index) => operators.length > 0 || index === 0 || index === hostedPayload.steps.length - 1),
    )
  })
})
