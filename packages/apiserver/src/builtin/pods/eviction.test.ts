import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { decideEviction } from './eviction.ts'

const now = Date.UTC(2026, 0, 1)

function aPod(status: JsonObject = {}, name = 'p'): JsonObject {
  const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
  return { metadata: { name, namespace: 'ns', labels: { app: 'x' } }, spec: { nodeName: 'n1' }, status: { ...ready, ...status } }
}

function aBudget(status: JsonObject, spec: JsonObject = { minAvailable: 1 }, name = 'b'): JsonObject {
  return {
    metadata: { name, namespace: 'ns', generation: 1 },
    spec: { selector: { matchLabels: { app: 'x' } }, ...spec },
    status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, ...status },
  }
}

const upToDate = { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 }
const unready = { conditions: [{ type: 'Ready', status: 'False' }] }

function refusal(pod: JsonObject, budgets: readonly JsonObject[]): unknown {
  const decision = decideEviction(pod, budgets, now)
  return decision.isAllowed ? undefined : decision.refusal.status
}

const tooMany = (message: string): unknown => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: "Cannot evict pod as it would violate the pod's disruption budget.",
  reason: 'TooManyRequests',
  details: { causes: [{ reason: 'DisruptionBudget', message }] },
  code: 429,
})

describe('eviction', () => {
  it('BI-021 without a budget deletes', () => assert.deepEqual(decideEviction(aPod(), [], now), { isAllowed: true }))

  it('a budget for other Pods does not count', () => {
    const other = aBudget({ observedGeneration: 1 }, { selector: { matchLabels: { app: 'y' } } })
    assert.deepEqual(decideEviction(aPod(), [other], now), { isAllowed: true })
  })

  it('BI-024 with a budget that allows it uses it up', () => {
    const decision = decideEviction(aPod(), [aBudget(upToDate)], now)
    assert.ok(decision.isAllowed)
    assert.deepEqual(decision.budget?.status, {
      ...upToDate,
      disruptionsAllowed: 0,
      disruptedPods: { p: '2026-01-01T00:00:00Z' },
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: 'False',
          observedGeneration: 1,
          lastTransitionTime: '2026-01-01T00:00:00Z',
          reason: 'InsufficientPods',
          message: '',
        },
      ],
    })
    assert.deepEqual(
      refusal(aPod({}, 'q'), [decision.budget ?? {}]),
      tooMany('The disruption budget b needs 1 healthy pods and has 2 currently'),
    )
  })

  it('BI-025 with a budget that forbids it', () => {
    const budget = aBudget({ ...upToDate, disruptionsAllowed: 0, desiredHealthy: 2 }, { minAvailable: 2 })
    assert.deepEqual(refusal(aPod(), [budget]), tooMany('The disruption budget b needs 2 healthy pods and has 2 currently'))
  })

  it('BI-026 with a budget that is not up to date', () => {
    const status = refusal(aPod(), [aBudget({})]) as { readonly details: unknown }
    assert.deepEqual(status.details, {
      causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget b is still being processed by the server.' }],
      retryAfterSeconds: 10,
    })
  })

  it('BI-027 with two budgets', () => {
    assert.deepEqual(refusal(aPod(), [aBudget({}), aBudget({}, {}, 'c')]), {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      code: 500,
    })
  })

  it('BI-029 of unhealthy Pods is always allowed where the budget says so', () => {
    const budget = aBudget({ observedGeneration: 1, desiredHealthy: 1 }, { unhealthyPodEvictionPolicy: 'AlwaysAllow' })
    assert.deepEqual(decideEviction(aPod(unready), [budget], now), { isAllowed: true })
  })

  it('an unhealthy Pod goes when enough healthy ones stay, and is protected otherwise', () => {
    const enough = aBudget({ observedGeneration: 1, currentHealthy: 1, desiredHealthy: 1 })
    const tooFew = aBudget({ observedGeneration: 1, currentHealthy: 0, desiredHealthy: 1 })
    assert.deepEqual(decideEviction(aPod(unready), [enough], now), { isAllowed: true })
    assert.equal(decideEviction(aPod(unready), [tooFew], now).isAllowed, false)
  })

  for (const phase of ['Pending', 'Succeeded', 'Failed']) {
    it(`a Pod that is ${phase} needs no budget`, () => {
      assert.deepEqual(decideEviction(aPod({ phase }), [aBudget({ observedGeneration: 1 })], now), { isAllowed: true })
    })
  }
})
