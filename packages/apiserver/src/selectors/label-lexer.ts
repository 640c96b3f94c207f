export type TokenType = 'identifier' | 'in' | 'notin' | '=' | '==' | '!=' | '>' | '<' | '!' | '(' | ')' | ',' | 'end'

export interface Token {
  readonly type: TokenType
  readonly text: string
}

const symbols: readonly TokenType[] = ['==', '!=', '=', '!', '(', ')', ',', '>', '<']
const isSpace = /[ \t\r\n]/
const isSymbol = /[=!(),><]/

/** Splits a label selector into words and symbols. Never fails: what makes no sense is left to the parser. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const character = text[at] ?? ''
    if (isSpace.test(character)) {
      at++
      continue
    }
    const symbol = symbols.find((each) => text.startsWith(each, at))
    if (symbol !== undefined) {
      tokens.push({ type: symbol, text: symbol })
      at += symbol.length
      continue
    }
    const start = at
    while (at < text.length && !isSpace.test(text[at] ?? '') && !isSymbol.test(text[at] ?? '')) at++
    const word = text.slice(start, at)
    tokens.push({ type: word === 'in' || word === 'notin' ? word : 'identifier', text: word })
  }
  tokens.push({ type: 'end', text: '' })
  return tokens
}
