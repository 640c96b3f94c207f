import { forbidden, type FieldError, invalid, tooLong } from '../../errors/field-error.ts'
import { equalJson, type JsonObject } from '../../json.ts'
import { ageColumn, column } from '../columns.ts'
import { configKeyErrors } from '../checks.ts'
import { boolean, bytes, map, pointer, string } from '../dsl/index.ts'
import { defineKind } from '../kind.ts'
import { objectIn, textIn } from '../tree.ts'

/** The most that the values of one ConfigMap or Secret may hold together. */
export const mostDataBytes = 1024 * 1024

export const configMap = defineKind({
  group: '',
  kind: 'ConfigMap',
  resource: 'configmaps',
  shortNames: ['cm'],
  fields: { data: map(string), binaryData: map(bytes), immutable: pointer(boolean) },
  columns: [
    column(
      'Data',
      'How many keys the ConfigMap holds.',
      ({ data, binaryData }) => Object.keys(objectIn(data)).length + Object.keys(objectIn(binaryData)).length,
    ),
    ageColumn,
  ],
  behaviour: {
    validate: (object, old) => [...(old === undefined ? [] : frozenErrors(object, old, ['data', 'binaryData'])), ...contentErrors(object)],
  },
})

function contentErrors(object: JsonObject): readonly FieldError[] {
  const [data, binaryData] = [objectIn(object.data), objectIn(object.binaryData)]
  const errors: FieldError[] = []
  let size = 0
  for (const key in data) {
    errors.push(...configKeyErrors(key, 'data'))
    if (Object.hasOwn(binaryData, key)) errors.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'))
    size += Buffer.byteLength(textIn(data[key]))
  }
  for (const key in binaryData) {
    errors.push(...configKeyErrors(key, 'binaryData'))
    size += decodedLength(textIn(binaryData[key]))
  }
  if (size > mostDataBytes) errors.push(tooLong('[]', mostDataBytes))
  return errors
}

/** How many bytes a base64 text stands for. */
export function decodedLength(base64: string): number {
  return (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)
}

/** What may not change once `immutable` was set, which may not be taken back either. */
export function frozenErrors(object: JsonObject, old: JsonObject, fields: readonly string[]): readonly FieldError[] {
  if (old.immutable !== true) return []
  const changed = fields.filter((field) => !equalJson(object[field], old[field]))
  return [...(object.immutable === true ? [] : ['immutable']), ...changed].map((field) =>
    forbidden(field, 'field is immutable when `immutable` is set'),
  )
}
