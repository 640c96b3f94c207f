/** What an entry of a `LinkedList` carries. */
export interface Linked<T extends Linked<T>> {
  /** The list that it is in. */
  list: LinkedList<T> | undefined
  previous: T | undefined
  next: T | undefined
}

/**
 * A first-in, first-out list whose entries carry their own places, so that one leaves from the middle as cheaply as from the front. (A `Set`
 * keeps order too, but to find its first entry after many have left is to walk over the holes.)
 */
export class LinkedList<T extends Linked<T>> {
  #first: T | undefined
  #last: T | undefined

  get first(): T | undefined {
    return this.#first
  }

  push(entry: T): void {
    entry.list = this
    entry.previous = this.#last
    if (this.#last === undefined) this.#first = entry
    else this.#last.next = entry
    this.#last = entry
  }

  /** Does nothing to an entry of another list, or of none. */
  remove(entry: T): void {
    if (entry.list !== this) return
    const { previous, next } = entry
    if (previous === undefined) this.#first = next
    else previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    entry.list = undefined
    entry.previous = undefined
    entry.next = undefined
  }
}
