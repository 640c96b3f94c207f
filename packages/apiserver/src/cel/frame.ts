import { CostExceededError } from './errors.ts'
import { ListValue, type Value } from './values.ts'

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
   * Counts work. Looking something up or calling a function is one step, and so is each round of a macro; functions over texts and
   * lists cost a tenth of a step per element more.
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

/** What a function pays for the size of an argument. */
export function sizeCost(value: Value): number {
  if (typeof value === 'string') return value.length * 0.1
  return value instanceof ListValue ? value.items.length * 0.1 : 0
}

export type Code = (frame: Frame) => Value
