import { type FieldError, forbidden, invalid, required } from '../../errors/field-error.ts'
import { equalJson, type Json, type JsonObject } from '../../json.ts'
import { ageColumn, column, containerColumns } from '../columns.ts'
import { dnsLabel, labelSet, nonNegative, oneOfIfSet } from '../checks.ts'
import { statefulSetSpec, statefulSetStatus } from '../fields/apps.ts'
import { defineKind } from '../kind.ts'
import { completeClaim } from '../core/persistent-volume-claim.ts'
import { completePodTemplate } from '../pods/pod-defaults.ts'
import { change, changeItems, fill, isAbsent, numberIn, objectIn, put, specOf, statusOf, textIn } from '../tree.ts'
import {
  foreverErrors,
  keepOtherHalf,
  matchErrors,
  notAbove,
  podSpecOf,
  scale,
  selectorErrors,
  templateOf,
  templateWarnings,
  withInitialStatus,
} from './workload.ts'

export const statefulSet = defineKind({
  group: 'apps',
  kind: 'StatefulSet',
  resource: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  fields: { spec: statefulSetSpec, status: statefulSetStatus },
  hasStatus: true,
  scale,
  columns: [
    column(
      'Ready',
      'How many of its Pods are ready.',
      (object) => `${numberIn(statusOf(object).readyReplicas)}/${numberIn(specOf(object).replicas)}`,
    ),
    ageColumn,
    ...containerColumns(podSpecOf),
  ],
  defaults: (object) => change(object, 'spec', complete),
  behaviour: {
    hasGeneration: true,
    prepareForCreate: withInitialStatus(statefulSetStatus),
    prepareForUpdate: keepOtherHalf,
    validate: (object, old, { subresource }) => {
      if (subresource === 'status') return statusErrors(statusOf(object))
      const isNew = old === undefined
      return [...specErrors(specOf(object), templateOf(object), isNew), ...(isNew ? [] : changeErrors(specOf(object), specOf(old)))]
    },
    warnings: templateWarnings,
  },
})

function complete(spec: JsonObject): JsonObject {
  const filled = fill(spec, {
    replicas: 1,
    revisionHistoryLimit: 10,
    podManagementPolicy: 'OrderedReady',
    persistentVolumeClaimRetentionPolicy: {},
  })
  const retained = change(filled, 'persistentVolumeClaimRetentionPolicy', (policy) =>
    fill(policy, { whenDeleted: 'Retain', whenScaled: 'Retain' }),
  )
  const rolled = change(retained, 'updateStrategy', completeStrategy)
  return change(changeItems(rolled, 'volumeClaimTemplates', completeClaimTemplate), 'template', completePodTemplate)
}

function completeStrategy(strategy: JsonObject): JsonObject {
  const typed = textIn(strategy.type) === '' ? fill(strategy, { type: 'RollingUpdate', rollingUpdate: {} }) : strategy
  return typed.type === 'RollingUpdate' ? change(typed, 'rollingUpdate', (rolling) => fill(rolling, { partition: 0 })) : typed
}

function completeClaimTemplate(claim: JsonObject): JsonObject {
  return completeClaim(fill(claim, { kind: 'PersistentVolumeClaim', apiVersion: 'v1' }))
}

function specErrors(spec: JsonObject, template: JsonObject, isNew: boolean): readonly FieldError[] {
  const policy = textIn(spec.podManagementPolicy)
  const service = textIn(spec.serviceName)
  const ordinals = isAbsent(spec.ordinals) ? [] : nonNegative(objectIn(spec.ordinals), 'spec.ordinals', ['start'])
  const selector = selectorErrors(spec, 'statefulset')
  return [
    ...(policy === 'OrderedReady' || policy === 'Parallel'
      ? []
      : [invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")]),
    ...strategyErrors(objectIn(spec.updateStrategy)),
    ...retentionErrors(spec.persistentVolumeClaimRetentionPolicy),
    ...nonNegative(spec, 'spec', ['replicas', 'minReadySeconds']),
    ...ordinals,
    ...(isNew && service !== '' ? dnsLabel(service, 'spec.serviceName') : []),
    ...selector,
    ...matchErrors(spec.selector, template),
    ...labelSet(objectIn(template.metadata).labels, 'spec.template.labels'),
    ...foreverErrors(template, 'StatefulSet'),
  ]
}

function strategyErrors(strategy: JsonObject): readonly FieldError[] {
  const field = 'spec.updateStrategy'
  const { rollingUpdate } = strategy
  switch (textIn(strategy.type)) {
    case '':
      return [required(field)]
    case 'OnDelete':
      return isAbsent(rollingUpdate)
        ? []
        : [invalid(`${field}.rollingUpdate`, rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'")]
    case 'RollingUpdate':
      return nonNegative(objectIn(rollingUpdate), `${field}.rollingUpdate`, ['partition'])
    default:
      return [invalid(field, strategy, "must be 'RollingUpdate' or 'OnDelete'")]
  }
}

function retentionErrors(policy: Json | undefined): readonly FieldError[] {
  const { whenDeleted, whenScaled } = objectIn(policy)
  const supported = ['Retain', 'Delete']
  const field = 'spec.persistentVolumeClaimRetentionPolicy'
  return [...oneOfIfSet(whenDeleted, `${field}.whenDeleted`, supported), ...oneOfIfSet(whenScaled, `${field}.whenScaled`, supported)]
}

const mutable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]

function changeErrors(next: JsonObject, old: JsonObject): readonly FieldError[] {
  const fixed = mutable.reduce((spec, field) => put(spec, field, old[field]), next)
  if (equalJson(fixed, old)) return []
  const [last, ...others] = mutable.toReversed().map((field) => `'${field}'`)
  const list = `${others.toReversed().join(', ')} and ${last}`
  return [forbidden('spec', `updates to statefulset spec for fields other than ${list} are forbidden`)]
}

function statusErrors(status: JsonObject): readonly FieldError[] {
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas']
  return [
    ...nonNegative(status, 'status', ['replicas', ...parts, 'observedGeneration', 'collisionCount']),
    ...notAbove(status, parts, 'replicas', 'cannot be greater than status.replicas'),
    ...notAbove(status, ['availableReplicas'], 'readyReplicas', 'cannot be greater than status.readyReplicas'),
  ]
}
