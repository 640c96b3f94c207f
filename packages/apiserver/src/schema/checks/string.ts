import { RE2JS } from 're2js'
import type { Keyword } from './run.ts'

/** `minLength`, `maxLength` and `pattern`. Only the first that fails is told. */
export const stringCheck: Keyword = (schema, kind) => {
  const { minLength = 0, maxLength = Infinity } = schema
  const pattern = schema.pattern === undefined || schema.pattern === '' ? undefined : compilePattern(schema.pattern)
  if (kind !== 'string' || (minLength <= 0 && maxLength === Infinity && pattern === undefined)) return undefined
  return (value, _old, run) => {
    if (typeof value !== 'string') return
    // Every character takes one or two code units, so most texts need not be counted.
    if (value.length > maxLength && characters(value) > maxLength) {
      run.failPlainly('TooLong', undefined, `may not be more than ${maxLength} bytes`)
    } else if (value.length < minLength * 2 && characters(value) < minLength) {
      run.fail('Invalid', value, `should be at least ${minLength} chars long`)
    } else if (pattern !== undefined && !pattern.matches(value)) {
      run.fail('Invalid', value, `should match '${pattern.text}'`)
    }
  }
}

function characters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

interface Pattern {
  readonly text: string
  matches(text: string): boolean
}

/** RE2 syntax, and its promise that no pattern is slow on any text: patterns come from whoever may create a kind. */
function compilePattern(text: string): Pattern {
  try {
    const expression = RE2JS.compile(text)
    return { text, matches: (value) => expression.test(value) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { text: `${text}, but pattern is invalid: ${why}`, matches: () => false }
  }
}
