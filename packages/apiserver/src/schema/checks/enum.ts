import { equalJson, type Json } from '../../json.ts'
import { notSupported } from '../../errors/field-error.ts'
import { shownValue } from '../go-text.ts'
import type { Keyword } from './run.ts'

/** `enum`. Null is never among the values, even where the schema lists it: real servers do not find it there. */
export const enumCheck: Keyword = (schema) => {
  const { enum: values } = schema
  if (values === undefined || values.length === 0) return undefined
  const scalars: ReadonlySet<Json> = new Set(values.filter((value) => typeof value !== 'object'))
  const compounds = values.filter((value) => typeof value === 'object' && value !== null)
  const { detail } = notSupported('', '', values.map(valueName))
  return (value, _old, run) => {
    if (typeof value === 'object' && value !== null ? compounds.some((each) => equalJson(each, value)) : scalars.has(value)) return
    run.failPlainly('NotSupported', shownValue(value), detail)
  }
}

function valueName(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
