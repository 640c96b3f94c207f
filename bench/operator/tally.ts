import type { NodePool } from '@windlass/api'
import { sharedTime } from '../load/index.ts'

/** Counts looks at objects, and knows when there were enough. */
export class Tally {
  #looks = 0
  #starts: Map<number, number> | undefined
  #enough: { readonly count: number; readonly tell: () => void } | undefined

  get looks(): number {
    return this.#looks
  }

  /** Counts from here on. */
  reset(): void {
    this.#looks = 0
  }

  /** Notes from here on when looks began. */
  listen(): void {
    this.reset()
    this.#starts = new Map()
  }

  /** A look begins. */
  begin(pool: NodePool): void {
    if (this.#starts === undefined) return
    const round = roundOf(pool)
    if (round !== undefined && !this.#starts.has(round)) this.#starts.set(round, sharedTime())
  }

  /** A look has found nothing to do. */
  end(): void {
    this.#looks++
    if (this.#enough !== undefined && this.#looks >= this.#enough.count) this.#enough.tell()
  }

  async reached(count: number): Promise<void> {
    if (this.#looks < count) await new Promise<void>((tell) => (this.#enough = { count, tell }))
    this.#enough = undefined
  }

  starts(): readonly (readonly [number, number])[] {
    return [...(this.#starts ?? [])]
  }
}

/** Which status patch it has seen last: they say so in the message of their condition. */
function roundOf({ status }: NodePool): number | undefined {
  const message = status?.conditions?.find(({ type }) => type === 'Ready')?.message
  return message === undefined ? undefined : Number(message.slice(message.lastIndexOf(' ') + 1))
}
