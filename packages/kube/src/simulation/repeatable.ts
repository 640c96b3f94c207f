import { currentOverride } from './ambient.ts'
import { SimulationError } from './failure.ts'
import { firstDifference } from './record/write-log.ts'
import { Origin } from './reproduction.ts'
import { type Simulation, simulate, type SimulationResult } from './simulate.ts'

/**
 * Runs a simulation twice, which must write the same to the byte, and a third time with everything that is due at the same instant in
 * another order, which must end in the same state.
 *
 * Errors: a `SimulationError` that shows where the runs part.
 */
export async function assertRepeatable(simulation: Simulation): Promise<SimulationResult> {
  const origin = currentOverride().origin ?? new Origin()
  const first = await simulate(simulation)
  const again = await simulate(simulation)
  if (again.hash !== first.hash)
    throw differs(again, origin, 'two runs did not write the same', [firstDifference(first.writes, again.writes) ?? ''])
  const shuffled = await simulate({ ...simulation, shufflesTies: true })
  if (shuffled.finalState !== first.finalState) {
    throw differs(shuffled, origin, 'it ends in another state when ties are broken in another order', differences(first, shuffled))
  }
  return first
}

function differs(run: SimulationResult, origin: Origin, headline: string, details: readonly string[]): SimulationError {
  const { seed, virtualTime: elapsed, writes, faults } = run
  return new SimulationError(
    { sort: headline, headline, details },
    { seed, elapsed, writes, faults, processes: [], messages: [], again: origin.reproduction(seed) },
  )
}

/** Objects that ended differently; a few are enough to see what it is about. */
export function differences(a: SimulationResult, b: SimulationResult): readonly string[] {
  const keys = new Set([...a.finalObjects.keys(), ...b.finalObjects.keys()])
  const different = [...keys].filter((key) => a.finalObjects.get(key) !== b.finalObjects.get(key))
  const shown = different
    .slice(0, 5)
    .flatMap((key) => [`${key}:`, ...[a, b].map((run) => `  ${run.finalObjects.get(key) ?? '(is not there)'}`)])
  return different.length > 5 ? [...shown, `and ${different.length - 5} more`] : shown
}
