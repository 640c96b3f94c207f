import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Pod, PodDisruptionBudget } from '@windlass/api'
import { aPodDisruptionBudget } from '@windlass/api/fixtures'
import { findCondition, formatTime } from '@windlass/core'
import { noon, podNamed, statusIn } from '../testing/index.ts'
import { decide } from './decide.ts'

const budgetOf = (spec: Partial<PodDisruptionBudget['spec']>, status?: PodDisruptionBudget['status']): PodDisruptionBudget => {
  const { maxUnavailable: _, ...base } = aPodDisruptionBudget().spec
  return {
    ...aPodDisruptionBudget({ ...(status === undefined ? {} : { status }), metadata: { generation: 3 } }),
    spec: { ...base, ...spec },
  }
}
const ready = (...names: readonly string[]): readonly Pod[] => names.map((name) => podNamed(name))
const look = (budget: PodDisruptionBudget, pods: readonly Pod[], expected: number | string = pods.length) =>
  decide({ budget, pods, expected }, noon)
const numbers = (budget: PodDisruptionBudget, pods: readonly Pod[], expected?: number | string): readonly (number | undefined)[] => {
  const status = statusIn(look(budget, pods, expected), PodDisruptionBudget)
  return [status?.disruptionsAllowed, status?.currentHealthy, status?.desiredHealthy, status?.expectedPods]
}

describe('a PodDisruptionBudget', () => {
  it('lets as many go as may be missing', () => {
    assert.deepEqual(numbers(budgetOf({ maxUnavailable: 1 }), ready('a', 'b', 'c')), [1, 3, 2, 3])
    assert.deepEqual(numbers(budgetOf({ maxUnavailable: 1 }), [...ready('a', 'b'), podNamed('c', { is: 'running' })]), [0, 2, 2, 3])
    assert.deepEqual(numbers(budgetOf({ maxUnavailable: 1 }), ready('a', 'b'), 3), [0, 2, 2, 3], 'of those that there should be')
    assert.deepEqual(numbers(budgetOf({ maxUnavailable: '50%' }), ready('a', 'b', 'c')), [2, 3, 1, 3], 'rounded up')
    assert.deepEqual(numbers(budgetOf({ maxUnavailable: 5 }), ready('a', 'b')), [2, 2, 0, 2])
    assert.deepEqual(numbers(budgetOf({ maxUnavailable: 0 }), ready('a', 'b')), [0, 2, 2, 2])
  })

  it('keeps as many as must stay', () => {
    assert.deepEqual(numbers(budgetOf({ minAvailable: 2 }), ready('a', 'b', 'c')), [1, 3, 2, 3])
    assert.deepEqual(numbers(budgetOf({ minAvailable: 1 }), ready('a')), [0, 1, 1, 1])
    assert.deepEqual(numbers(budgetOf({ minAvailable: '50%' }), ready('a', 'b', 'c')), [1, 3, 2, 3], 'rounded up')
    assert.deepEqual(numbers(budgetOf({ minAvailable: '100%' }), ready('a', 'b', 'c')), [0, 3, 3, 3])
  })

  it('lets nothing go where there is nothing', () => {
    assert.deepEqual(numbers(budgetOf({ maxUnavailable: 1 }), [], 0), [0, 0, 0, 0])
    assert.deepEqual(numbers(budgetOf({}), ready('a')), [0, 1, 0, 0])
  })

  it('does not count Pods on their way out, nor those whose eviction was granted', () => {
    assert.deepEqual(numbers(budgetOf({ maxUnavailable: 1 }), [...ready('a', 'b'), podNamed('c', { isTerminating: true })]), [0, 2, 2, 3])
    const granted = {
      disruptionsAllowed: 0,
      currentHealthy: 3,
      desiredHealthy: 2,
      expectedPods: 3,
      disruptedPods: { a: formatTime(noon - 30_000), gone: formatTime(noon) },
    }
    const plan = look(budgetOf({ maxUnavailable: 1 }, granted), ready('a', 'b', 'c'))
    assert.deepEqual(numbers(budgetOf({ maxUnavailable: 1 }, granted), ready('a', 'b', 'c')), [0, 2, 2, 3])
    assert.deepEqual(statusIn(plan, PodDisruptionBudget)?.disruptedPods, { a: formatTime(noon - 30_000) })
    assert.equal(plan.requeueAfter, 90_000)
  })

  it('counts a Pod again that was to go and did not', () => {
    const granted = {
      disruptionsAllowed: 0,
      currentHealthy: 3,
      desiredHealthy: 2,
      expectedPods: 3,
      disruptedPods: { a: formatTime(noon - 120_000) },
    }
    assert.deepEqual(numbers(budgetOf({ maxUnavailable: 1 }, granted), ready('a', 'b', 'c')), [1, 3, 2, 3])
  })

  it('says what it has looked at, and what follows', () => {
    const condition = (pods: readonly Pod[], expected?: number | string) => {
      const status = statusIn(look(budgetOf({ maxUnavailable: 1 }), pods, expected), PodDisruptionBudget)
      assert.equal(status?.observedGeneration, 3)
      const found = findCondition(status?.conditions, 'DisruptionAllowed')
      return `${found?.status} ${found?.reason} ${found?.observedGeneration}`
    }
    assert.equal(condition(ready('a', 'b')), 'True SufficientPods 3')
    assert.equal(condition(ready('a'), 2), 'False InsufficientPods 3')
    assert.equal(condition(ready('a'), 'Job work has no number of replicas'), 'False SyncFailed 3')
  })
})
