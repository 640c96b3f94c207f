import { badRequest } from '../errors/api-error.ts'
import { type Token, tokensOf, type TokenType } from './label-lexer.ts'
import { keyProblem, type LabelOperator, type LabelRequirement, requirementProblem } from './label-requirement.ts'

/** Thrown inside a requirement; the sentence around it is added where it is caught. */
class RequirementError extends Error {}

const operators: ReadonlyMap<TokenType, LabelOperator> = new Map([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '='],
  ['!=', '!='],
  ['>', '>'],
  ['<', '<'],
])

/**
 * Reads `zone in (a,b),!old,tier=web`. An empty text has no requirements and selects everything.
 *
 * Errors: 400 in the words of a real server.
 */
export function parseLabelRequirements(text: string): readonly LabelRequirement[] {
  const parser = new LabelParser(text)
  try {
    return parser.requirements()
  } catch (error) {
    if (error instanceof RequirementError) throw badRequest(`unable to parse requirement: ${error.message}`)
    throw error
  }
}

class LabelParser {
  readonly #tokens: readonly Token[]
  #position = 0

  constructor(text: string) {
    this.#tokens = tokensOf(text)
  }

  requirements(): readonly LabelRequirement[] {
    const found: LabelRequirement[] = []
    for (;;) {
      const first = this.#lookAhead()
      if (first.type === 'end') return found
      if (first.type !== 'identifier' && first.type !== '!') {
        throw badRequest(`found '${first.text}', expected: !, identifier, or 'end of string'`)
      }
      found.push(this.#requirement())
      const after = this.#consume()
      if (after.type === 'end') return found
      if (after.type !== ',') throw badRequest(`found '${after.text}', expected: ',' or 'end of string'`)
      const next = this.#lookAhead()
      if (next.type !== 'identifier' && next.type !== '!') throw badRequest(`found '${next.text}', expected: identifier after ','`)
    }
  }

  #requirement(): LabelRequirement {
    const isNegated = this.#lookAhead().type === '!'
    if (isNegated) this.#consume()
    const token = this.#consume()
    if (token.type !== 'identifier') throw new RequirementError(`found '${token.text}', expected: identifier`)
    const key = token.text
    const wrongKey = keyProblem(key, '<nil>')
    if (wrongKey !== undefined) throw new RequirementError(wrongKey)
    const next = this.#lookAhead().type
    if (isNegated) return { key, operator: '!', values: [] }
    if (next === 'end' || next === ',') return { key, operator: 'exists', values: [] }
    const operator = this.#operator()
    const values = operator === 'in' || operator === 'notin' ? this.#set() : [this.#exactValue()]
    const requirement: LabelRequirement = { key, operator, values }
    const problem = requirementProblem(requirement)
    if (problem !== undefined) throw new RequirementError(problem)
    return requirement
  }

  #operator(): LabelOperator {
    // Not through #consume: only here `in` and `notin` are words of the language.
    const token = this.#at(this.#position++)
    const operator = operators.get(token.type)
    if (operator === undefined) throw new RequirementError(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`)
    return operator
  }

  #set(): readonly string[] {
    const open = this.#consume()
    if (open.type !== '(') throw new RequirementError(`found '${open.text}' expected: '('`)
    const first = this.#lookAhead()
    if (first.type === ')') {
      this.#consume()
      return ['']
    }
    if (first.type !== 'identifier' && first.type !== ',') {
      throw new RequirementError(`found '${first.text}', expected: ',', ')' or identifier`)
    }
    const values = new Set<string>()
    for (;;) {
      const token = this.#lookAhead()
      if (token.type === 'identifier') values.add(this.#consume().text)
      // `(a,)`, `(,a)` and `(a,,b)` name the empty value too.
      else if (token.type === ',' || token.type === ')') values.add('')
      else throw new RequirementError(`found '${token.text}', expected: ',', or identifier`)
      const separator = this.#consume()
      if (separator.type === ')') return [...values].toSorted()
      if (separator.type !== ',') throw new RequirementError(`found '${separator.text}', expected: ',' or ')'`)
    }
  }

  #exactValue(): string {
    const next = this.#lookAhead()
    if (next.type === 'end' || next.type === ',') return ''
    this.#consume()
    if (next.type !== 'identifier') throw new RequirementError(`found '${next.text}', expected: identifier`)
    return next.text
  }

  #lookAhead(): Token {
    return asWord(this.#at(this.#position))
  }

  #consume(): Token {
    return asWord(this.#at(this.#position++))
  }

  #at(position: number): Token {
    return this.#tokens[position] ?? { type: 'end', text: '' }
  }
}

/** `in` and `notin` are good names for labels and values. */
function asWord(token: Token): Token {
  return token.type === 'in' || token.type === 'notin' ? { type: 'identifier', text: token.text } : token
}
