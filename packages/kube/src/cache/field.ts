/** After so many values a field is judged. */
const round = 256
/** Fewer than one in so many values known before: looking does not pay. */
const worthOneIn = 8
/** So many values pass before it is looked at again: fields change their habits, as when a fleet moves to a new release. */
const rest = 8_192
/** How many values of a field are kept to compare new ones with. */
const mostRecent = 8
/** Fields of one object that are told apart; in a map with more keys the rest are treated as one field. */
const mostFields = 64

/**
 * What was learned about the values of one field of one kind: `spec.release.image` has few, `metadata.uid` is never the same twice.
 * Nobody has to list which fields are worth sharing, and those that are not cost nothing.
 */
export class Field {
  readonly #fields = new Map<string, Field>()
  #element: Field | undefined
  readonly #recent: object[] = []
  #next = 0
  #seen = 0
  #known = 0
  #resting = 0

  /** The field inside of this one. */
  field(name: string): Field {
    const known = this.#fields.get(name)
    if (known !== undefined) return known
    const isOneOfMany = this.#fields.size >= mostFields
    const field = (isOneOfMany ? this.#fields.get('') : undefined) ?? new Field()
    this.#fields.set(isOneOfMany ? '' : name, field)
    return field
  }

  /** The elements of this list. */
  get element(): Field {
    this.#element ??= new Field()
    return this.#element
  }

  /** Whether to look for an equal value; called once for each value. */
  isWorthALook(): boolean {
    if (this.#resting === 0) return true
    this.#resting--
    return false
  }

  /** Says whether an equal value was there. */
  learn(wasKnown: boolean): void {
    this.#seen++
    if (wasKnown) this.#known++
    if (this.#seen < round) return
    if (this.#known * worthOneIn < this.#seen) {
      this.#resting = rest
      this.#recent.length = 0
      this.#next = 0
    }
    this.#seen = 0
    this.#known = 0
  }

  get recent(): readonly object[] {
    return this.#recent
  }

  remember(value: object): void {
    this.#recent[this.#next] = value
    this.#next = (this.#next + 1) % mostRecent
  }
}
