import { RE2JS } from 're2js'
import { EvaluationError } from '../errors.ts'
import { fn, method, type Overload } from '../overload.ts'
import { bool, int, list, string } from '../types.ts'
import { ListValue } from '../values.ts'

const mostKept = 1000
const compiled = new Map<string, RE2JS>()

/** RE2 as in Go: linear time whatever the pattern. Compiled patterns are kept. */
export function regularExpression(pattern: string): RE2JS {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const expression = RE2JS.compile(pattern)
  if (compiled.size >= mostKept) compiled.clear()
  compiled.set(pattern, expression)
  return expression
}

function use<T>(pattern: string, work: (expression: RE2JS) => T): T {
  let expression: RE2JS
  try {
    expression = regularExpression(pattern)
  } catch (error) {
    throw new EvaluationError(error instanceof Error ? error.message : String(error))
  }
  return work(expression)
}

function find(text: string, pattern: string): string {
  return use(pattern, (expression) => {
    const matcher = expression.matcher(text)
    return matcher.find() ? (matcher.group() ?? '') : ''
  })
}

function findAll(text: string, pattern: string, atMost = -1n): ListValue {
  return use(pattern, (expression) => {
    const most = atMost < 0n ? Infinity : Number(atMost)
    const found: string[] = []
    const matcher = expression.matcher(text)
    while (found.length < most && matcher.find()) found.push(matcher.group() ?? '')
    return new ListValue(found)
  })
}

const matches = (text: string, pattern: string): boolean => use(pattern, (expression) => expression.test(text))

export const regularExpressions: readonly Overload[] = [
  fn('matches', [string, string], bool, matches),
  method('matches', [string, string], bool, matches),
  method('find', [string, string], string, find),
  method('findAll', [string, string], list(string), (x, y) => findAll(x, y)),
  method('findAll', [string, string, int], list(string), findAll),
]
