import { UnreadableBody } from './unreadable-body.ts'

/**
 * How deep objects and lists may nest. A real server stops at 10,000; recursive functions of this process would run out of stack
 * long before (JSON.stringify does at about 4,000), and nothing that people write nests more than a few dozen levels.
 */
export const deepestNesting = 1000

/**
 * Reads JSON text for what JSON.parse does not tell: keys written twice, with their paths, and where and why a text is not JSON.
 * The sentences are those of Go's reader, which clients have seen before.
 */
export class JsonScanner {
  readonly #text: string
  /** Keys and indexes on the way to the present value. */
  readonly #path: (string | number)[] = []
  readonly #duplicates = new Set<string>()
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Paths of the keys that occur more than once in their object, each once. Throws UnreadableBody. */
  duplicates(): readonly string[] {
    this.#value()
    if (this.#next() !== endOfText) this.#fail('after top-level value')
    return [...this.#duplicates]
  }

  #value(): void {
    const code = this.#next()
    if (code === 0x22) this.#string()
    else if (code === 0x7b) this.#object()
    else if (code === 0x5b) this.#array()
    else if (code === 0x74) this.#literal('true')
    else if (code === 0x66) this.#literal('false')
    else if (code === 0x6e) this.#literal('null')
    else if (code === 0x2d || isDigit(code)) this.#number()
    else this.#fail('looking for beginning of value')
  }

  #object(): void {
    const depth = this.#enter()
    if (this.#take(0x7d)) return this.#leave()
    const keys = new Set<string>()
    do {
      if (this.#next() !== 0x22) this.#fail('looking for beginning of object key string')
      const key = this.#string()
      this.#path[depth] = key
      if (keys.has(key)) this.#duplicates.add(pathText(this.#path))
      keys.add(key)
      if (!this.#take(0x3a)) this.#fail('after object key')
      this.#value()
    } while (this.#take(0x2c))
    if (!this.#take(0x7d)) this.#fail('after object key:value pair')
    return this.#leave()
  }

  #array(): void {
    const depth = this.#enter()
    if (this.#take(0x5d)) return this.#leave()
    let index = 0
    do {
      this.#path[depth] = index++
      this.#value()
    } while (this.#take(0x2c))
    if (!this.#take(0x5d)) this.#fail('after array element')
    return this.#leave()
  }

  #enter(): number {
    if (this.#path.length >= deepestNesting) throw new UnreadableBody('exceeded max depth')
    this.#at++
    return this.#path.push('') - 1
  }

  #leave(): void {
    this.#path.pop()
  }

  #string(): string {
    const start = this.#at + 1
    let isPlain = true
    for (this.#at = start; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === 0x22) break
      if (code === 0x5c) {
        isPlain = false
        this.#escape()
      } else if (!(code >= 0x20)) this.#fail('in string literal')
    }
    const content = this.#text.slice(start, this.#at++)
    if (isPlain) return content
    const unescaped: unknown = JSON.parse(`"${content}"`)
    return String(unescaped)
  }

  #escape(): void {
    const escape = this.#text[++this.#at]
    if (escape === undefined || !'"\\/bfnrtu'.includes(escape)) this.#fail('in string escape code')
    if (escape !== 'u') return
    for (let digit = 0; digit < 4; digit++) {
      this.#at++
      if (!/^[0-9a-fA-F]$/.test(this.#text[this.#at] ?? '')) this.#fail('in \\u hexadecimal character escape')
    }
  }

  #number(): void {
    this.#skip(0x2d)
    if (!this.#skip(0x30) && !this.#digits()) this.#fail('in numeric literal')
    if (this.#skip(0x2e) && !this.#digits()) this.#fail('after decimal point in numeric literal')
    if (!this.#skip(0x65) && !this.#skip(0x45)) return
    if (!this.#skip(0x2b)) this.#skip(0x2d)
    if (!this.#digits()) this.#fail('in exponent of numeric literal')
  }

  #digits(): boolean {
    const start = this.#at
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at++
    return this.#at > start
  }

  #literal(word: string): void {
    for (let index = 0; index < word.length; index++) {
      if (!this.#skip(word.charCodeAt(index))) this.#fail(`in literal ${word} (expecting '${word[index]}')`)
    }
  }

  /** Goes on if the next character that is no space is this one. */
  #take(code: number): boolean {
    return this.#next() === code && this.#skip(code)
  }

  /** Goes on if this is the very next character. */
  #skip(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false
    this.#at++
    return true
  }

  /** The next character that is no space. */
  #next(): number {
    for (; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x09 && code !== 0x0d) return Number.isNaN(code) ? endOfText : code
    }
  }

  #fail(context: string): never {
    const point = this.#text.codePointAt(this.#at)
    if (point === undefined) throw new UnreadableBody('unexpected end of JSON input')
    const character = String.fromCodePoint(point)
    const quoted =
      character === "'"
        ? String.raw`'\''`
        : `'${JSON.stringify(character)
            .slice(1, -1)
            .replace(String.raw`\"`, '"')}'`
    throw new UnreadableBody(`invalid character ${quoted} ${context}`)
  }
}

const endOfText = -1

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** `spec.list[0].name`. */
function pathText(path: readonly (string | number)[]): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('')
}
