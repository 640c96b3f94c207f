import { isStringFormat, matchesFormat } from '../formats/index.ts'
import type { JsonSchema } from '../json-schema.ts'
import { typesOf } from '../kind.ts'
import type { Keyword } from './run.ts'

/** The format, if it means anything for the type: unknown formats are comments. */
export function knownFormat(schema: JsonSchema): string | undefined {
  const { format } = schema
  if (format === undefined || format === '') return undefined
  const types = typesOf(schema)
  const type = types.length === 1 ? types[0] : undefined
  switch (type) {
    case undefined:
    case 'string':
      return isStringFormat(format) ? format : undefined
    case 'integer':
      return format === 'int32' || format === 'int64' ? format : undefined
    case 'number':
      return format === 'float' || format === 'double' ? format : undefined
    default:
      return undefined
  }
}

/** `format` of strings. Those of numbers do not limit the range. */
export const formatCheck: Keyword = (schema, kind) => {
  const format = knownFormat(schema)
  if (kind !== 'string' || format === undefined || !isStringFormat(format)) return undefined
  const matches = matchesFormat(format)
  return (value, _old, run) => {
    if (typeof value !== 'string' || matches(value)) return
    run.fail('TypeInvalid', value, `must be of type ${format}: ${JSON.stringify(value)}`)
  }
}
