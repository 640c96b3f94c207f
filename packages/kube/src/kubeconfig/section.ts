import { load } from 'js-yaml'
import { KubeconfigError } from './kubeconfig-error.ts'

/** A mapping in a kubeconfig that knows what it is called, for the sentences about what is wrong with it. */
export class Section {
  readonly name: string
  readonly #entries: ReadonlyMap<string, unknown>

  constructor(value: unknown, name: string) {
    this.name = name
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.broken('is not a mapping')
    this.#entries = new Map(Object.entries(value))
  }

  /** The whole of a file; `name` is where it came from: `the kubeconfig /home/me/.kube/config`. */
  static parse(content: string, name: string): Section {
    try {
      // An empty file is a kubeconfig without anything in it, as with kubectl.
      return new Section(content.trim() === '' ? {} : load(content), name)
    } catch (error) {
      if (error instanceof KubeconfigError) throw error
      // Only the reason, and not the error itself: it quotes lines of a file that holds secrets.
      const reason = error instanceof Error && 'reason' in error ? String(error.reason) : 'it cannot be parsed'
      throw new KubeconfigError(`${name} is no YAML: ${reason}`)
    }
  }

  broken(problem: string, options?: ErrorOptions): KubeconfigError {
    return new KubeconfigError(`${this.name} ${problem}`, options)
  }

  has(key: string): boolean {
    return (this.#entries.get(key) ?? undefined) !== undefined
  }

  /** Text under the key; absent and empty are the same. */
  text(key: string): string | undefined {
    const value = this.#entries.get(key) ?? ''
    if (typeof value !== 'string') throw this.broken(`has a value for ${key} that is no text`)
    return value === '' ? undefined : value
  }

  required(key: string): string {
    const value = this.text(key)
    if (value === undefined) throw this.broken(`has no ${key}`)
    return value
  }

  flag(key: string): boolean {
    const value = this.#entries.get(key) ?? false
    if (typeof value !== 'boolean') throw this.broken(`has a value for ${key} that is neither true nor false`)
    return value
  }

  texts(key: string): readonly string[] {
    const values = this.#entries.get(key) ?? []
    if (!isListOf(values, (value) => typeof value === 'string')) throw this.broken(`has a value for ${key} that is no list of texts`)
    return values as readonly string[]
  }

  /** The mapping under the key; an empty one when there is none. */
  section(key: string): Section {
    return new Section(this.#entries.get(key) ?? {}, `${this.name}: ${key}`)
  }

  keys(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /** The entries of a list of mappings. */
  sections(key: string): readonly Section[] {
    const values = this.#entries.get(key) ?? []
    if (!Array.isArray(values)) throw this.broken(`has a value for ${key} that is no list`)
    return values.map((value: unknown) => new Section(value, `${this.name}: an entry of ${key}`))
  }

  /** The entries of a list of `{ name, <kind>: … }`, as `<kind> <name>`. */
  named(list: string, kind: string): ReadonlyMap<string, Section> {
    const found = new Map<string, Section>()
    for (const entry of this.sections(list)) {
      const name = entry.required('name')
      // Of several with one name the first counts, as with kubectl.
      if (!found.has(name)) found.set(name, new Section(entry.#entries.get(kind) ?? {}, `${this.name}: ${kind} ${name}`))
    }
    return found
  }

  /** PEM under `<key>-data`, which is in base64. */
  pem(key: string): string | undefined {
    const encoded = this.text(`${key}-data`)
    if (encoded === undefined) return undefined
    const decoded = Buffer.from(encoded, 'base64').toString()
    if (!decoded.includes('-----BEGIN ')) throw this.broken(`has a value for ${key}-data that is not PEM in base64`)
    return decoded
  }
}

function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is)
}
