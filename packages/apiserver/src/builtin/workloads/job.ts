import { parseTime, shortDuration, type Instant } from '@windlass/core'
import { type FieldError, invalid, notSupported, required } from '../../errors/field-error.ts'
import { equalJson, type JsonObject } from '../../json.ts'
import { ageColumn, column, containerColumns, selectorText, wide } from '../columns.ts'
import { conditionIsTrue, immutable, labelSelectorErrors, nonNegative, oneOfIfSet } from '../checks.ts'
import { jobSpec, jobStatus } from '../fields/batch.ts'
import { defineKind } from '../kind.ts'
import { completePodTemplate } from '../pods/pod-defaults.ts'
import { podTemplateErrors } from '../pods/pod-spec-checks.ts'
import { change, changeItems, fill, isAbsent, metadataOf, numberIn, objectIn, put, specOf, statusOf, textIn } from '../tree.ts'
import { keepOtherHalf, matchErrors, podSpecOf, templateOf, templateWarnings, withInitialStatus } from './workload.ts'

export const job = defineKind({
  group: 'batch',
  kind: 'Job',
  resource: 'jobs',
  categories: ['all'],
  fields: { spec: jobSpec, status: jobStatus },
  hasStatus: true,
  columns: [
    column('Status', 'Whether the Job is done.', state),
    column('Completions', 'How many of its Pods succeeded, of how many.', completions),
    column('Duration', 'How long it has been running, or ran.', elapsed),
    ageColumn,
    ...containerColumns(podSpecOf),
    wide('Selector', 'Which Pods belong to it.', (object) => selectorText(specOf(object).selector)),
  ],
  defaults: (object) => labelledLikeTemplate(change(object, 'spec', complete)),
  behaviour: {
    hasGeneration: true,
    prepareForCreate: (object) => labelledLikeTemplate(withOwnSelector(withInitialStatus(jobStatus)(object))),
    prepareForUpdate: keepOtherHalf,
    validate: (object, old, { subresource }) => {
      if (subresource === 'status') return nonNegative(statusOf(object), 'status', ['active', 'succeeded', 'failed'])
      const spec = specOf(object)
      return [...jobSpecErrors(spec, 'spec'), ...selectorErrors(spec), ...(old === undefined ? [] : changeErrors(spec, specOf(old)))]
    },
    warnings: templateWarnings,
    fieldLabelNames: ['status.successful'],
    fieldLabels: (object) => ({ 'status.successful': String(numberIn(statusOf(object).succeeded)) }),
  },
})

function complete(spec: JsonObject): JsonObject {
  const isBare = isAbsent(spec.completions) && isAbsent(spec.parallelism)
  const filled = fill(spec, {
    ...(isBare ? { completions: 1 } : {}),
    parallelism: 1,
    backoffLimit: isAbsent(spec.backoffLimitPerIndex) ? 6 : 2 ** 31 - 1,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: isAbsent(spec.podFailurePolicy) ? 'TerminatingOrFailed' : 'Failed',
    manualSelector: false,
  })
  const judged = change(filled, 'podFailurePolicy', (policy) =>
    changeItems(policy, 'rules', (rule) =>
      changeItems(rule, 'onPodConditions', (pattern) => (pattern.status === '' ? put(pattern, 'status', 'True') : pattern)),
    ),
  )
  return change(judged, 'template', completePodTemplate)
}

/** A Job without labels of its own wears those of its Pods. */
function labelledLikeTemplate(object: JsonObject): JsonObject {
  const { labels } = objectIn(templateOf(object).metadata)
  if (isAbsent(labels) || !isAbsent(metadataOf(object).labels)) return object
  return change(object, 'metadata', (metadata) => put(metadata, 'labels', labels))
}

const uidLabel = 'batch.kubernetes.io/controller-uid'

/** Pods of different Jobs must not mix, so each Job selects its own by its uid. */
function withOwnSelector(object: JsonObject): JsonObject {
  const { name, uid } = metadataOf(object)
  const [ownName, ownUid] = [textIn(name), textIn(uid)]
  if (specOf(object).manualSelector === true || ownUid === '') return object
  const marks = { 'controller-uid': ownUid, [uidLabel]: ownUid, 'job-name': ownName, 'batch.kubernetes.io/job-name': ownName }
  return change(object, 'spec', (spec) => {
    const template = objectIn(spec.template)
    const metadata = objectIn(template.metadata)
    const labelled = put(template, 'metadata', put(metadata, 'labels', { ...objectIn(metadata.labels), ...marks }))
    const selector = objectIn(spec.selector)
    const matchLabels = { ...objectIn(selector.matchLabels), [uidLabel]: ownUid }
    return { ...spec, template: labelled, selector: put(selector, 'matchLabels', matchLabels) }
  })
}

