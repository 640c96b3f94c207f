import { always, int32, int64, intOrString, listBy, map, pointer, replaced, string, struct, time } from '../dsl/index.ts'
import { condition, labelSelector } from './meta.ts'

/** How much disruption an application bears. */

export const podDisruptionBudgetSpec = struct({
  minAvailable: pointer(intOrString),
  selector: replaced(pointer(labelSelector)),
  maxUnavailable: pointer(intOrString),
  unhealthyPodEvictionPolicy: pointer(string),
})

export const podDisruptionBudgetStatus = struct({
  observedGeneration: int64,
  disruptedPods: map(time),
  disruptionsAllowed: always(int32),
  currentHealthy: always(int32),
  desiredHealthy: always(int32),
  expectedPods: always(int32),
  conditions: listBy('type', condition),
})
