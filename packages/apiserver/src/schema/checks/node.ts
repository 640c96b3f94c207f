import { equalJson, type Json } from '../../json.ts'
import type { JsonSchema } from '../json-schema.ts'
import { type Kind, kindOf, kinds } from '../kind.ts'
import { memoised } from '../memo.ts'
import { arrayCheck } from './array.ts'
import { enumCheck } from './enum.ts'
import { formatCheck } from './format.ts'
import { logicCheck } from './logic.ts'
import { numberCheck } from './number.ts'
import { objectCheck } from './object.ts'
import type { Check, Keyword, Part, Run } from './run.ts'
import { stringCheck } from './string.ts'
import { typeCheck } from './type.ts'

/** In the order in which real servers judge and therefore complain. */
const keywords: readonly Keyword[] = [typeCheck, logicCheck, stringCheck, formatCheck, numberCheck, arrayCheck, enumCheck, objectCheck]

/** Null is no value to measure: only its being allowed, and a list of allowed values, are asked. */
const keywordsOfNull: readonly Keyword[] = [typeCheck, enumCheck]

/**
 * A schema compiled to a table: for each kind of JSON value, the checks it has to pass. Most rows are empty, and a value of the right type
 * without constraints costs one look at the table.
 *
 * Ratcheting: a value that was stored as it is now is not refused for being wrong, so errors about it are dropped again. An identical
 * subtree is not even looked at.
 */
export const checkOf: (schema: JsonSchema) => Check = memoised((schema: JsonSchema): Check => {
  const table = {} as Record<Kind, readonly Check[]>
  for (const kind of kinds) {
    const asked = kind === 'null' ? keywordsOfNull : keywords
    table[kind] = asked.map((keyword) => keyword(schema, kind, laterPart)).filter((check) => check !== undefined)
  }
  const ofStrings = table.string
  return (value, old, run) => {
    if (old !== undefined && value === old) return
    run.score++
    // Most values are texts; for them the table is read in advance.
    const checks = typeof value === 'string' ? ofStrings : table[kindOf(value)]
    if (checks.length !== 0) judge(checks, value, old, run)
  }
})

function judge(checks: readonly Check[], value: Json, old: Json | undefined, run: Run): void {
  const before = run.errors.length
  for (const check of checks) {
    const found = run.errors.length
    check(value, old, run)
    if (run.errors.length === found) run.score++
  }
  if (old !== undefined && run.errors.length > before && equalJson(value, old)) run.takeBack(before)
}

/** A part, compiled when a value first gets there: from then on without a detour. */
function laterPart(schema: JsonSchema): Part {
  const part = {
    check: (value: Json, old: Json | undefined, run: Run): void => {
      part.check = checkOf(schema)
      part.check(value, old, run)
    },
  }
  return part
}
