import { type FieldError, invalid } from '../../errors/field-error.ts'
import type { JsonObject } from '../../json.ts'
import { ageColumn, column } from '../columns.ts'
import { atMostHundredPercent, countOrPercent, labelSelectorErrors, nonNegative, oneOfIfSet } from '../checks.ts'
import { podDisruptionBudgetSpec, podDisruptionBudgetStatus } from '../fields/policy.ts'
import { defineKind } from '../kind.ts'
import { isAbsent, numberIn, specOf, statusOf } from '../tree.ts'
import { keepOtherHalf, withInitialStatus } from '../workloads/workload.ts'

const shown = (value: JsonObject[string] | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : 'N/A'

export const podDisruptionBudget = defineKind({
  group: 'policy',
  kind: 'PodDisruptionBudget',
  resource: 'poddisruptionbudgets',
  shortNames: ['pdb'],
  fields: { spec: podDisruptionBudgetSpec, status: podDisruptionBudgetStatus },
  hasStatus: true,
  columns: [
    column('Min Available', 'How many Pods must stay.', (object) => shown(specOf(object).minAvailable)),
    column('Max Unavailable', 'How many Pods may be missing.', (object) => shown(specOf(object).maxUnavailable)),
    column('Allowed Disruptions', 'How many Pods may be evicted now.', (object) => numberIn(statusOf(object).disruptionsAllowed), {
      type: 'integer',
    }),
    ageColumn,
  ],
  behaviour: {
    allowsUnconditionalUpdate: false,
    hasGeneration: true,
    prepareForCreate: withInitialStatus(podDisruptionBudgetStatus),
    prepareForUpdate: keepOtherHalf,
    validate: (object, _, { subresource }) =>
      subresource === 'status'
        ? nonNegative(statusOf(object), 'status', ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'])
        : specErrors(specOf(object)),
  },
})

function specErrors(spec: JsonObject): readonly FieldError[] {
  const isBoth = !isAbsent(spec.minAvailable) && !isAbsent(spec.maxUnavailable)
  const amounts = ['minAvailable', 'maxUnavailable'].flatMap((name) => [
    ...countOrPercent(spec[name], `spec.${name}`),
    ...atMostHundredPercent(spec[name], `spec.${name}`),
  ])
  return [
    ...(isBoth ? [invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set')] : []),
    ...amounts,
    ...labelSelectorErrors(spec.selector, 'spec.selector'),
    ...oneOfIfSet(spec.unhealthyPodEvictionPolicy, 'spec.unhealthyPodEvictionPolicy', ['AlwaysAllow', 'IfHealthyBudget']),
  ]
}
