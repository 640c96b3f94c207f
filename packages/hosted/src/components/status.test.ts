import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findCondition } from '@windlass/core'
import { aControlPlaneComponent, aDeployment } from '@windlass/api/fixtures'
import { componentStatus } from './status.ts'
import type { ComponentStatus, Seen } from './status.ts'

const now = Date.UTC(2026, 2, 6, 12)

const seen: Seen = {
  unavailable: [],
  error: undefined,
  workload: aDeployment(),
  operandProblems: [],
  resources: [{ kind: 'ConfigMap', group: '', name: 'kas-config' }],
  version: '4.19.6',
  generation: 1,
}

const rolling = aDeployment({ metadata: { generation: 2 } })

function conditions(status: ComponentStatus): readonly string[] {
  return ['Available', 'RolloutComplete'].map((type) => {
    const condition = findCondition(status.conditions, type)
    return `${condition?.status} ${condition?.reason}`
  })
}

function rolloutMessage(status: ComponentStatus): string | undefined {
  return findCondition(status.conditions, 'RolloutComplete')?.message
}

describe('the status of a component', () => {
  it('3.5 says the version, the resources and the generation when it has rolled out', () => {
    assert.deepEqual(componentStatus(undefined, seen, now), {
      conditions: [
        {
          type: 'Available',
          status: 'True',
          reason: 'AsExpected',
          message: 'Deployment kube-apiserver is available',
          lastTransitionTime: '2026-03-06T12:00:00Z',
        },
        {
          type: 'RolloutComplete',
          status: 'True',
          reason: 'AsExpected',
          message: 'Deployment kube-apiserver successfully rolled out',
          lastTransitionTime: '2026-03-06T12:00:00Z',
        },
      ],
      version: '4.19.6',
      resources: [{ kind: 'ConfigMap', group: '', name: 'kas-config' }],
      observedGeneration: 1,
    })
  })

  it('C01 waits for its dependencies before anything else, and is judged available all the same', () => {
    const status = componentStatus(undefined, { ...seen, unavailable: ['kube-apiserver'], error: new Error('never said') }, now)
    assert.deepEqual(conditions(status), ['True AsExpected', 'False WaitingForDependencies'])
    assert.equal(rolloutMessage(status), 'Waiting for Dependencies: kube-apiserver')
    assert.equal(status.observedGeneration, 1)
  })

  it('C11 lists what it waits for, in order', () => {
    const status = componentStatus(undefined, { ...seen, unavailable: ['a', 'z'] }, now)
    assert.equal(rolloutMessage(status), 'Waiting for Dependencies: a, z')
  })

  it('C15 without a workload is neither available nor rolled out', () => {
    const status = componentStatus(undefined, { ...seen, workload: { reason: 'NotFound', message: 'deployments.apps "x" not found' } }, now)
    assert.deepEqual(conditions(status), ['False NotFound', 'False NotFound'])
    assert.equal(rolloutMessage(status), 'deployments.apps "x" not found')
  })

  it('C16 says what went wrong when it was applied', () => {
    const status = componentStatus(undefined, { ...seen, error: new Error('failed to reconcile') }, now)
    assert.deepEqual(conditions(status), ['True AsExpected', 'False ReconciliationError'])
    assert.equal(rolloutMessage(status), 'failed to reconcile')
  })

  it('C17 keeps the version that was rolled out last until the next one is', () => {
    const before = componentStatus(undefined, { ...seen, version: '4.18.0' }, now)
    const during = componentStatus(before, { ...seen, workload: rolling, version: '4.19.0' }, now)
    assert.equal(during.version, '4.18.0')
    assert.deepEqual(conditions(during), ['True AsExpected', 'False WaitingForRolloutComplete'])
    assert.equal(componentStatus(during, { ...seen, version: '4.19.0' }, now).version, '4.19.0')
  })

  it('C12 has no version before its first rollout', () => {
    assert.equal('version' in componentStatus(undefined, { ...seen, workload: rolling }, now), false)
  })

  it('C23 waits for its operands when its own workload has rolled out', () => {
    const status = componentStatus(undefined, { ...seen, operandProblems: ['deployment a is not ready', 'deployment b not found'] }, now)
    assert.deepEqual(conditions(status), ['True AsExpected', 'False WaitingForOperands'])
    assert.equal(rolloutMessage(status), 'deployment a is not ready; deployment b not found')
  })

  it('3.5 says that it rolls out rather than that its operands wait', () => {
    const status = componentStatus(undefined, { ...seen, workload: rolling, operandProblems: ['deployment a is not ready'] }, now)
    assert.deepEqual(conditions(status), ['True AsExpected', 'False WaitingForRolloutComplete'])
  })

  it('C28 is judged by the workload as it was applied: a generation that nobody has looked at is not rolled out', () => {
    const returned = aDeployment({
      metadata: { generation: 9 },
      status: { observedGeneration: 8, replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 },
    })
    assert.equal(conditions(componentStatus(undefined, { ...seen, workload: returned }, now))[1], 'False WaitingForRolloutComplete')
  })

  it('C29 says Unknown when the API gives no reason', () => {
    const status = componentStatus(undefined, { ...seen, workload: { reason: '', message: 'etcd leader changed' } }, now)
    assert.deepEqual(conditions(status), ['False Unknown', 'False Unknown'])
  })

  it('W9 is the same value when nothing changed, whatever the time', () => {
    const first = componentStatus(undefined, seen, now)
    assert.equal(componentStatus(first, { ...seen, resources: [...seen.resources] }, now + 60_000), first)
  })

  it('W6 keeps transition times of conditions whose status did not change, and conditions of others', () => {
    const foreign = { type: 'Foreign', status: 'True', reason: 'Yes', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' } as const
    const { status } = aControlPlaneComponent()
    const current = { ...status, conditions: [foreign, ...(status?.conditions ?? [])] }
    const next = componentStatus(current, { ...seen, workload: rolling }, now)
    assert.equal(next.conditions?.[0], foreign)
    assert.equal(findCondition(next.conditions, 'Available')?.lastTransitionTime, '2026-01-01T00:00:00Z')
    assert.equal(findCondition(next.conditions, 'RolloutComplete')?.lastTransitionTime, '2026-03-06T12:00:00Z')
  })

  it('W5 leaves a generation out that is not known', () => {
    assert.equal('observedGeneration' in componentStatus(undefined, { ...seen, generation: undefined }, now), false)
    assert.equal('observedGeneration' in componentStatus(undefined, { ...seen, generation: 0 }, now), false)
  })

  it('1.4 cuts messages that the API server would refuse', () => {
    const status = componentStatus(undefined, { ...seen, error: new Error('x'.repeat(40_000)) }, now)
    assert.equal(rolloutMessage(status)?.length, 32_768)
  })
})
