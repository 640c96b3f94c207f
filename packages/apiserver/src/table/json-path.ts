import { isArray, isObject, type Json } from '../json.ts'
import { parsePath, type FilterOperator, type PathStep } from './json-path-parser.ts'

/** All values a path finds, in the order of the document; empty when there are none. */
export type FindValues = (value: Json | undefined) => readonly Json[]

const compiled = new Map<string, FindValues>()
const mostCompiled = 10_000

/**
 * Compiles a JSON path of the dialect Kubernetes uses for printer columns, selectable fields and scale subresources:
 * `.spec.replicas`, `.status.conditions[?(@.type=="Ready")].status`, `.spec.list[0]`, `['key']`, `[*]`, `[1:3]`, `..name`.
 * The result is kept, so that asking again costs a lookup.
 *
 * Errors: JsonPathError for texts that are no path.
 *
 * Caveat: a quoted key is split at its dots, as in a real server; `['a\.b']` names the key `a.b`.
 */
export function compilePath(text: string): FindValues {
  const known = compiled.get(text)
  if (known !== undefined) return known
  const find = chain(parsePath(text))
  if (compiled.size >= mostCompiled) compiled.clear()
  compiled.set(text, find)
  return find
}

/** Whether a text is a path that can be compiled. */
export function isPath(text: string): boolean {
  try {
    compilePath(text)
    return true
  } catch {
    return false
  }
}

function chain(steps: readonly PathStep[]): FindValues {
  const keys = steps.flatMap((step) => (step.type === 'key' ? [step.key] : []))
  if (keys.length === steps.length) return followKeys(keys)
  const walks = steps.map(stepWalk)
  return (value) => {
    let found: readonly Json[] = value === undefined ? [] : [value]
    for (const walk of walks) {
      if (found.length === 0) break
      found = found.flatMap(walk)
    }
    return found
  }
}

/** The usual case, without lists in between. */
function followKeys(keys: readonly string[]): FindValues {
  return (value) => {
    let here = value
    for (const key of keys) {
      if (!isObject(here) || !Object.hasOwn(here, key)) return []
      here = here[key]
    }
    return here === undefined ? [] : [here]
  }
}

function stepWalk(step: PathStep): (value: Json) => readonly Json[] {
  if (step.type === 'key') return followKeys([step.key])
  if (step.type === 'every') return children
  if (step.type === 'deep') return descendants
  if (step.type === 'slice') return (value) => (isArray(value) ? slice(value, step.from, step.to, step.by) : [])
  if (step.type === 'union') {
    const parts = step.parts.map(chain)
    return (value) => parts.flatMap((part) => part(value))
  }
  const left = chain(step.left)
  const right = step.right === undefined ? undefined : 'literal' in step.right ? constant(step.right.literal) : chain(step.right.path)
  return (value) => children(value).filter((item) => passes(left(item), step.operator, right?.(item)))
}

function children(value: Json): readonly Json[] {
  if (isArray(value)) return value
  return isObject(value) ? Object.values(value) : []
}

function descendants(value: Json): readonly Json[] {
  return [value, ...children(value).flatMap(descendants)]
}

function slice(list: readonly Json[], from: number | undefined, to: number | undefined, by: number): readonly Json[] {
  const start = fromEnd(from ?? 0, list.length)
  const end = Math.min(to === undefined ? list.length : fromEnd(to, list.length), list.length)
  const found: Json[] = []
  for (let index = start; index < end; index += by) {
    const item = index < 0 ? undefined : list[index]
    if (item !== undefined) found.push(item)
  }
  return found
}

function fromEnd(index: number, length: number): number {
  return index < 0 ? index + length : index
}

function constant(literal: Json): FindValues {
  return () => [literal]
}

/** Values of different types are never equal and have no order. */
function passes(left: readonly Json[], operator: FilterOperator, right: readonly Json[] | undefined): boolean {
  const a = left[0]
  if (right === undefined) return a !== undefined
  const b = right[0]
  if (a === undefined || b === undefined) return false
  if (operator === '==') return a === b
  if (operator === '!=') return a !== b
  const isOrdered = (typeof a === 'string' && typeof b === 'string') || (typeof a === 'number' && typeof b === 'number')
  if (!isOrdered) return false
  if (operator === '<') return a < b
  if (operator === '<=') return a <= b
  return operator === '>' ? a > b : a >= b
}
