import { type FieldError, invalid, notSupported, required } from '../../errors/field-error.ts'
import type { JsonObject } from '../../json.ts'
import { ageColumn, column, containerColumns, selectorText, wide } from '../columns.ts'
import { nonNegative, oneOf } from '../checks.ts'
import { cronJobSpec, cronJobStatus } from '../fields/batch.ts'
import { defineKind } from '../kind.ts'
import { completePodTemplate } from '../pods/pod-defaults.ts'
import { podTemplateWarnings } from '../pods/pod-warnings.ts'
import { change, fill, isAbsent, itemsIn, metadataOf, objectIn, specOf, statusOf, textIn } from '../tree.ts'
import { scheduleProblem } from './cron-schedule.ts'
import { jobSpecErrors } from './job.ts'
import { keepOtherHalf, withInitialStatus } from './workload.ts'

const jobSpecOf = (object: JsonObject): JsonObject => specOf(objectIn(specOf(object).jobTemplate))

export const cronJob = defineKind({
  group: 'batch',
  kind: 'CronJob',
  resource: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  fields: { spec: cronJobSpec, status: cronJobStatus },
  hasStatus: true,
  columns: [
    column('Schedule', 'When Jobs start, in cron notation.', (object) => textIn(specOf(object).schedule)),
    column('Timezone', 'Where the clock of the schedule stands.', (object) => textIn(specOf(object).timeZone) || '<none>'),
    column('Suspend', 'Whether no new Jobs start.', (object) => (specOf(object).suspend === true ? 'True' : 'False'), { type: 'boolean' }),
    column('Active', 'How many of its Jobs run.', (object) => itemsIn(statusOf(object).active).length, { type: 'integer' }),
    column('Last Schedule', 'When the last Job started.', (object) => {
      const last = textIn(statusOf(object).lastScheduleTime)
      return last === '' ? '<none>' : { age: last }
    }),
    ageColumn,
    ...containerColumns((object) => specOf(objectIn(jobSpecOf(object).template))),
    wide('Selector', 'Which Pods belong to its Jobs.', (object) => selectorText(jobSpecOf(object).selector)),
  ],
  defaults: (object) => change(object, 'spec', complete),
  behaviour: {
    hasGeneration: true,
    prepareForCreate: withInitialStatus(cronJobStatus),
    prepareForUpdate: keepOtherHalf,
    validate: (object, old, { subresource }) => {
      if (subresource === 'status') return []
      return [...specErrors(specOf(object), old === undefined ? undefined : specOf(old)), ...(old === undefined ? nameErrors(object) : [])]
    },
    warnings: (object) => podTemplateWarnings(objectIn(jobSpecOf(object).template), 'spec.jobTemplate.spec.template'),
  },
})

function complete(spec: JsonObject): JsonObject {
  const filled = fill(spec, { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 })
  return change(filled, 'jobTemplate', (template) => change(template, 'spec', (inner) => change(inner, 'template', completePodTemplate)))
}

function specErrors(spec: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const jobSpec = specOf(objectIn(spec.jobTemplate))
  const field = 'spec.jobTemplate.spec'
  return [
    ...scheduleErrors(spec, old),
    ...nonNegative(spec, 'spec', ['startingDeadlineSeconds']),
    ...(old?.timeZone === spec.timeZone ? [] : timeZoneErrors(spec.timeZone)),
    ...oneOf(spec.concurrencyPolicy, 'spec.concurrencyPolicy', ['Allow', 'Forbid', 'Replace']),
    ...jobSpecErrors(jobSpec, field),
    ...(isAbsent(jobSpec.selector) ? [] : [invalid(`${field}.selector`, jobSpec.selector, '`selector` will be auto-generated')]),
    ...(jobSpec.manualSelector === true ? [notSupported(`${field}.manualSelector`, true, ['nil', 'false'])] : []),
    ...nonNegative(spec, 'spec', ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit']),
  ]
}

function scheduleErrors(spec: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const field = 'spec.schedule'
  const schedule = textIn(spec.schedule)
  if (schedule === '') return [required(field)]
  const problem = scheduleProblem(schedule)
  const errors = problem === undefined ? [] : [invalid(field, schedule, problem)]
  if (!schedule.includes('TZ')) return errors
  if (old === undefined || !textIn(old.schedule).includes('TZ')) {
    return [...errors, invalid(field, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')]
  }
  return isAbsent(spec.timeZone)
    ? errors
    : [...errors, invalid(field, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule')]
}

function timeZoneErrors(zone: JsonObject[string] | undefined): readonly FieldError[] {
  if (isAbsent(zone)) return []
  const name = textIn(zone)
  if (name === '') return [invalid('spec.timeZone', zone, 'timeZone must be nil or non-empty string')]
  if (name.toLowerCase() === 'local') {
    return [invalid('spec.timeZone', zone, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones')]
  }
  try {
    void new Intl.DateTimeFormat('en', { timeZone: name })
    return []
  } catch {
    return [invalid('spec.timeZone', zone, `unknown time zone ${name}`)]
  }
}

/** Its Jobs are named after it, with eleven characters more. */
const longestName = 52

function nameErrors(object: JsonObject): readonly FieldError[] {
  const name = textIn(metadataOf(object).name)
  return name.length > longestName ? [invalid('metadata.name', name, `must be no more than ${longestName} characters`)] : []
}