const amounts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
]

/** Also for the Jobs that a CronJob makes. */
export function jobSpecErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const template = objectIn(spec.template)
  return [
    ...nonNegative(spec, field, amounts),
    ...modeErrors(spec, field),
    ...oneOfIfSet(spec.podReplacementPolicy, `${field}.podReplacementPolicy`, ['Failed', 'TerminatingOrFailed']),
    ...podTemplateErrors(template, `${field}.template`),
    ...restartErrors(textIn(specOf(template).restartPolicy), !isAbsent(spec.podFailurePolicy), `${field}.template.spec.restartPolicy`),
  ]
}

function modeErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const isIndexed = spec.completionMode === 'Indexed'
  const unknown = oneOfIfSet(spec.completionMode, `${field}.completionMode`, ['NonIndexed', 'Indexed'])
  if (isIndexed) return isAbsent(spec.completions) ? [required(`${field}.completions`, 'when completion mode is Indexed')] : []
  const indexedOnly = ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy'].filter((name) => !isAbsent(spec[name]))
  return [...unknown, ...indexedOnly.map((name) => invalid(`${field}.${name}`, spec[name] ?? null, 'requires indexed completion mode'))]
}

function restartErrors(policy: string, hasFailurePolicy: boolean, field: string): readonly FieldError[] {
  if (policy === 'Always' || policy === '') return [required(field, 'valid values: "OnFailure", "Never"')]
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(field, policy, ['OnFailure', 'Never'])]
  return hasFailurePolicy && policy !== 'Never'
    ? [invalid(field, policy, 'only "Never" is supported when podFailurePolicy is specified')]
    : []
}

function selectorErrors(spec: JsonObject): readonly FieldError[] {
  if (isAbsent(spec.selector)) return [required('spec.selector')]
  return [...labelSelectorErrors(spec.selector, 'spec.selector'), ...matchErrors(spec.selector, objectIn(spec.template))]
}

const fixed = ['selector', 'template', 'completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy']

function changeErrors(next: JsonObject, old: JsonObject): readonly FieldError[] {
  // An indexed Job may grow and shrink as long as all its indexes run at once.
  const isElastic = next.completionMode === 'Indexed' && equalJson(next.completions ?? null, next.parallelism ?? null)
  const resized = isElastic ? [] : immutable(next.completions, old.completions, 'spec.completions')
  return [...resized, ...fixed.flatMap((field) => immutable(movable(next, old, field), old[field], `spec.${field}`))]
}

/** Where the Pods of a suspended Job may go can still be decided. */
function movable(next: JsonObject, old: JsonObject, field: string): JsonObject[string] | undefined {
  if (field !== 'template' || old.suspend !== true) return next[field]
  const [template, before] = [objectIn(next.template), objectIn(old.template)]
  const spec = ['nodeSelector', 'tolerations', 'schedulingGates', 'affinity'].reduce(
    (each, name) => put(each, name, specOf(before)[name]),
    specOf(template),
  )
  return { ...template, metadata: before.metadata ?? null, spec }
}

function state(object: JsonObject): string {
  const { conditions } = statusOf(object)
  const is = (type: string): boolean => conditionIsTrue(conditions, type)
  if (is('Complete')) return 'Complete'
  if (is('Failed')) return 'Failed'
  if (!isAbsent(metadataOf(object).deletionTimestamp)) return 'Terminating'
  if (is('Suspended')) return 'Suspended'
  return is('FailureTarget') ? 'FailureTarget' : 'Running'
}

function completions(object: JsonObject): string {
  const [spec, succeeded] = [specOf(object), numberIn(statusOf(object).succeeded)]
  if (!isAbsent(spec.completions)) return `${succeeded}/${numberIn(spec.completions)}`
  const parallelism = numberIn(spec.parallelism)
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function elapsed(object: JsonObject, now: Instant): string {
  const { startTime, completionTime } = statusOf(object)
  const started = parseTime(textIn(startTime))
  return started === undefined ? '' : shortDuration((parseTime(textIn(completionTime)) ?? now) - started)
}
