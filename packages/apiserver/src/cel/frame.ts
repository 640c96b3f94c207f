import { CostExceededError } from './errors.ts'
import type { Value } from './values.ts'

/** One run of a program: its variables by slot, and the work it has done. */
export class Frame {
  readonly values: Value[]
  spent = 0
  readonly #limit: number

  constructor(values: Value[], limit: number) {
    this.values = values
    this.#limit = limit
  }

  /**
   * Counts work. Looking something up or calling a function is one step, and so is each round of a macro; what
   * functions pay for the size of their arguments is in cost.ts.
   *
   * @throws CostExceededError
   */
  spend(steps: number): void {
    this.spent += steps
    if (this.spent > this.#limit) throw new CostExceededError()
  }

  value(slot: number): Value {
    return this.values[slot] ?? null
  }
}

export type Code = (frame: Frame) => Value
