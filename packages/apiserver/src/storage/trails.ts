import type { ByteString } from './byte-string.ts'
import { resourceOf } from './key-space.ts'

/**
 * Which revisions changed which resource: eight bytes for each change. With it, going back in time for one resource does not pay
 * for changes of all the others.
 */
export class Trails {
  readonly #revisions = new Map<ByteString, number[]>()
  #start: number

  /** Nothing is known about revisions up to and including `start`. */
  constructor(start: number) {
    this.#start = start
  }

  get start(): number {
    return this.#start
  }

  add(key: ByteString, revision: number): void {
    const resource = resourceOf(key)
    const revisions = this.#revisions.get(resource)
    if (revisions === undefined) this.#revisions.set(resource, [revision])
    else revisions.push(revision)
  }

  /** The revisions behind `after`, up to and including `until`, that changed `resource`. */
  between(resource: ByteString, after: number, until: number): readonly number[] {
    const revisions = this.#revisions.get(resource) ?? []
    return revisions.slice(indexBehind(revisions, after), indexBehind(revisions, until))
  }

  forget(until: number): void {
    if (until <= this.#start) return
    this.#start = until
    for (const [resource, revisions] of this.#revisions) {
      const index = indexBehind(revisions, until)
      if (index === revisions.length) this.#revisions.delete(resource)
      else if (index > 0) this.#revisions.set(resource, revisions.slice(index))
    }
  }
}

/** The index of the first element greater than `revision`. */
function indexBehind(revisions: readonly number[], revision: number): number {
  let low = 0
  let high = revisions.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((revisions[middle] ?? 0) <= revision) low = middle + 1
    else high = middle
  }
  return low
}
