import { type FieldError, invalid, notSupported, required } from '../../errors/field-error.ts'
import { equalJson, type JsonObject } from '../../json.ts'
import type { WriteContext } from '../../registry/resource.ts'
import { ageColumn, column, containerColumns, labelsText, selectorText, wide } from '../columns.ts'
import { atMostHundredPercent, countOf, countOrPercent, immutable, labelSelectorErrors, nonNegative } from '../checks.ts'
import { daemonSetSpec, daemonSetStatus } from '../fields/apps.ts'
import { defineKind } from '../kind.ts'
import { completePodTemplate } from '../pods/pod-defaults.ts'
import { change, fill, isAbsent, itemsIn, metadataOf, numberIn, objectIn, put, specOf, statusOf, textIn } from '../tree.ts'
import {
  keepOtherHalf,
  lastingTemplateErrors,
  matchErrors,
  podSpecOf,
  templateOf,
  templateWarnings,
  withInitialStatus,
} from './workload.ts'

const integer = { type: 'integer' }
const counted = (field: string) => (object: JsonObject) => numberIn(statusOf(object)[field])

export const daemonSet = defineKind({
  group: 'apps',
  kind: 'DaemonSet',
  resource: 'daemonsets',
  shortNames: ['ds'],
  categories: ['all'],
  fields: { spec: daemonSetSpec, status: daemonSetStatus },
  hasStatus: true,
  columns: [
    column('Desired', 'How many nodes should run its Pod.', counted('desiredNumberScheduled'), integer),
    column('Current', 'How many nodes run its Pod and should.', counted('currentNumberScheduled'), integer),
    column('Ready', 'On how many of them it is ready.', counted('numberReady'), integer),
    column('Up-to-date', 'On how many of them it is of the newest template.', counted('updatedNumberScheduled'), integer),
    column('Available', 'On how many of them it has been ready for long enough.', counted('numberAvailable'), integer),
    column('Node Selector', 'Which nodes it runs on.', (object) => labelsText(podSpecOf(object).nodeSelector)),
    ageColumn,
    ...containerColumns(podSpecOf),
    wide('Selector', 'Which Pods belong to it.', (object) => selectorText(specOf(object).selector)),
  ],
  defaults: (object) => change(object, 'spec', complete),
  behaviour: {
    hasGeneration: true,
    prepareForCreate: (object) => withTemplateGeneration(withInitialStatus(daemonSetStatus)(object), 1),
    prepareForUpdate,
    validate: (object, old, { subresource }) => {
      if (subresource === 'status') return nonNegative(statusOf(object), 'status', counts)
      const own = specErrors(specOf(object), templateOf(object))
      return old === undefined ? own : [...own, ...immutable(specOf(object).selector, specOf(old).selector, 'spec.selector')]
    },
    warnings: templateWarnings,
  },
})

const counts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
]

function complete(spec: JsonObject): JsonObject {
  const filled = change(fill(spec, { revisionHistoryLimit: 10 }), 'updateStrategy', completeStrategy)
  return change(filled, 'template', completePodTemplate)
}

function completeStrategy(strategy: JsonObject): JsonObject {
  const typed = fill(strategy, { type: 'RollingUpdate' })
  if (typed.type !== 'RollingUpdate') return typed
  return change(fill(typed, { rollingUpdate: {} }), 'rollingUpdate', (rolling) => fill(rolling, { maxUnavailable: 1, maxSurge: 0 }))
}

/** A number from before there was `metadata.generation`; old controllers still look for it. */
const templateGeneration = 'deprecated.daemonset.template.generation'

function withTemplateGeneration(object: JsonObject, generation: number): JsonObject {
  return change(object, 'metadata', (metadata) =>
    put(metadata, 'annotations', put(objectIn(metadata.annotations), templateGeneration, String(generation))),
  )
}

function prepareForUpdate(object: JsonObject, old: JsonObject, context: WriteContext): JsonObject {
  const kept = keepOtherHalf(object, old, context)
  const before = Number(textIn(objectIn(metadataOf(old).annotations)[templateGeneration])) || 1
  const hasNewTemplate = !equalJson(templateOf(kept), templateOf(old))
  return withTemplateGeneration(kept, hasNewTemplate ? before + 1 : before)
}

function specErrors(spec: JsonObject, template: JsonObject): readonly FieldError[] {
  const { selector } = spec
  const { matchLabels, matchExpressions } = objectIn(selector)
  const isEmpty = !isAbsent(selector) && Object.keys(objectIn(matchLabels)).length + itemsIn(matchExpressions).length === 0
  return [
    ...labelSelectorErrors(selector, 'spec.selector'),
    ...matchErrors(selector, template),
    ...(isEmpty ? [invalid('spec.selector', selector, 'empty selector is invalid for daemonset')] : []),
    ...lastingTemplateErrors(template, 'DaemonSet'),
    ...nonNegative(spec, 'spec', ['minReadySeconds']),
    ...strategyErrors(objectIn(spec.updateStrategy)),
    ...nonNegative(spec, 'spec', ['revisionHistoryLimit']),
  ]
}

function strategyErrors(strategy: JsonObject): readonly FieldError[] {
  const field = 'spec.updateStrategy'
  if (strategy.type === 'OnDelete') return []
  if (strategy.type !== 'RollingUpdate') return [notSupported(field, strategy, ['RollingUpdate', 'OnDelete'])]
  if (isAbsent(strategy.rollingUpdate)) return [required(`${field}.rollingUpdate`)]
  const { maxUnavailable, maxSurge } = objectIn(strategy.rollingUpdate)
  const place = `${field}.rollingUpdate`
  const [gone, extra] = [countOf(maxUnavailable) > 0, countOf(maxSurge) > 0]
  return [
    ...countOrPercent(maxUnavailable, `${place}.maxUnavailable`),
    ...atMostHundredPercent(maxUnavailable, `${place}.maxUnavailable`),
    ...countOrPercent(maxSurge, `${place}.maxSurge`),
    ...atMostHundredPercent(maxSurge, `${place}.maxSurge`),
    ...(gone && extra ? [invalid(`${place}.maxSurge`, maxSurge ?? 0, 'may not be set when maxUnavailable is non-zero')] : []),
    ...(!gone && !extra ? [required(`${place}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')] : []),
  ]
}
