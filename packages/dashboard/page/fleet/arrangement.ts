import { effect, signal } from '@preact/signals'
import type { ClusterRow } from '@windlass/fleet/contract'
import { arrange, movesIn } from '../../src/clusters/index.ts'
import { after, monotonic } from '../clock.ts'
import { fleet, onRowChange } from '../server/fleet.ts'
import { query } from './query.ts'

/** The rows of the table in the order in which they were put last. A row that changed since stands where it was, with what it says now. */
export const arrangement = signal<readonly ClusterRow[]>([])

/** How many changes would move a row if the table were put in order now. */
export const outOfPlace = signal(0)

/** After so long without a sign of a reader the table puts itself in order. */
const pause = 5000
const often = 1000

let lastSign = Number.NEGATIVE_INFINITY
let moves = movesIn(query.peek())

/** Puts the table in order. */
export function settle(): void {
  arrangement.value = arrange(fleet.peek()?.rows.values() ?? [], query.peek())
  outOfPlace.value = 0
}

/** Keeps the order up to date: at once when somebody asks for another one, later when rows change. Gives back what ends it. */
export function keepArranged(): () => void {
  const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'scroll', 'touchmove'] as const
  const sign = (): void => {
    lastSign = monotonic()
  }
  for (const name of signs) addEventListener(name, sign, { passive: true })
  const endQuery = effect(() => {
    moves = movesIn(query.value)
    settle()
  })
  const endFirst = effect(() => {
    // The first answer, and rows where none were shown: there is nothing to be read yet.
    if (fleet.value !== undefined && arrangement.peek().length === 0) settle()
  })
  const endRows = onRowChange((before, next) => {
    if (moves(before, next)) outOfPlace.value++
  })
  let cancel = (): void => {}
  const look = (): void => {
    if (outOfPlace.peek() > 0 && monotonic() - lastSign > pause) settle()
    cancel = after(often, look)
  }
  look()
  return () => {
    cancel()
    endQuery()
    endFirst()
    endRows()
    for (const name of signs) removeEventListener(name, sign)
  }
}
