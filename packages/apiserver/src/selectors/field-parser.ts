import { badRequest } from '../errors/api-error.ts'

/** One condition on one field: `metadata.name=a`. */
export interface FieldRequirement {
  readonly label: string
  readonly operator: '=' | '!='
  readonly value: string
}

const termOperators = ['!=', '==', '='] as const

/**
 * Reads `metadata.name=a,status.phase!=Running`; `\` escapes commas, equals signs and itself in values. The order is that of
 * the sorted terms, which decides which of several mistakes is told.
 *
 * Errors: 400 in the words of a real server.
 */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  return splitTerms(text)
    .toSorted()
    .filter((term) => term !== '')
    .map((term) => parseTerm(term, text))
}

function splitTerms(text: string): readonly string[] {
  const terms: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === ',') {
      terms.push(text.slice(start, at))
      start = at + 1
    }
  }
  terms.push(text.slice(start))
  return terms
}

function parseTerm(term: string, whole: string): FieldRequirement {
  for (let at = 0; at < term.length; at++) {
    const operator = termOperators.find((each) => term.startsWith(each, at))
    if (operator === undefined) continue
    const value = unescapeValue(term.slice(at + operator.length))
    return { label: term.slice(0, at), operator: operator === '!=' ? '!=' : '=', value }
  }
  throw badRequest(`invalid selector: '${whole}'; can't understand '${term}'`)
}

function unescapeValue(text: string): string {
  let value = ''
  const characters = Array.from(text)
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (character === ',' || character === '=') {
      throw badRequest(`invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`)
    }
    if (character !== '\\') {
      value += character
      continue
    }
    const escaped = characters[++at] ?? ''
    if (escaped === '' || !'\\,='.includes(escaped)) throw badRequest(`invalid field selector: invalid escape sequence: \\${escaped}`)
    value += escaped
  }
  return value
}
