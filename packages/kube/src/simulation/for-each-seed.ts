import { overriding } from './ambient.ts'
import { progressOf, seedsToRun } from './environment.ts'
import { SimulationError, withNeeds } from './failure.ts'
import { type FaultKind, faultKinds } from './faults/faults.ts'
import { Origin } from './reproduction.ts'

export interface SeedOptions {
  /** How many seeds; `WINDLASS_SEEDS` takes more or fewer. */
  readonly count: number
  /** The first one; 1 unless told. `WINDLASS_SEED` runs one alone. */
  readonly from?: number
}

/**
 * Runs the same simulation with one seed after the other and stops at the first that fails.
 *
 * A failure is looked into: each kind of fault is switched off in turn, and the message names those without which it does not fail. The
 * simulation is therefore run some more times, with the same seed, before this throws.
 */
export async function forEachSeed(options: SeedOptions, run: (seed: number) => Promise<unknown>): Promise<void> {
  const origin = new Origin()
  const { from, count } = seedsToRun(options.count, options.from ?? 1)
  const tell = progressOf('simulation', count)
  for (let seed = from; seed < from + count; seed++) {
    try {
      await overriding({ without: none, origin }, () => run(seed))
    } catch (error) {
      const again = (without: Kinds): Promise<unknown> => overriding({ without, origin }, () => run(seed))
      throw error instanceof SimulationError ? withNeeds(error, await neededFaults(error, again)) : error
    }
    tell(seed - from + 1)
  }
}

type Kinds = ReadonlySet<FaultKind>
const none: Kinds = new Set()

/** Switches kinds off for good as long as the same failure comes back. */
async function neededFaults(failure: SimulationError, run: (without: Kinds) => Promise<unknown>): Promise<readonly FaultKind[]> {
  const struck = faultKinds.filter((kind) => failure.faults[kind] > 0)
  let without: Kinds = new Set(faultKinds.filter((kind) => failure.faults[kind] === 0))
  for (const kind of struck) {
    const fewer = new Set([...without, kind])
    if (await failsAlike(failure, () => run(fewer))) without = fewer
  }
  return struck.filter((kind) => !without.has(kind))
}

async function failsAlike(failure: SimulationError, run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run()
    return false
  } catch (error) {
    return error instanceof SimulationError && error.sort === failure.sort
  }
}
