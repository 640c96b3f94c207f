import type { Effect } from '../effects/effect.ts'
import type { FactName, Facts } from './facts.ts'

/**
 * A decision that cannot be made yet: it wants these facts first, or, after the effects, anew.
 *
 * This is how a pure decision asks only for what it turns out to need.
 */
export interface Look {
  readonly is: 'look'
  readonly at: readonly FactName[]
  readonly effects: readonly Effect[]
}

export function look(...at: readonly FactName[]): Look {
  return { is: 'look', at, effects: [] }
}

/** Does these things and looks again at what they change. */
export function lookAfter(effects: readonly Effect[], ...at: readonly FactName[]): Look {
  return { is: 'look', at, effects }
}

/** Facts that are needed and not known yet. */
export function missing(facts: Facts, names: readonly FactName[]): readonly FactName[] {
  return names.filter((name) => facts[name] === undefined)
}
