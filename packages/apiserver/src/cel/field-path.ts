import type { JsonSchema } from '../schema/json-schema.ts'

export interface FoundField {
  /** As in error messages: `metadata.labels[app]`. */
  readonly path: string
  readonly root: string
  readonly schema: JsonSchema
}

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
}

/**
 * Follows a path like `.spec.foo` or `.labels['app']` through a schema. Answers why that does not work as text.
 *
 * @param allowsBrackets selectable fields may not use `[…]`
 */
export function findField(path: string, schema: JsonSchema, allowsBrackets = true): FoundField | string {
  const tokens = tokenize(path)
  let current = schema
  let text = ''
  let root = ''
  let at = 0
  while (at < tokens.length) {
    const opening = tokens[at]
    if (opening !== '.' && opening !== '[') return `expected [ or . but got: ${opening}`
    if (opening === '[' && !allowsBrackets) return 'array notation is not allowed'
    const token = tokens[at + 1]
    if (token === undefined) return 'unexpected end of JSON path'
    const name = opening === '[' ? unquote(token) : { text: token }
    if ('problem' in name) return name.problem
    const next = step(current, name.text)
    if (next === undefined) return 'does not refer to a valid field'
    if (opening === '[') {
      const closing = tokens[at + 2]
      if (closing === undefined) return 'unexpected end of JSON path'
      if (closing !== ']') return `expected ] but got ${closing}`
    }
    text += next.isNamed ? (text === '' ? name.text : `.${name.text}`) : `[${name.text}]`
    if (root === '') root = name.text
    current = next.schema
    at += opening === '[' ? 3 : 2
  }
  return { path: text, root, schema: current }
}

/** The delimiters `.`, `[`, `]`, quoted strings, and what is between them. */
function tokenize(path: string): readonly string[] {
  return path.match(/'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]']+|'/g) ?? []
}

function unquote(token: string): { readonly text: string } | { readonly problem: string } {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'"))
    return { problem: `expected single quoted string but got ${token}` }
  const inside = token.slice(1, -1)
  const unknown = inside.match(/\\./g)?.find((escape) => escapes[escape[1] ?? ''] === undefined)
  if (unknown !== undefined) return { problem: `invalid string literal: invalid escape char ${unknown}` }
  return { text: inside.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter) }
}

function step(schema: JsonSchema, name: string): { readonly schema: JsonSchema; readonly isNamed: boolean } | undefined {
  if (schema.properties !== undefined && Object.keys(schema.properties).length > 0) {
    const found = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    return found === undefined ? undefined : { schema: found, isNamed: true }
  }
  const values = schema.additionalProperties
  return typeof values === 'object' ? { schema: values, isNamed: false } : undefined
}
