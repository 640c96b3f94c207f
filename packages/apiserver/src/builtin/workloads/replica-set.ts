import type { FieldError } from '../../errors/field-error.ts'
import type { JsonObject } from '../../json.ts'
import { ageColumn, column, containerColumns, selectorText, wide } from '../columns.ts'
import { immutable, nonNegative } from '../checks.ts'
import { replicaSetSpec, replicaSetStatus } from '../fields/apps.ts'
import { defineKind } from '../kind.ts'
import { completePodTemplate } from '../pods/pod-defaults.ts'
import { change, fill, numberIn, specOf, statusOf } from '../tree.ts'
import {
  keepOtherHalf,
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

const integer = { type: 'integer' }

export const replicaSet = defineKind({
  group: 'apps',
  kind: 'ReplicaSet',
  resource: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  fields: { spec: replicaSetSpec, status: replicaSetStatus },
  hasStatus: true,
  scale,
  columns: [
    column('Desired', 'How many Pods there should be.', (object) => numberIn(specOf(object).replicas), integer),
    column('Current', 'How many Pods there are.', (object) => numberIn(statusOf(object).replicas), integer),
    column('Ready', 'How many of them are ready.', (object) => numberIn(statusOf(object).readyReplicas), integer),
    ageColumn,
    ...containerColumns(podSpecOf),
    wide('Selector', 'Which Pods belong to it.', (object) => selectorText(specOf(object).selector)),
  ],
  defaults: (object) => change(object, 'spec', (spec) => change(fill(spec, { replicas: 1 }), 'template', completePodTemplate)),
  behaviour: {
    hasGeneration: true,
    prepareForCreate: withInitialStatus(replicaSetStatus),
    prepareForUpdate: keepOtherHalf,
    validate: (object, old, { subresource }) => {
      if (subresource === 'status') return statusErrors(statusOf(object))
      const own = specErrors(specOf(object), templateOf(object))
      return old === undefined ? own : [...own, ...immutable(specOf(object).selector, specOf(old).selector, 'spec.selector')]
    },
    warnings: templateWarnings,
    fieldLabelNames: ['status.replicas'],
    fieldLabels: (object) => ({ 'status.replicas': String(numberIn(statusOf(object).replicas)) }),
  },
})

function specErrors(spec: JsonObject, template: JsonObject): readonly FieldError[] {
  return [
    ...nonNegative(spec, 'spec', ['replicas', 'minReadySeconds']),
    ...selectorErrors(spec, 'deployment'),
    ...matchErrors(spec.selector, template),
    ...lastingTemplateErrors(template, 'ReplicaSet'),
  ]
}

const counts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration']

function statusErrors(status: JsonObject): readonly FieldError[] {
  return [
    ...nonNegative(status, 'status', counts),
    ...notAbove(
      status,
      ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
      'replicas',
      'cannot be greater than status.replicas',
    ),
    ...notAbove(status, ['availableReplicas'], 'readyReplicas', 'cannot be greater than readyReplicas'),
  ]
}
