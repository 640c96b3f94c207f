import { type FieldError, forbidden, invalid, notSupported, required } from '../../errors/field-error.ts'
import type { JsonObject } from '../../json.ts'
import { ageColumn, column, containerColumns, selectorText, wide } from '../columns.ts'
import { atMostHundredPercent, countOf, countOrPercent, immutable, nonNegative } from '../checks.ts'
import { deploymentSpec, deploymentStatus } from '../fields/apps.ts'
import { defineKind } from '../kind.ts'
import { completePodTemplate } from '../pods/pod-defaults.ts'
import { change, fill, isAbsent, numberIn, objectIn, specOf, statusOf, textIn } from '../tree.ts'
import {
  keepLabelsToo,
  lastingTemplateErrors,
  matchErrors,
  notAbove,
  podSpecOf,
  scale,
  selectorErrors,
  templateOf,
  templateWarnings,
  withInitialStatus,
} from './workload.ts'

export const deployment = defineKind({
  group: 'apps',
  kind: 'Deployment',
  resource: 'deployments',
  shortNames: ['deploy'],
  categories: ['all'],
  fields: { spec: deploymentSpec, status: deploymentStatus },
  hasStatus: true,
  scale,
  columns: [
    column(
      'Ready',
      'How many of its Pods are ready.',
      (object) => `${numberIn(statusOf(object).readyReplicas)}/${numberIn(specOf(object).replicas)}`,
    ),
    column('Up-to-date', 'How many of its Pods are of the newest template.', (object) => numberIn(statusOf(object).updatedReplicas)),
    column('Available', 'How many of its Pods have been ready for long enough.', (object) => numberIn(statusOf(object).availableReplicas)),
    ageColumn,
    ...containerColumns(podSpecOf),
    wide('Selector', 'Which Pods belong to it.', (object) => selectorText(specOf(object).selector)),
  ],
  defaults: (object) => change(object, 'spec', complete),
  behaviour: {
    hasGeneration: true,
    annotationsRaiseGeneration: true,
    prepareForCreate: withInitialStatus(deploymentStatus),
    prepareForUpdate: keepLabelsToo,
    validate: (object, old, { subresource }) => {
      if (subresource === 'status') return statusErrors(statusOf(object))
      const own = specErrors(specOf(object), templateOf(object))
      return old === undefined ? own : [...own, ...immutable(specOf(object).selector, specOf(old).selector, 'spec.selector')]
    },
    warnings: templateWarnings,
  },
})

function complete(spec: JsonObject): JsonObject {
  const filled = fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 })
  return change(change(filled, 'strategy', completeStrategy), 'template', completePodTemplate)
}

function completeStrategy(strategy: JsonObject): JsonObject {
  const typed = fill(strategy, { type: 'RollingUpdate' })
  if (typed.type !== 'RollingUpdate') return typed
  return change(fill(typed, { rollingUpdate: {} }), 'rollingUpdate', (rolling) => fill(rolling, { maxUnavailable: '25%', maxSurge: '25%' }))
}

function specErrors(spec: JsonObject, template: JsonObject): readonly FieldError[] {
  const { minReadySeconds, progressDeadlineSeconds } = spec
  const isTooSoon = !isAbsent(progressDeadlineSeconds) && numberIn(progressDeadlineSeconds) <= numberIn(minReadySeconds)
  return [
    ...nonNegative(spec, 'spec', ['replicas']),
    ...selectorErrors(spec, 'deployment'),
    ...matchErrors(spec.selector, template),
    ...lastingTemplateErrors(template, 'ReplicaSet'),
    ...strategyErrors(objectIn(spec.strategy)),
    ...nonNegative(spec, 'spec', ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds']),
    ...(isTooSoon ? [invalid('spec.progressDeadlineSeconds', progressDeadlineSeconds, 'must be greater than minReadySeconds')] : []),
  ]
}

function strategyErrors(strategy: JsonObject): readonly FieldError[] {
  const field = 'spec.strategy'
  const { rollingUpdate } = strategy
  const type = textIn(strategy.type)
  if (type === 'Recreate') {
    return isAbsent(rollingUpdate) ? [] : [forbidden(`${field}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")]
  }
  if (type !== 'RollingUpdate') return [notSupported(field, strategy, ['Recreate', 'RollingUpdate'])]
  if (isAbsent(rollingUpdate)) return [required(`${field}.rollingUpdate`, 'this should be defaulted and never be nil')]
  const { maxUnavailable, maxSurge } = objectIn(rollingUpdate)
  const place = `${field}.rollingUpdate`
  const isStuck = countOf(maxUnavailable) === 0 && countOf(maxSurge) === 0
  return [
    ...countOrPercent(maxUnavailable, `${place}.maxUnavailable`),
    ...countOrPercent(maxSurge, `${place}.maxSurge`),
    ...(isStuck ? [invalid(`${place}.maxUnavailable`, maxUnavailable ?? 0, 'may not be 0 when `maxSurge` is 0')] : []),
    ...atMostHundredPercent(maxUnavailable, `${place}.maxUnavailable`),
  ]
}

const counts = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
]

function statusErrors(status: JsonObject): readonly FieldError[] {
  return [
    ...nonNegative(status, 'status', counts),
    ...notAbove(status, ['updatedReplicas', 'readyReplicas', 'availableReplicas'], 'replicas', 'cannot be greater than status.replicas'),
    ...notAbove(status, ['availableReplicas'], 'readyReplicas', 'cannot be greater than readyReplicas'),
  ]
}
