import { allowsKind, typesOf } from '../kind.ts'
import { knownFormat } from './format.ts'
import type { Keyword } from './run.ts'

/** How Go calls the formats of the values it decodes; others have none. */
const decodedFormats: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' }

/** `type`, `nullable` and `x-kubernetes-int-or-string`. Known beforehand for each kind, so that right kinds have no check at all. */
export const typeCheck: Keyword = (schema, kind) => {
  const types = typesOf(schema)
  if (kind === 'null' ? schema.nullable === true || types.length === 0 : allowsKind(types, kind)) return undefined
  const format = knownFormat(schema)
  // Values that are neither text nor list are told the format they miss, in words of Go: `must be of type int32: ""`.
  const isTold = format !== undefined && kind !== 'null' && kind !== 'string' && kind !== 'array'
  const expected = isTold ? format : types.join(',')
  const actual = isTold ? (decodedFormats[kind] ?? '') : kind
  return (_value, _old, run) => run.fail('TypeInvalid', actual, `must be of type ${expected}: ${JSON.stringify(actual)}`)
}
