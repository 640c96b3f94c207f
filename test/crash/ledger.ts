import assert from 'node:assert/strict'

/** One change of one object: what a watch must show of it. Of a deletion `value` is the last one. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly value: string
}

/** An object as a list shows it. */
export interface State {
  readonly value: string
  readonly revision: number
}

/**
 * What the server promised: every write it acknowledged, by name and in order. A write whose answer never came is in doubt until the
 * next look at the store; then it either happened or it did not, and from there on there is no doubt.
 */
export class Ledger {
  readonly #states = new Map<string, State>()
  readonly #changes = new Map<string, Change[]>()
  readonly #doubts = new Map<string, Change>()
  #highest = 0
  #acknowledged = 0

  /** The newest revision that anybody has been told of. */
  get highest(): number {
    return this.#highest
  }

  get acknowledged(): number {
    return this.#acknowledged
  }

  get inDoubt(): number {
    return this.#doubts.size
  }

  current(name: string): State | undefined {
    return this.#states.get(name)
  }

  changes(name: string): readonly Change[] {
    return this.#changes.get(name) ?? []
  }

  names(): readonly string[] {
    return [...this.#changes.keys()]
  }

  saw(revision: number): void {
    this.#highest = Math.max(this.#highest, revision)
  }

  /** `asked` is what `highest` was when the request left: whatever it wrote must be newer. A deletion's answer names no revision. */
  acknowledge(name: string, change: Change, asked: number, revision?: number): void {
    this.#acknowledged++
    this.#record(name, change)
    if (change.type === 'DELETED' || revision === undefined) {
      this.#states.delete(name)
      return
    }
    assert.ok(revision > asked, `${name}: revision ${revision} was given out after ${asked}`)
    this.saw(revision)
    this.#states.set(name, { value: change.value, revision })
  }

  doubt(name: string, change: Change): void {
    this.#doubts.set(name, change)
  }

  /** Settles the doubts by what is stored, then requires the rest to be exactly what was promised. */
  compare(stored: ReadonlyMap<string, State>): void {
    for (const [name, change] of this.#doubts) {
      const state = stored.get(name)
      const happened = change.type === 'DELETED' ? state === undefined : state?.value === change.value
      if (!happened) continue
      this.#record(name, change)
      if (state === undefined) this.#states.delete(name)
      else this.#states.set(name, state)
    }
    this.#doubts.clear()
    assert.deepEqual(sorted(stored), sorted(this.#states))
  }

  #record(name: string, change: Change): void {
    const changes = this.#changes.get(name) ?? []
    this.#changes.set(name, changes)
    changes.push(change)
  }
}

function sorted(states: ReadonlyMap<string, State>): readonly (readonly [string, State])[] {
  return [...states].toSorted(([a], [b]) => (a < b ? -1 : 1))
}
