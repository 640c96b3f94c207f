import type { FieldError, FieldErrorType, GoText } from '../../errors/field-error.ts'
import type { Json } from '../../json.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { Kind } from '../kind.ts'
import { Place } from '../place.ts'

/** What a keyword has to say about values of one kind; `undefined` if nothing. `part` gives the check of a part of the schema. */
export type Keyword = (schema: JsonSchema, kind: Kind, part: (schema: JsonSchema) => Part) => Check | undefined

/** A part of a schema, which may be compiled only when a value gets there: always ask for its check anew. */
export interface Part {
  readonly check: Check
}

/**
 * Judges one value. `old` is the stored value it replaces: what was wrong before may stay wrong (see `node.ts`). It is `undefined` where
 * there is none or where it cannot be told which one it is.
 */
export type Check = (value: Json, old: Json | undefined, run: Run) => void

/** Stands for a complaint that nobody will read. */
const unspoken: FieldError = { type: 'Invalid', field: '', detail: '' }

/** One validation of one value: where it stands and what it found. */
export class Run {
  readonly errors: FieldError[] = []
  readonly place = new Place()
  /** How much has matched so far; decides which alternative of an `anyOf` is explained when none fits. */
  score = 0
  /** Where the value stands that is validated, as a field: empty for a whole object. Messages name paths from the value on. */
  readonly #origin: string
  #isSilent = false

  constructor(origin: string) {
    this.#origin = origin
  }

  /** A complaint about the current place. The text of `detail` follows its path: `spec.replicas in body <detail>`. */
  fail(type: FieldErrorType, value: Json | GoText, detail: string): void {
    if (this.#isSilent) return this.#count()
    const path = this.place.toString()
    this.errors.push({ type, field: this.#field(path), value, detail: `${path} in body ${detail}` })
  }

  /** A complaint about the current place whose message needs no path. */
  failPlainly(type: FieldErrorType, value: Json | GoText | undefined, detail: string): void {
    if (this.#isSilent) return this.#count()
    const field = this.#field(this.place.toString())
    this.errors.push(value === undefined ? { type, field, detail } : { type, field, value, detail })
  }

  failMissing(name: string): void {
    this.place.enter(name)
    this.failPlainly('Required', undefined, '')
    this.place.leave()
  }

  /** A complaint about a field that may not be there, made about the object that has it. */
  failForbidden(name: string): void {
    if (this.#isSilent) return this.#count()
    const path = this.place.toString()
    this.errors.push({ type: 'Invalid', field: this.#field(path), value: name, detail: `${path}.${name} in body is a forbidden property` })
  }

  /** A complaint about how alternatives matched: it belongs to the whole and names the place in quotes. */
  failAlternatives(detail: string): void {
    if (this.#isSilent) return this.#count()
    const place = JSON.stringify(this.place.toString())
    this.errors.push({ type: 'Invalid', field: this.#field(''), value: '', detail: `${place} ${detail}` })
  }

  /** Takes back the errors found since there were `count` of them. */
  takeBack(count: number): readonly FieldError[] {
    return this.errors.splice(count)
  }

  /** Whether a value would pass. Most alternatives that do not fit are never talked about, so no message is made. */
  fits(value: Json, alternative: Part): boolean {
    const wasSilent = this.#isSilent
    const { score } = this
    const before = this.errors.length
    this.#isSilent = true
    alternative.check(value, undefined, this)
    this.#isSilent = wasSilent
    this.score = score
    const fits = this.errors.length === before
    this.errors.length = before
    return fits
  }

  /** When no alternative fits, the one that came closest is explained. */
  explainClosest(value: Json, alternatives: readonly Part[]): void {
    if (this.#isSilent) return
    const { score } = this
    const before = this.errors.length
    let best: { readonly errors: readonly FieldError[]; readonly score: number } | undefined
    for (const alternative of alternatives) {
      this.score = 0
      alternative.check(value, undefined, this)
      const errors = this.takeBack(before)
      if (best === undefined || this.score > best.score) best = { errors, score: this.score }
    }
    this.score = score
    for (const error of best?.errors ?? []) this.errors.push(error)
  }

  #count(): void {
    this.errors.push(unspoken)
  }

  /** What was found. A complaint that several alternatives made is told once. */
  findings(): readonly FieldError[] {
    const distinct = new Map<string, FieldError>()
    for (const error of this.errors) {
      const identity = `${error.type} ${error.field} ${error.detail}`
      if (!distinct.has(identity)) distinct.set(identity, error)
    }
    return [...distinct.values()]
  }

  #field(path: string): string {
    if (this.#origin === '') return path === '' ? '<nil>' : path
    return path === '' ? this.#origin : `${this.#origin}.${path}`
  }
}
