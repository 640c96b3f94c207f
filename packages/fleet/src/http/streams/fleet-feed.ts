import type { Random } from '@windlass/core'
import type { FleetChange } from '../../contract/index.ts'
import type { Fleet } from '../../model/fleet.ts'
import { changeText } from '../fleet-text.ts'

/** A change that has a number. */
export interface NumberedChange {
  readonly id: string
  readonly change: FleetChange
  /** As JSON; made once for all readers. */
  readonly text: () => string
}

/** How many changes are remembered, and how many rows in all of them: readers who were cut off for a minute or so go on where they were. */
const mostChanges = 2000
const mostRows = 20_000

/**
 * The changes of a fleet, numbered. Numbers begin with a word that is another in every process, so that nobody goes on with those of a process that is
 * gone.
 */
export class FleetFeed {
  readonly #epoch: string
  readonly #listeners = new Set<(change: NumberedChange) => void>()
  readonly #stop: () => void
  #recent: NumberedChange[] = []
  #rows = 0
  #count = 0

  constructor(fleet: Pick<Fleet, 'subscribe'>, random: Random) {
    this.#epoch = random.uuid().slice(0, 8)
    this.#stop = fleet.subscribe((change) => this.#take(change))
  }

  /** Of the last change. */
  get id(): string {
    return `${this.#epoch}.${this.#count}`
  }

  /** What came after this one; undefined when that is not known any more, or never was. */
  since(id: string): readonly NumberedChange[] | undefined {
    if (id === this.id) return []
    const [epoch, number] = id.split('.')
    if (epoch !== this.#epoch || !/^\d{1,15}$/.test(number ?? '')) return undefined
    const missed = this.#count - Number(number)
    if (missed < 0 || missed > this.#recent.length) return undefined
    return this.#recent.slice(this.#recent.length - missed)
  }

  subscribe(listener: (change: NumberedChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  close(): void {
    this.#stop()
    this.#listeners.clear()
  }

  #take(change: FleetChange): void {
    this.#count++
    let text: string | undefined
    const numbered = { id: this.id, change, text: () => (text ??= changeText(change)) }
    this.#recent.push(numbered)
    this.#rows += change.clusters.length
    this.#forget()
    for (const listener of this.#listeners) listener(numbered)
  }

  /** Half at a time: taking the first of a long list away costs as much as taking many. */
  #forget(): void {
    if (this.#recent.length <= mostChanges && this.#rows <= mostRows) return
    this.#recent = this.#recent.slice(Math.ceil(this.#recent.length / 2))
    this.#rows = this.#recent.reduce((sum, { change }) => sum + change.clusters.length, 0)
  }
}
