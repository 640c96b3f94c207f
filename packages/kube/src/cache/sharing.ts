import { equalJson } from '../objects/equal.ts'
import { Field } from './field.ts'
import type { StringTable } from './string-table.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Makes objects share what they have in common: with how they were before, and with others of their kind.
 *
 * What an object says does not change, only whether equal parts are the same part. That saves much of the memory of a large cache, and
 * whoever asks whether `spec` has changed has the answer in one comparison of pointers.
 */
export class Sharing {
  readonly #strings: StringTable
  readonly #root = new Field()

  constructor(strings: StringTable) {
    this.#strings = strings
  }

  /** The object with its parts shared; `old` is how it was before. Whole objects are not compared: no two are equal. */
  share<T extends object>(object: T, old: T | undefined): T
  share(object: Fields, old: Fields | undefined): Fields {
    return this.#shareFields(object, this.#root, old)
  }

  #shareFields(value: Fields, field: Field, old: Fields | undefined): Fields {
    let copy: Record<string, unknown> | undefined
    for (const name in value) {
      const part = value[name]
      if (!this.#isShareable(part)) continue
      const shared = this.#replacement(part, field.field(name), old?.[name])
      if (shared !== undefined) (copy ??= { ...value })[name] = shared
    }
    return copy ?? value
  }

  #shareElements(value: readonly unknown[], element: Field, old: readonly unknown[] | undefined): readonly unknown[] {
    let copy: unknown[] | undefined
    for (let index = 0; index < value.length; index++) {
      const part = value[index]
      if (!this.#isShareable(part)) continue
      const shared = this.#replacement(part, element, old?.[index])
      if (shared !== undefined) (copy ??= value.slice())[index] = shared
    }
    return copy ?? value
  }

  #isShareable(part: unknown): part is string | object {
    return typeof part === 'string' ? this.#strings.takes(part) : typeof part === 'object' && part !== null
  }

  /** What to put in its place, or undefined: the code cannot see for itself whether two equal strings are one. */
  #replacement(part: string | object, field: Field, old: unknown): unknown {
    if (typeof part === 'string') return part === old ? old : this.#known(part, field)
    const shared = this.#share(part, field, old)
    return shared === part ? undefined : shared
  }

  #known(text: string, field: Field): string | undefined {
    if (!field.isWorthALook()) return undefined
    const known = this.#strings.find(text)
    field.learn(known !== undefined)
    return known
  }

  #share(value: object, field: Field, old: unknown): object {
    if (isObject(old) && equalJson(old, value)) return old
    if (!field.isWorthALook()) return this.#shareInside(value, field, old)
    const known = field.recent.find((recent) => equalJson(recent, value))
    field.learn(known !== undefined)
    if (known !== undefined) return known
    const shared = this.#shareInside(value, field, old)
    field.remember(shared)
    return shared
  }

  #shareInside(value: object, field: Field, old: unknown): object {
    if (Array.isArray(value)) return this.#shareElements(value, field.element, Array.isArray(old) ? old : undefined)
    return this.#shareFields(value as Fields, field, isObject(old) ? (old as Fields) : undefined)
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
