import type { Clock } from '@windlass/core'
import type { Dice } from '../faults/dice.ts'
import { lengths, type RecurringKind } from '../faults/faults.ts'
import type { SimulatedServer } from '../server.ts'
import type { SimulatedProcess } from './process.ts'

/** Whose fault it is when nobody asked for anything: crashes, outages and wrong clocks of one process. */
export function misfortunesOf(process: SimulatedProcess, clock: Clock, dice: Dice): void {
  recurring('crashes', clock, dice, () => process.crash())
  recurring('leaderLoss', clock, dice, () =>
    process.cutOff(dice.between('leaderLoss', lengths.leaderLoss), dice.between('leaderLoss', [0, 1]) === 0),
  )
  recurring('clockJumps', clock, dice, () => process.jumpClock(dice.between('clockJumps', lengths.clockJumps)))
}

/** The server forgets its history, sooner than anybody expects. */
export function compactionsOf(server: SimulatedServer, clock: Clock, dice: Dice): void {
  recurring('compactions', clock, dice, () => {
    void server.compact()
    return true
  })
}

/** Strikes again and again until calm comes. A blow that hits nobody is not counted. */
function recurring(kind: RecurringKind, clock: Clock, dice: Dice, strike: () => boolean): void {
  const delay = dice.untilNext(kind)
  if (delay === undefined) return
  clock.after(delay, () => {
    if (strike()) dice.struck(kind)
    recurring(kind, clock, dice, strike)
  })
}
