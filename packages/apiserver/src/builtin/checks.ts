import { type FieldError, forbidden, invalid, notSupported, required } from '../errors/field-error.ts'
import { equalJson, isArray, type Json, type JsonObject } from '../json.ts'
import { labelProblems, labelValueProblems, qualifiedNameProblems, subdomainProblems } from '../registry/names.ts'
import { isAbsent, itemsIn, numberIn, objectIn, objectsIn, textIn } from './tree.ts'

/** Checks that many kinds share. Each returns what is wrong, in the words real servers use. */

const mustBeNonNegative = 'must be greater than or equal to 0'

/** Numbers of an object that may not be negative, in this order. Absent ones are fine. */
export function nonNegative(object: JsonObject, path: string, names: readonly string[]): readonly FieldError[] {
  return names.flatMap((name) => {
    const value = object[name]
    return !isAbsent(value) && numberIn(value) < 0 ? [invalid(`${path}.${name}`, value, mustBeNonNegative)] : []
  })
}

export function immutable(next: Json | undefined, old: Json | undefined, field: string): readonly FieldError[] {
  return equalJson(next ?? null, old ?? null) ? [] : [invalid(field, next ?? null, 'field is immutable')]
}

export function oneOf(value: Json | undefined, field: string, supported: readonly string[]): readonly FieldError[] {
  const text = textIn(value)
  if (text === '') return [required(field)]
  return supported.includes(text) ? [] : [notSupported(field, text, supported)]
}

/** The same for fields that need no value. */
export function oneOfIfSet(value: Json | undefined, field: string, supported: readonly string[]): readonly FieldError[] {
  return isAbsent(value) ? [] : supported.includes(textIn(value)) ? [] : [notSupported(field, value, supported)]
}

export function dnsLabel(text: string, field: string): readonly FieldError[] {
  return labelProblems(text).map((problem) => invalid(field, text, problem))
}

export function dnsSubdomain(text: string, field: string): readonly FieldError[] {
  return subdomainProblems(text).map((problem) => invalid(field, text, problem))
}

/** Names without a prefix that need no second look. */
const plainName = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/
const none: readonly FieldError[] = []

export function qualifiedName(text: string, field: string): readonly FieldError[] {
  if (plainName.test(text)) return none
  return qualifiedNameProblems(text).map((problem) => invalid(field, text, problem))
}

export function labelSet(labels: Json | undefined, field: string): readonly FieldError[] {
  return Object.entries(objectIn(labels)).flatMap(([key, value]) => [...qualifiedName(key, field), ...labelValue(textIn(value), field)])
}

export function labelValue(text: string, field: string): readonly FieldError[] {
  if (text === '' || plainName.test(text)) return none
  return labelValueProblems(text).map((problem) => invalid(field, text, problem))
}

export const portRange = 'must be between 1 and 65535, inclusive'

export function portNumber(value: Json | undefined, field: string): readonly FieldError[] {
  const port = numberIn(value)
  return port >= 1 && port <= 65_535 ? [] : [invalid(field, port, portRange)]
}

export function portName(name: string, field: string): readonly FieldError[] {
  const problems: string[] = []
  if (name.length > 15) problems.push('must be no more than 15 characters')
  if (!/^[-a-z0-9]+$/.test(name)) problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)')
  if (name.includes('--')) problems.push('must not contain consecutive hyphens')
  if (name.startsWith('-') || name.endsWith('-')) problems.push('must not begin or end with a hyphen')
  return problems.map((problem) => invalid(field, name, problem))
}

export function portNumberOrName(value: Json | undefined, field: string): readonly FieldError[] {
  return typeof value === 'string' ? portName(value, field) : portNumber(value, field)
}

export const protocols = ['SCTP', 'TCP', 'UDP']

/** A number of things, or a share of them in percent. */
export function countOrPercent(value: Json | undefined, field: string): readonly FieldError[] {
  if (isAbsent(value)) return []
  if (typeof value !== 'string') return numberIn(value) < 0 ? [invalid(field, value, mustBeNonNegative)] : []
  if (/^[0-9]+%$/.test(value)) return []
  return [
    invalid(
      field,
      value,
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ),
  ]
}

export function atMostHundredPercent(value: Json | undefined, field: string): readonly FieldError[] {
  const percent = /^([0-9]+)%$/.exec(textIn(value))?.[1]
  return percent !== undefined && Number(percent) > 100 ? [invalid(field, value ?? null, 'must not be greater than 100%')] : []
}

/** The number in front of a percent sign, or the number itself. */
export function countOf(value: Json | undefined): number {
  return typeof value === 'string' ? Number.parseInt(value, 10) || 0 : numberIn(value)
}

export function labelSelectorErrors(selector: Json | undefined, field: string): readonly FieldError[] {
  if (isAbsent(selector)) return []
  const { matchLabels, matchExpressions } = objectIn(selector)
  const expressions = objectsIn(matchExpressions).flatMap((expression, index) =>
    expressionErrors(expression, `${field}.matchExpressions[${index}]`),
  )
  return [...labelSet(matchLabels, `${field}.matchLabels`), ...expressions]
}

function expressionErrors({ key, operator, values }: JsonObject, field: string): readonly FieldError[] {
  const errors: FieldError[] = []
  const count = itemsIn(values).length
  if (operator === 'In' || operator === 'NotIn') {
    if (count === 0) errors.push(required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"))
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (count > 0) errors.push(forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
  } else {
    errors.push(invalid(`${field}.operator`, textIn(operator), 'not a valid selector operator'))
  }
  errors.push(...qualifiedName(textIn(key), `${field}.key`))
  for (const [index, value] of itemsIn(values).entries()) {
    errors.push(...labelValueProblems(textIn(value)).map((problem) => invalid(`${field}.values[${index}]`, value, problem)))
  }
  return errors
}

/** Whether a list of conditions says that something holds. */
export function conditionIsTrue(conditions: Json | undefined, type: string): boolean {
  return isArray(conditions) && objectsIn(conditions).some((condition) => condition.type === type && condition.status === 'True')
}

const configKey = /^[-._a-zA-Z0-9]+$/

/** Keys of ConfigMaps and Secrets become file names. */
export function configKeyErrors(key: string, field: string): readonly FieldError[] {
  const problems: string[] = []
  if (key.length > 253) problems.push('must be no more than 253 characters')
  if (!configKey.test(key)) {
    problems.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    )
  }
  if (key === '.') problems.push("must not be '.'")
  if (key === '..') problems.push("must not be '..'")
  else if (key.startsWith('..')) problems.push("must not start with '..'")
  return problems.map((problem) => invalid(`${field}[${key}]`, key, problem))
}
