import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'

/** One complaint about a document. */
interface Problem {
  readonly line: number
  readonly text: string
}

/** Thrown when a catalogue cannot be used. Names everything that is wrong with it, by line and field. */
export class InvalidCatalogueError extends Error {
  override readonly name = 'InvalidCatalogueError'
  readonly problems: readonly string[]

  constructor(file: string, problems: readonly string[], options?: ErrorOptions) {
    const list = problems.map((problem) => `\n  ${file}:${problem}`).join('')
    super(`the release catalogue ${file} cannot be used:${list}`, options)
    this.problems = problems
  }
}

/** A document on its way from text to values, with the complaints that came up so far. */
export class FieldSource {
  readonly root: Field
  readonly #file: string
  readonly #lines = new LineCounter()
  readonly #problems: Problem[] = []

  /** Errors: `InvalidCatalogueError` for what is no YAML. */
  constructor(text: string, file: string) {
    this.#file = file
    const document = parseDocument(text, { lineCounter: this.#lines })
    for (const error of document.errors) this.complain(error.pos[0], '', error.message.split('\n')[0] ?? 'is no YAML')
    this.root = new Field(this, document.contents, '', 0)
    this.throwIfAny()
  }

  complain(offset: number, path: string, problem: string): void {
    this.#problems.push({ line: this.#lines.linePos(offset).line, text: path === '' ? problem : `${path}: ${problem}` })
  }

  throwIfAny(): void {
    if (this.#problems.length === 0) return
    const sorted = this.#problems.toSorted((one, other) => one.line - other.line)
    throw new InvalidCatalogueError(
      this.#file,
      sorted.map(({ line, text }) => `${line}: ${text}`),
    )
  }
}

/**
 * A place in a YAML document that knows where it is. Reading the wrong kind of value is a complaint and gives an empty one, so that one
 * look at a document finds everything that is wrong with it.
 */
export class Field {
  readonly path: string
  readonly #source: FieldSource
  readonly #node: Node | null | undefined
  readonly #offset: number

  constructor(source: FieldSource, node: Node | null | undefined, path: string, parentOffset: number) {
    this.path = path
    this.#source = source
    this.#node = node
    this.#offset = node?.range?.[0] ?? parentOffset
  }

  get isPresent(): boolean {
    return this.#node !== null && this.#node !== undefined && !(isScalar(this.#node) && this.#node.value === null)
  }

  complain(problem: string): void {
    this.#source.complain(this.#offset, this.path, problem)
  }

  /** A field of an object; absent ones too. */
  at(key: string): Field {
    const node = isMap(this.#node) ? this.#node.get(key, true) : undefined
    return new Field(this.#source, node, this.path === '' ? key : `${this.path}.${key}`, this.#offset)
  }

  /** Complains about fields that nobody knows: a typing error would else be a setting that does nothing. */
  object(known: readonly string[]): this {
    if (!isMap(this.#node)) {
      this.complain(`must be an object with ${known.join(', ')}`)
      return this
    }
    for (const [key] of this.#entries()) {
      if (!known.includes(key)) this.at(key).complain(`is no known field; there are ${known.join(', ')}`)
    }
    return this
  }

  /** The elements of a list; none when it is absent. */
  list(): readonly Field[] {
    if (!this.isPresent) return []
    if (isSeq(this.#node)) {
      return this.#node.items.map((item, index) => new Field(this.#source, item as Node, `${this.path}[${index}]`, this.#offset))
    }
    this.complain('must be a list')
    return []
  }

  /** The entries of an object whose keys are free; none when it is absent. */
  entries(): readonly (readonly [string, Field])[] {
    if (!this.isPresent) return []
    if (isMap(this.#node)) return this.#entries()
    this.complain('must be an object')
    return []
  }

  /** A text, as it was written: `4.20` is not a number here, whose zero would not count. */
  text(): string {
    if (isScalar(this.#node) && this.isPresent) return this.#node.source ?? String(this.#node.value)
    this.complain(this.isPresent ? 'must be a text' : 'is missing')
    return ''
  }

  optionalText(): string | undefined {
    return this.isPresent ? this.text() : undefined
  }

  count(fallback: number, most: number): number {
    if (!this.isPresent) return fallback
    const text = this.text()
    if (/^\d+$/.test(text) && Number(text) <= most) return Number(text)
    this.complain(`must be a whole number up to ${most}`)
    return fallback
  }

  /** What `read` makes of the text; its error becomes the complaint. */
  parsed<T>(read: (text: string) => T): T | undefined {
    if (!this.isPresent) {
      this.complain('is missing')
      return undefined
    }
    try {
      return read(this.text())
    } catch (error) {
      this.complain(error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  #entries(): readonly (readonly [string, Field])[] {
    if (!isMap(this.#node)) return []
    return this.#node.items.map(({ key }) => {
      const name = isScalar(key) ? (key.source ?? String(key.value)) : String(key)
      return [name, this.at(name)] as const
    })
  }
}
