import { type FieldError, invalid, required } from '../../errors/field-error.ts'
import type { Json, JsonObject, MutableObject } from '../../json.ts'
import { ageColumn, column } from '../columns.ts'
import { qualifiedName } from '../checks.ts'
import { canonicalQuantity, compareQuantities, isNegativeQuantity } from '../dsl/index.ts'
import { limitRangeSpec, resourceQuotaSpec, resourceQuotaStatus } from '../fields/core.ts'
import { defineKind } from '../kind.ts'
import { changeItems, change, objectIn, objectsIn, put, specOf, statusOf, textIn } from '../tree.ts'

/** Stored for their readers: nothing in this server enforces them. */

export const resourceQuota = defineKind({
  group: '',
  kind: 'ResourceQuota',
  resource: 'resourcequotas',
  shortNames: ['quota'],
  fields: { spec: resourceQuotaSpec, status: resourceQuotaStatus },
  hasStatus: true,
  columns: [
    column('Request', 'Requests in use and allowed.', (object) => usage(object, isRequest)),
    column('Limit', 'Limits in use and allowed.', (object) => usage(object, (name) => name.startsWith('limits.'))),
    ageColumn,
  ],
  behaviour: {
    deleteAnswersObject: true,
    prepareForCreate: (object) => put(object, 'status', {}),
    prepareForUpdate: (object, old, { subresource }) =>
      subresource === 'status' ? put(object, 'spec', old.spec) : put(object, 'status', old.status),
    validate: (object, _, { subresource }) =>
      subresource === 'status'
        ? [...amounts(statusOf(object).hard, 'status.hard'), ...amounts(statusOf(object).used, 'status.used')]
        : amounts(specOf(object).hard, 'spec.hard'),
  },
})

export const limitRange = defineKind({
  group: '',
  kind: 'LimitRange',
  resource: 'limitranges',
  shortNames: ['limits'],
  fields: { spec: limitRangeSpec },
  defaults: (object) => change(object, 'spec', (spec) => changeItems(spec, 'limits', completeLimit)),
  behaviour: { allowsCreateOnUpdate: true, validate: (object) => objectsIn(specOf(object).limits).flatMap(limitErrors) },
})

const isRequest = (name: string): boolean => !name.startsWith('limits.')

function usage(object: JsonObject, selects: (name: string) => boolean): string {
  const { hard, used } = statusOf(object)
  const names = Object.keys(objectIn(hard)).filter(selects).toSorted()
  return names.map((name) => `${name}: ${textIn(objectIn(used)[name]) || '0'}/${textIn(objectIn(hard)[name])}`).join(', ')
}

function amounts(list: Json | undefined, field: string): readonly FieldError[] {
  return Object.entries(objectIn(list)).flatMap(([name, amount]) => {
    const place = `${field}[${name}]`
    const negative = isNegativeQuantity(textIn(amount)) ? [invalid(place, amount, 'must be greater than or equal to 0')] : []
    return [...qualifiedName(name, place), ...negative]
  })
}

/** Limits of containers complete each other: what is not asked for is the limit, and the limit is the most there may be. */
function completeLimit(limit: JsonObject): JsonObject {
  if (limit.type !== 'Container') return limit
  const ceilings = merged(limit.max, limit.default)
  const requests = merged(limit.min, ceilings, limit.defaultRequest)
  const withCeilings = Object.keys(ceilings).length === 0 ? limit : put(limit, 'default', ceilings)
  return Object.keys(requests).length === 0 ? withCeilings : put(withCeilings, 'defaultRequest', requests)
}

/** Later lists win. */
function merged(...lists: readonly (Json | undefined)[]): JsonObject {
  const result: MutableObject = {}
  for (const list of lists) Object.assign(result, objectIn(list))
  return result
}

function limitErrors(limit: JsonObject, index: number): readonly FieldError[] {
  const field = `spec.limits[${index}]`
  if (textIn(limit.type) === '') return [required(`${field}.type`)]
  const [min, max] = [objectIn(limit.min), objectIn(limit.max)]
  return Object.entries(min).flatMap(([name, least]) => {
    const most = max[name]
    if (most === undefined || compareQuantities(textIn(least), textIn(most)) <= 0) return []
    const text = `min value ${canonicalQuantity(textIn(least))} is greater than max value ${canonicalQuantity(textIn(most))}`
    return [invalid(`${field}.min[${name}]`, least, text)]
  })
}
