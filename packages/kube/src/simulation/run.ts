import { formatDuration, seededRandom, VirtualClock } from '@windlass/core'
import { type Client, createClient } from '../client/index.ts'
import type { Log } from '../log.ts'
import { type Base, start } from './base.ts'
import { type Failure, scriptFailed, SimulationError, violated } from './failure.ts'
import { Dice, type FaultCounts, noFaults } from './faults/dice.ts'
import type { Faults } from './faults/faults.ts'
import { type Invariant, violationBy } from './invariant.ts'
import { causeOfRequest, compactionsOf, misfortunesOf, type Program, SimulatedProcess } from './process/index.ts'
import { RecentMessages } from './recent-messages.ts'
import type { Origin } from './reproduction.ts'
import { finalState, hashOf } from './record/final-state.ts'
import type { Write } from './record/write.ts'
import { SimulatedServer } from './server.ts'
import type { SimulationResult } from './simulate.ts'
import { createWorld, type World } from './world.ts'

export interface RunOptions {
  readonly base: Base
  readonly seed: number | string
  readonly programs: Readonly<Record<string, Program>>
  readonly faults: Faults
  readonly calmAfter: number
  readonly invariants: readonly Invariant[]
  readonly shufflesTies: boolean
  readonly log: Log
  readonly origin: Origin
}

/** One run: puts the parts together and turns the clock. */
export class Run {
  readonly #options: RunOptions
  readonly #clock: VirtualClock
  readonly #server: SimulatedServer
  readonly #processes: ReadonlyMap<string, SimulatedProcess>
  readonly #counts: FaultCounts
  readonly #messages: RecentMessages
  readonly #calmAt: number
  #error: SimulationError | undefined

  static async start(options: RunOptions): Promise<Run> {
    const { seed, base, shufflesTies } = options
    const clock = new VirtualClock({ start, ...(shufflesTies ? { ties: seededRandom(`${seed}/ties`) } : {}) })
    let run: Run | undefined
    const onWrite = (write: Write): void => {
      if (run !== undefined) run.#check(write)
    }
    const server = await SimulatedServer.start({ base, seed: String(seed), clock, onWrite })
    run = new Run(options, clock, server)
    return run
  }

  private constructor(options: RunOptions, clock: VirtualClock, server: SimulatedServer) {
    const { programs, calmAfter, log } = options
    this.#options = options
    this.#clock = clock
    this.#server = server
    this.#counts = noFaults()
    this.#messages = new RecentMessages(clock, log)
    this.#calmAt = start + calmAfter
    this.#processes = new Map(Object.entries(programs).map(([name, program]) => [name, this.#process(name, program)]))
  }

  /** Turns the clock until the script is through. */
  async play(script: (world: World) => Promise<void>, limit: number): Promise<void> {
    compactionsOf(this.#server, this.#clock, this.#dice('server'))
    for (const process of this.#processes.values()) process.start()
    let isDone = false
    const world = this.#world()
    const through = async (): Promise<void> => script(world)
    through().then(
      () => (isDone = true),
      (error: unknown) => this.#fail(scriptFailed(error)),
    )
    const isOver = await this.#clock.advanceUntil(() => isDone || this.#error !== undefined, limit)
    if (!isOver) this.#fail({ sort: 'limit', headline: `the script is not through after ${formatDuration(limit)}` })
    const [problem] = this.#server.problems
    if (problem !== undefined) this.#fail({ sort: 'server', headline: `the server met a problem: ${problem}` })
    if (this.#error !== undefined) throw this.#error
  }

  result(reconciles: number): SimulationResult {
    const { log, state } = this.#server
    let form: ReadonlyMap<string, string> | undefined
    const finalObjects = (): ReadonlyMap<string, string> => (form ??= finalState(state))
    return {
      seed: this.#options.seed,
      hash: log.hash(),
      writes: log.writes,
      get finalState() {
        return hashOf(finalObjects())
      },
      get finalObjects() {
        return finalObjects()
      },
      virtualTime: this.#clock.monotonic(),
      requests: this.#sum(({ requests }) => requests),
      reconciles,
      faults: { ...this.#counts },
      exits: Object.fromEntries(Array.from(this.#processes, ([name, { exits }]) => [name, [...exits]])),
    }
  }

  async end(): Promise<void> {
    for (const process of this.#processes.values()) process.end()
    await this.#server.stop()
  }

  #check(write: Write): void {
    if (this.#error !== undefined) return
    const violation = violationBy(write, this.#server.state, this.#options.invariants)
    if (violation !== undefined) this.#fail(violated(violation))
  }

  /** Stops everything where it is. Only the first failure counts: others may follow from it. */
  #fail(failure: Failure): void {
    if (this.#error !== undefined) return
    const { seed, origin } = this.#options
    this.#error = new SimulationError(failure, {
      seed,
      elapsed: this.#clock.monotonic(),
      writes: this.#server.log.writes,
      faults: { ...this.#counts },
      processes: Array.from(this.#processes.values(), String),
      messages: this.#messages.recent,
      again: origin.reproduction(seed),
    })
    for (const process of this.#processes.values()) process.end()
  }

  #dice(whose: string): Dice {
    const { seed, faults } = this.#options
    return new Dice({ seed: `${seed}/faults/${whose}`, faults, clock: this.#clock, calmAt: this.#calmAt, counts: this.#counts })
  }

  #process(name: string, program: Program): SimulatedProcess {
    const dice = this.#dice(name)
    const process = new SimulatedProcess({
      name,
      program,
      dice,
      seed: String(this.#options.seed),
      server: this.#server,
      clock: this.#clock,
      log: this.#messages,
      cause: causeOfRequest,
    })
    misfortunesOf(process, this.#clock, dice)
    return process
  }

  #world(): World {
    const { seed } = this.#options
    const clock = this.#clock
    const random = seededRandom(`${seed}/world`)
    const client = (path: string): Client =>
      createClient({
        transport: this.#server.transport({ process: 'world', life: 0 }, { path }),
        clock,
        random: seededRandom(`${seed}/world/client${path}`),
        userAgent: 'world',
        fieldManager: 'world',
      })
    return createWorld({ client, clock, random, server: this.#server, processes: this.#processes, calmAt: this.#calmAt })
  }

  #sum(count: (process: SimulatedProcess) => number): number {
    return [...this.#processes.values()].reduce((sum, process) => sum + count(process), 0)
  }
}
