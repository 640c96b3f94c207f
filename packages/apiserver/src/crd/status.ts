import type { Instant } from '@windlass/core'
import { errorText } from '../errors/field-error.ts'
import { equalJson, type JsonObject, type MutableObject } from '../json.ts'
import { approvalOf, type Approval } from './approval.ts'
import { condition, isTrue, namesJson, object, readDefinition, type Definition, type Names } from './model.ts'
import { structuralErrors, unsupportedWord } from './structural.ts'

interface Condition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

/**
 * The status that follows from a definition and the others of its server: which names it gets, and whether it is served. The same
 * reference when nothing changes.
 *
 * Names that another definition of the group holds are not taken away from it; a definition is served (`Established`) once all its
 * names are accepted, and stays so.
 */
export function decideCrdStatus(crd: JsonObject, others: readonly JsonObject[], now: Instant): JsonObject {
  const definition = readDefinition(crd)
  const status = object(crd.status)
  const { names, accepted } = acceptNames(definition, others)
  const wanted = [
    accepted,
    established(definition, accepted),
    ...approvalConditions(approvalOf(definition)),
    ...structuralConditions(definition),
  ]
  const next: MutableObject = {
    ...status,
    acceptedNames: namesJson(names),
    storedVersions: storedVersions(definition),
    conditions: conditions(definition, wanted, now),
  }
  return equalJson(next, status) ? status : next
}

function storedVersions({ storedVersions, versions }: Definition): readonly string[] {
  const current = versions.find(({ isStored }) => isStored)?.name
  return current === undefined || storedVersions.includes(current) ? storedVersions : [...storedVersions, current]
}

/** Taken by others of the group: resources, and kinds. */
function takenNames(definition: Definition, others: readonly JsonObject[]): { resources: ReadonlySet<string>; kinds: ReadonlySet<string> } {
  const held = others
    .map(readDefinition)
    .filter((other) => other.group === definition.group && other.name !== definition.name)
    .map((other) => other.accepted)
  return {
    resources: new Set(held.flatMap(({ plural, singular, shortNames }) => [plural, singular, ...shortNames])),
    kinds: new Set(held.flatMap(({ kind, listKind }) => [kind, listKind])),
  }
}

function acceptNames(definition: Definition, others: readonly JsonObject[]): { names: Names; accepted: Condition } {
  const { names: asked, accepted: had } = definition
  const { resources, kinds } = takenNames(definition, others)
  const conflicts: { readonly reason: string; readonly names: readonly string[] }[] = []
  const settle = (field: 'plural' | 'singular' | 'kind' | 'listKind', reason: string, taken: ReadonlySet<string>): string => {
    if (asked[field] === had[field] || !taken.has(asked[field])) return asked[field]
    conflicts.push({ reason, names: [asked[field]] })
    return had[field]
  }
  const plural = settle('plural', 'PluralConflict', resources)
  const singular = settle('singular', 'SingularConflict', resources)
  const blocked = asked.shortNames.filter((name) => !had.shortNames.includes(name) && resources.has(name))
  if (blocked.length > 0) conflicts.push({ reason: 'ShortNamesConflict', names: blocked })
  const kind = settle('kind', 'KindConflict', kinds)
  const listKind = settle('listKind', 'ListKindConflict', kinds)
  const shortNames = blocked.length > 0 ? had.shortNames : asked.shortNames
  const names = { plural, singular, kind, listKind, shortNames, categories: asked.categories }
  const last = conflicts.at(-1)
  if (last === undefined) {
    return { names, accepted: { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' } }
  }
  const messages = last.names.map((name) => `${JSON.stringify(name)} is already in use`)
  const message = messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`
  return { names, accepted: { type: 'NamesAccepted', status: 'False', reason: last.reason, message } }
}

function established(definition: Definition, accepted: Condition): Condition {
  const type = 'Established'
  if (isTrue(definition, type) || accepted.status === 'True') {
    return { type, status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' }
  }
  return { type, status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
}

const approvalReasons: Readonly<Record<Approval['state'], string>> = {
  missing: 'MissingAnnotation',
  invalid: 'InvalidAnnotation',
  approved: 'ApprovedAnnotation',
  bypassed: 'UnapprovedAnnotation',
}

function approvalConditions(approval: Approval | undefined): readonly Condition[] {
  if (approval === undefined) return []
  const { state, reason: message } = approval
  const status = state === 'approved' ? 'True' : 'False'
  return [{ type: 'KubernetesAPIApprovalPolicyConformant', status, reason: approvalReasons[state], message }]
}

/** Only definitions that were stored before schemas were checked can have this. */
function structuralConditions({ versions }: Definition): readonly Condition[] {
  const violations = versions.flatMap(({ schema }, index) => {
    if (schema === undefined) return []
    const field = `spec.versions[${index}].schema.openAPIV3Schema`
    const unknown = unsupportedWord(schema)
    return unknown === undefined ? structuralErrors(schema, field).map(errorText) : [`${field}: ${unknown}`]
  })
  if (violations.length === 0) return []
  const message = violations.length === 1 ? (violations[0] ?? '') : `[${violations.join(', ')}]`
  return [{ type: 'NonStructuralSchema', status: 'True', reason: 'Violations', message }]
}

const decided: ReadonlySet<unknown> = new Set([
  'NamesAccepted',
  'Established',
  'KubernetesAPIApprovalPolicyConformant',
  'NonStructuralSchema',
])

/** Conditions of others stay; ours keep their place and, while their status does not change, their time. */
function conditions(definition: Definition, wanted: readonly Condition[], now: Instant): readonly JsonObject[] {
  const kept = definition.conditions.filter(({ type }) => !decided.has(type) || wanted.some((each) => each.type === type))
  const renewed = kept.map((each) => {
    const next = wanted.find(({ type }) => type === each.type)
    return next === undefined ? each : withTime(next, each, now)
  })
  const added = wanted.filter(({ type }) => condition(definition, type) === undefined).map((each) => withTime(each, undefined, now))
  return [...renewed, ...added]
}

function withTime(next: Condition, before: JsonObject | undefined, now: Instant): JsonObject {
  const isSame = before?.status === next.status && typeof before.lastTransitionTime === 'string'
  const { type, status, reason, message } = next
  return { type, status, lastTransitionTime: isSame ? (before.lastTransitionTime ?? '') : timeText(now), reason, message }
}

export const timeText = (at: Instant): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** Marks a definition whose objects are being deleted. */
export function terminating(status: JsonObject, now: Instant): JsonObject {
  const definition = readDefinition({ status })
  const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon'
  const wanted: Condition = { type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending', message }
  const before = condition(definition, wanted.type)
  const others = definition.conditions.filter((each) => each !== before)
  return { ...status, conditions: [...others, withTime(wanted, before, now)] }
}
