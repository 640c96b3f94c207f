import type { JsonObject } from '@windlass/api'
import { type Log, silentLog } from '../log.ts'
import { currentOverride } from './ambient.ts'
import { baseOf, type Given } from './base.ts'
import type { FaultCounts } from './faults/dice.ts'
import { chosenFaults, type FaultChoice, milliseconds, type Span } from './faults/faults.ts'
import type { Invariant } from './invariant.ts'
import { type AnyController, operator, type ProcessContext, type Program, type ReconcileCounter } from './process/index.ts'
import type { Write } from './record/write.ts'
import { Origin } from './reproduction.ts'
import { Run } from './run.ts'
import type { World } from './world.ts'

export interface Simulation {
  /** Everything that happens follows from it. */
  readonly seed: number | string
  /** CustomResourceDefinitions that the server has. */
  readonly definitions?: readonly object[]
  /** Puts in place what is there before the first instant. It is done once and copied for every run that is given the same function. */
  readonly given?: Given
  /** The controllers under test: called in each life of each process. */
  readonly controllers?: (process: ProcessContext) => readonly AnyController[]
  /** How many processes run them, `operator-1` and so on; with more than one they elect a leader. One unless told. */
  readonly processes?: number
  /** Other programs that run, by the name of their process. */
  readonly programs?: Readonly<Record<string, Program>>
  /** What people do meanwhile. The run is over when it is. */
  readonly world: (world: World) => Promise<void>
  /** `none` unless told. */
  readonly faults?: FaultChoice
  /** From when on nothing goes wrong any more, so that it can be seen where everything ends; 5 minutes unless told. */
  readonly calmAfter?: Span
  readonly invariants?: readonly Invariant[]
  /** What is due at the same instant happens in a random order instead of the one it was asked for in. */
  readonly shufflesTies?: boolean
  /** The run fails when its script takes longer; 30 days unless told. */
  readonly limit?: Span
  readonly log?: Log
}

export interface SimulationResult {
  readonly seed: number | string
  /** Of the write log: equal for two runs of the same seed. */
  readonly hash: string
  readonly writes: readonly Write[]
  /** Hash of where everything ended, without uids, versions and times. */
  readonly finalState: string
  /** The same spelled out, by key. */
  readonly finalObjects: ReadonlyMap<string, string>
  /** Virtual milliseconds. */
  readonly virtualTime: number
  /** Sent by the programs. */
  readonly requests: number
  /** Passes of the controllers. */
  readonly reconciles: number
  readonly faults: Readonly<FaultCounts>
  /** Why processes ended, by name. */
  readonly exits: Readonly<Record<string, readonly string[]>>
}

/**
 * Runs a world in virtual time: a server, the programs under test, whatever goes wrong, and a script of what people do. Same seed, same run, to
 * the byte.
 *
 * Errors: a `SimulationError` when an invariant does not hold, when the script fails or does not come to an end, when the server met a problem.
 */
export async function simulate(simulation: Simulation): Promise<SimulationResult> {
  const { seed, definitions = [], given, faults = 'none', calmAfter = '5m', limit = '720h' } = simulation
  const origin = currentOverride().origin ?? new Origin()
  const base = await baseOf(definitions as readonly JsonObject[], given)
  const reconciles = { count: 0 }
  const run = await Run.start({
    base,
    seed,
    programs: { ...operatorsOf(simulation, reconciles), ...simulation.programs },
    faults: chosenFaults(faults, currentOverride().without),
    calmAfter: milliseconds(calmAfter),
    invariants: simulation.invariants ?? [],
    shufflesTies: simulation.shufflesTies ?? false,
    log: simulation.log ?? silentLog,
    origin,
  })
  try {
    await run.play(simulation.world, milliseconds(limit))
    return run.result(reconciles.count)
  } finally {
    await run.end()
  }
}

function operatorsOf({ controllers, processes = 1 }: Simulation, reconciles: ReconcileCounter): Record<string, Program> {
  if (controllers === undefined) return {}
  const program = operator({ controllers, reconciles, ...(processes > 1 ? { lease: 'operator' } : {}) })
  return Object.fromEntries(Array.from({ length: processes }, (_, index) => [`operator-${index + 1}`, program]))
}
