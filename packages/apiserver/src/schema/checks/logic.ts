import type { Check, Keyword, Part } from './run.ts'

/**
 * `anyOf`, `oneOf`, `allOf` and `not`. Alternatives are judged without the stored value: if an unchanged part of one could not be wrong,
 * alternatives would fit that do not.
 */
export const logicCheck: Keyword = (schema, _kind, part) => {
  const { anyOf = [], oneOf = [], allOf = [], not } = schema
  const checks = [someOf(anyOf.map(part)), exactlyOneOf(oneOf.map(part)), allOfThem(allOf.map(part)), not && none(part(not))]
  const present = checks.filter((check) => check !== undefined)
  if (present.length <= 1) return present[0]
  return (value, old, run) => {
    for (const check of present) check(value, old, run)
  }
}

function someOf(alternatives: readonly Part[]): Check | undefined {
  if (alternatives.length === 0) return undefined
  return (value, _old, run) => {
    if (alternatives.some((alternative) => run.fits(value, alternative))) return
    run.failAlternatives('must validate at least one schema (anyOf)')
    run.explainClosest(value, alternatives)
  }
}

function exactlyOneOf(alternatives: readonly Part[]): Check | undefined {
  if (alternatives.length === 0) return undefined
  return (value, _old, run) => {
    const fitting = alternatives.filter((alternative) => run.fits(value, alternative)).length
    if (fitting === 1) return
    const found = fitting === 0 ? 'none valid' : `${fitting} valid alternatives`
    run.failAlternatives(`must validate one and only one schema (oneOf). Found ${found}`)
    if (fitting === 0) run.explainClosest(value, alternatives)
  }
}

function allOfThem(parts: readonly Part[]): Check | undefined {
  if (parts.length === 0) return undefined
  return (value, _old, run) => {
    const missed = parts.filter((part) => !run.fits(value, part))
    if (missed.length === 0) return
    for (const part of missed) run.explainClosest(value, [part])
    run.failAlternatives(`must validate all the schemas (allOf)${missed.length === parts.length ? '. None validated' : ''}`)
  }
}

function none(part: Part): Check {
  return (value, _old, run) => {
    if (run.fits(value, part)) run.failAlternatives('must not validate the schema (not)')
  }
}
