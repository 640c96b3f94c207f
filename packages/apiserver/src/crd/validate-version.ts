import { findField } from '../cel/index.ts'
import { duplicate, invalid, required, tooMany, type FieldError } from '../errors/field-error.ts'
import type { JsonObject } from '../json.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { isObject } from '../json.ts'
import { text, type Column, type Version } from './model.ts'

export function deprecationErrors(version: Version, field: string): readonly FieldError[] {
  const { deprecationWarning: warning, isDeprecated } = version
  if (warning === undefined) return []
  const at = `${field}.deprecationWarning`
  if (!isDeprecated) return [invalid(at, warning, 'can only be set for deprecated versions')]
  const problems: string[] = []
  if (Buffer.byteLength(warning) > 256) problems.push('must be <= 256 characters long')
  if (warning === '') problems.push('must not be an empty string')
  const hidden = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning)
  if (hidden !== null) {
    const index = Buffer.byteLength(warning.slice(0, hidden.index))
    problems.push(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`)
  }
  return problems.map((problem) => invalid(at, warning, problem))
}

/** Paths of the scale subresource: constants below `.spec` and `.status`. */
export function subresourceErrors(subresources: JsonObject | undefined, field: string): readonly FieldError[] {
  const scale = subresources?.scale
  if (!isObject(scale)) return []
  const [spec, status, selector] = [text(scale.specReplicasPath), text(scale.statusReplicasPath), text(scale.labelSelectorPath)]
  return [
    ...pathErrors(spec, ['.spec.'], 'should be a json path under .spec', `${field}.scale.specReplicasPath`),
    ...pathErrors(status, ['.status.'], 'should be a json path under .status', `${field}.scale.statusReplicasPath`),
    ...(selector === ''
      ? []
      : pathErrors(
          selector,
          ['.spec.', '.status.'],
          'should be a json path under either .spec or .status',
          `${field}.scale.labelSelectorPath`,
        )),
  ]
}

function pathErrors(path: string, below: readonly string[], detail: string, field: string): readonly FieldError[] {
  if (path === '') return [required(field)]
  const problem = jsonPathProblem(path)
  if (problem !== undefined) return [invalid(field, path, problem)]
  return below.some((prefix) => path.startsWith(prefix)) ? [] : [invalid(field, path, detail)]
}

const jsonPathProblem = (path: string): string | undefined =>
  path.startsWith('.') ? undefined : 'must be a simple json path starting with .'

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

export function columnErrors(column: Column, field: string): readonly FieldError[] {
  const { name, type, format, jsonPath } = column
  const errors: FieldError[] = []
  if (name === '') errors.push(required(`${field}.name`))
  const typeText = `must be one of ${columnTypes.join(',')}`
  if (type === '') errors.push(required(`${field}.type`, typeText))
  else if (!columnTypes.includes(type)) errors.push(invalid(`${field}.type`, type, typeText))
  if (format !== '' && !columnFormats.includes(format)) {
    errors.push(invalid(`${field}.format`, format, `must be one of ${columnFormats.join(',')}`))
  }
  const problem = jsonPathProblem(jsonPath)
  if (jsonPath === '') errors.push(required(`${field}.JSONPath`))
  else if (problem !== undefined) errors.push(invalid(`${field}.JSONPath`, jsonPath, problem))
  return errors
}

const mostSelectable = 8

/** Field selectors may name texts, numbers and booleans that are always in the same place. */
export function selectableErrors(paths: readonly string[], schema: JsonSchema, field: string): readonly FieldError[] {
  const errors: FieldError[] = []
  const known = new Set<string>()
  for (const [index, path] of paths.entries()) {
    const at = `${field}[${index}].jsonPath`
    const found = path === '' ? undefined : findField(path, schema, false)
    if (found === undefined) {
      errors.push(required(at))
      continue
    }
    if (typeof found === 'string') {
      errors.push(invalid(at, path, `is an invalid path: ${found}`))
      continue
    }
    if (found.root === 'metadata') errors.push(invalid(at, path, 'must not point to fields in metadata'))
    if (!['string', 'boolean', 'integer'].includes(found.schema.type ?? '')) {
      const detail = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
      errors.push(invalid(at, path, detail))
    }
    if (known.has(found.path)) errors.push(duplicate(at, path))
    known.add(found.path)
  }
  if (known.size > mostSelectable) errors.push(tooMany(field, known.size, mostSelectable))
  return errors
}
