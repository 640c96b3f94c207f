import type { Json } from '../json.ts'

export type FilterOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'exists'

export type PathStep =
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'every' }
  | { readonly type: 'deep' }
  | { readonly type: 'slice'; readonly from: number | undefined; readonly to: number | undefined; readonly by: number }
  | { readonly type: 'union'; readonly parts: readonly (readonly PathStep[])[] }
  | {
      readonly type: 'filter'
      readonly left: readonly PathStep[]
      readonly operator: FilterOperator
      readonly right: { readonly literal: Json } | { readonly path: readonly PathStep[] } | undefined
    }

/** Thrown for a text that is no JSON path; the message says where it stops making sense. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError'
  readonly path: string

  constructor(path: string, why: string) {
    super(`${JSON.stringify(path)} is not a JSON path: ${why}`)
    this.path = path
  }
}

/** Reads a JSON path; braces around it and a leading `$` are optional. */
export function parsePath(text: string): readonly PathStep[] {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1] ?? text
  const steps: PathStep[] = []
  let rest = inner.trim().replace(/^\$/, '')
  while (rest !== '') {
    const { step, length } = nextStep(rest, text)
    steps.push(...step)
    rest = rest.slice(length)
  }
  return steps
}

function nextStep(rest: string, whole: string): { readonly step: readonly PathStep[]; readonly length: number } {
  if (rest.startsWith('..')) {
    const field = fieldName(rest.slice(2))
    return { step: [{ type: 'deep' }, ...field.steps], length: 2 + field.length }
  }
  if (rest.startsWith('.')) {
    const field = fieldName(rest.slice(1))
    if (field.length === 0 && rest.length > 1 && rest[1] !== '[')
      throw new JsonPathError(whole, `expected a name at ${JSON.stringify(rest)}`)
    return { step: field.steps, length: 1 + field.length }
  }
  if (rest.startsWith('[')) {
    const length = closingBracket(rest, whole)
    return { step: [bracket(rest.slice(1, length - 1), whole)].flat(), length }
  }
  throw new JsonPathError(whole, `expected [ or . but got: ${rest}`)
}

/** A name after a dot; a backslash keeps the character after it, so that names may hold dots. */
function fieldName(text: string): { readonly steps: readonly PathStep[]; readonly length: number } {
  let key = ''
  let at = 0
  while (at < text.length) {
    const character = text[at] ?? ''
    if (character === '\\' && at + 1 < text.length) {
      key += text[at + 1] ?? ''
      at += 2
      continue
    }
    if ('.[]{}()\'" \t\n'.includes(character)) break
    key += character
    at++
  }
  if (at === 0) return { steps: [], length: 0 }
  return { steps: [key === '*' ? { type: 'every' } : { type: 'key', key }], length: at }
}

/** The length of the bracketed part at the start of a text, brackets in quotes and inner brackets aside. */
function closingBracket(text: string, whole: string): number {
  let depth = 0
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '\\') at++
    else if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '[') depth++
    else if (character === ']' && --depth === 0) return at + 1
  }
  throw new JsonPathError(whole, `unterminated ${JSON.stringify(text)}`)
}

function bracket(text: string, whole: string): PathStep | readonly PathStep[] {
  const filter = /^\?\((.*)\)$/s.exec(text.trim())
  if (filter?.[1] !== undefined) return filterStep(filter[1], whole)
  const parts = splitOutsideQuotes(text, ',')
  if (parts.length > 1) return { type: 'union', parts: parts.map((part) => [bracket(part, whole)].flat()) }
  const inner = text.trim()
  if (inner === '*') return { type: 'every' }
  const quoted = /^'([^']*)'$/.exec(inner)?.[1] ?? /^"([^"]*)"$/.exec(inner)?.[1]
  // The dialect reads a quoted key as if it stood after a dot.
  if (quoted !== undefined) return parsePath(`.${quoted}`)
  const numbers = /^(-?\d*)(?:(:)(-?\d*)(?::(\d*))?)?$/.exec(inner)
  if (numbers === null || inner === '' || inner === '-') throw new JsonPathError(whole, `invalid array index ${inner}`)
  const from = integer(numbers[1])
  if (numbers[2] === undefined) return { type: 'slice', from, to: from === undefined || from === -1 ? undefined : from + 1, by: 1 }
  return { type: 'slice', from, to: integer(numbers[3]), by: Math.max(1, integer(numbers[4]) ?? 1) }
}

function integer(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text)
}

function filterStep(text: string, whole: string): PathStep {
  const match = /^\s*(@(?:[^=!<>"']|"[^"]*"|'[^']*')*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.+?))?\s*$/s.exec(text)
  if (match?.[1] === undefined) throw new JsonPathError(whole, `unrecognized filter ${JSON.stringify(text)}`)
  const left = parsePath(match[1].slice(1))
  if (match[2] === undefined || match[3] === undefined) return { type: 'filter', left, operator: 'exists', right: undefined }
  return { type: 'filter', left, operator: comparison(match[2], whole), right: operand(match[3], whole) }
}

function comparison(text: string, whole: string): FilterOperator {
  if (text === '==' || text === '!=' || text === '<' || text === '<=' || text === '>' || text === '>=') return text
  throw new JsonPathError(whole, `unrecognized operator ${text}`)
}

function operand(text: string, whole: string): { readonly literal: Json } | { readonly path: readonly PathStep[] } {
  if (text.startsWith('@')) return { path: parsePath(text.slice(1)) }
  const quoted = /^"(.*)"$/s.exec(text)?.[1] ?? /^'(.*)'$/s.exec(text)?.[1]
  if (quoted !== undefined) return { literal: quoted.replaceAll(/\\(.)/g, '$1') }
  if (text === 'true' || text === 'false') return { literal: text === 'true' }
  if (/^[-+]?\d+(?:\.\d+)?$/.test(text)) return { literal: Number(text) }
  throw new JsonPathError(whole, `unrecognized value ${JSON.stringify(text)}`)
}

function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  const parts: string[] = []
  let quote = ''
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === separator) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}
