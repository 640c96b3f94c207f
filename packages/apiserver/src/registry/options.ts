import { badRequest, invalidObject, type ApiError } from '../errors/api-error.ts'
import { type FieldError, forbidden, invalid, notSupported, tooLong } from '../errors/field-error.ts'
import { isArray, isObject, type Json, type JsonObject } from '../json.ts'
import { strings, text } from './object-meta.ts'

/** What the query of a request asks for besides the object. Each reader refuses values it does not know. */

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

export interface WriteOptions {
  readonly dryRun: boolean
  readonly fieldManager: string
  readonly fieldValidation: FieldValidation
  readonly force: boolean
}

const managerLimit = 128

/** Options of POST, PUT and PATCH; `kind` is what errors call them (`CreateOptions`). */
export function writeOptions(kind: string, query: URLSearchParams, userAgent: string | undefined, isApply: boolean): WriteOptions {
  const errors: FieldError[] = []
  const given = query.get('fieldManager') ?? ''
  const force = query.get('force')
  if (!isApply && force !== null && kind === 'PatchOptions') errors.push(forbidden('force', 'may not be specified for non-apply patch'))
  if (isApply && given === '') errors.push({ type: 'Required', field: 'fieldManager', detail: 'is required for apply patch' })
  errors.push(...managerErrors(given), ...dryRunErrors(query.getAll('dryRun')))
  const validation = query.get('fieldValidation') ?? ''
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(validation)) {
    errors.push(notSupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn']))
  }
  if (errors.length > 0) throw invalidOptions(kind, errors)
  return {
    dryRun: query.has('dryRun'),
    fieldManager: given === '' ? managerFrom(userAgent) : given,
    fieldValidation: validation === '' ? 'Warn' : (validation as FieldValidation),
    force: force === 'true' || force === '1',
  }
}

export function invalidOptions(kind: string, errors: readonly FieldError[]): ApiError {
  return invalidObject({ group: 'meta.k8s.io', kind }, '', errors)
}

function managerFrom(userAgent: string | undefined): string {
  const name = (userAgent ?? '').split('/')[0] ?? ''
  return name === '' ? 'unknown' : name.slice(0, managerLimit)
}

function managerErrors(manager: string): readonly FieldError[] {
  if (Buffer.byteLength(manager) > managerLimit) return [tooLong('fieldManager', managerLimit)]
  for (const [position, character] of Array.from(manager).entries()) {
    if (/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) continue
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return [invalid('fieldManager', manager, `invalid character U+${code} (at position ${position})`)]
  }
  return []
}

function dryRunErrors(values: readonly string[]): readonly FieldError[] {
  const wrong = values.filter((value) => value !== 'All')
  return wrong.length === 0 ? [] : [notSupported('dryRun', [...values], ['All'])]
}

export interface DeleteOptions {
  readonly dryRun: boolean
  readonly gracePeriodSeconds: number | undefined
  readonly policy: 'Foreground' | 'Background' | 'Orphan' | undefined
  readonly uid: string | undefined
  readonly resourceVersion: string | undefined
}

const policies = ['Foreground', 'Background', 'Orphan']

/** Options of DELETE: the body's when there is one, the query's otherwise. */
export function deleteOptions(query: URLSearchParams, body: JsonObject | undefined): DeleteOptions {
  const source = body ?? optionsFromQuery(query)
  const errors: FieldError[] = []
  const policy = text(source.propagationPolicy)
  if (policy !== '' && !policies.includes(policy)) errors.push(notSupported('propagationPolicy', policy, [...policies, 'nil']))
  if (policy !== '' && typeof source.orphanDependents === 'boolean') {
    errors.push(invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'))
  }
  const dryRun = isArray(source.dryRun) ? strings(source.dryRun) : []
  errors.push(...dryRunErrors(dryRun))
  if (errors.length > 0) throw invalidOptions('DeleteOptions', errors)
  const conditions = isObject(source.preconditions) ? source.preconditions : {}
  return {
    dryRun: dryRun.length > 0,
    gracePeriodSeconds: typeof source.gracePeriodSeconds === 'number' ? source.gracePeriodSeconds : undefined,
    policy: policyOf(policy, source.orphanDependents),
    uid: typeof conditions.uid === 'string' ? conditions.uid : undefined,
    resourceVersion: typeof conditions.resourceVersion === 'string' ? conditions.resourceVersion : undefined,
  }
}

function policyOf(policy: string, orphan: Json | undefined): DeleteOptions['policy'] {
  if (policy !== '') return policy as DeleteOptions['policy']
  if (typeof orphan === 'boolean') return orphan ? 'Orphan' : 'Background'
  return undefined
}

function optionsFromQuery(query: URLSearchParams): JsonObject {
  const grace = integerParameter(query, 'gracePeriodSeconds')
  const orphan = query.get('orphanDependents')
  const dryRun = query.getAll('dryRun')
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(orphan === null ? {} : { orphanDependents: booleanValue(orphan) }),
    ...(query.has('propagationPolicy') ? { propagationPolicy: query.get('propagationPolicy') ?? '' } : {}),
    ...(dryRun.length === 0 ? {} : { dryRun }),
  }
}

/** A whole number, as Go's parser takes it, or undefined when the parameter is absent. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name)
  if (given === null || given === '') return undefined
  if (!/^[+-]?\d+$/.test(given)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(given)}: invalid syntax`)
  const value = Number(given)
  if (!Number.isSafeInteger(value)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(given)}: value out of range`)
  return value
}

/** Query booleans: everything but `false`, `0` and nothing counts as true. */
export function booleanValue(given: string): boolean {
  return given !== 'false' && given !== '0'
}
