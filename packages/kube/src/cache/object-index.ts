import type { Extract } from './cache.ts'
import type { Place } from './object-store.ts'

const none: readonly string[] = []

/** Finds objects by values that a function makes of them. */
export class ObjectIndex<T> {
  readonly #extract: Extract<T>
  readonly #onProblem: (error: unknown, object: T) => void
  readonly #places = new Map<string, Set<Place<T>>>()

  constructor(extract: Extract<T>, onProblem: (error: unknown, object: T) => void) {
    this.#extract = extract
    this.#onProblem = onProblem
  }

  /** Follows a place whose object has changed; `old` is what was there, if anything. */
  update(place: Place<T>, old: T | undefined): void {
    const before = old === undefined ? none : this.#values(old)
    const after = this.#values(place.object)
    if (areSame(before, after)) return
    for (const value of before) if (!after.includes(value)) this.#take(value, place)
    for (const value of after) this.#give(value, place)
  }

  remove(place: Place<T>): void {
    for (const value of this.#values(place.object)) this.#take(value, place)
  }

  places(value: string): ReadonlySet<Place<T>> {
    return this.#places.get(value) ?? emptySet
  }

  /** A function that fails must not stop the cache: what it fails for is in no list of the index. */
  #values(object: T): readonly string[] {
    try {
      return this.#extract(object)
    } catch (error) {
      this.#onProblem(error, object)
      return none
    }
  }

  #give(value: string, place: Place<T>): void {
    const places = this.#places.get(value)
    if (places === undefined) this.#places.set(value, new Set([place]))
    else places.add(place)
  }

  #take(value: string, place: Place<T>): void {
    const places = this.#places.get(value)
    places?.delete(place)
    if (places?.size === 0) this.#places.delete(value)
  }
}

const emptySet: ReadonlySet<never> = new Set()

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}

/** Objects that are in all of the sets: those of the smallest that the others have too. */
export function intersection<T>(sets: readonly ReadonlySet<Place<T>>[]): readonly T[] {
  const [smallest, ...others] = sets.toSorted((a, b) => a.size - b.size)
  const found: T[] = []
  for (const place of smallest ?? []) if (others.every((other) => other.has(place))) found.push(place.object)
  return found
}
