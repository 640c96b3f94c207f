import { type Clock, type Instant, type Random, seededRandom } from '@windlass/core'
import {
  type ChanceKind,
  type FaultKind,
  faultKinds,
  type Faults,
  milliseconds,
  type Range,
  type RecurringKind,
  usualLatency,
  type Verb,
} from './faults.ts'

/** How often each kind struck. */
export type FaultCounts = Record<FaultKind, number>

export function noFaults(): FaultCounts {
  return Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as FaultCounts
}

export interface DiceOptions {
  /** Text that begins the seed of every stream of chance. */
  readonly seed: string
  readonly faults: Faults
  readonly clock: Clock
  /** From when on nothing goes wrong any more. */
  readonly calmAt: Instant
  readonly counts: FaultCounts
}

/**
 * Decides what goes wrong. Each kind of fault has a stream of chance of its own: switching one kind off, or one kind being asked once more,
 * leaves the others as they were. That is what makes it possible to find out which kinds a failure needs.
 */
export class Dice {
  readonly #options: DiceOptions
  readonly #streams = new Map<FaultKind, Random>()

  constructor(options: DiceOptions) {
    this.#options = options
  }

  get counts(): Readonly<FaultCounts> {
    return this.#options.counts
  }

  get isCalm(): boolean {
    return this.#options.clock.now() >= this.#options.calmAt
  }

  /** Whether a fault of this kind strikes now; counts it when it does. */
  happens(kind: ChanceKind): boolean {
    const chance = this.#options.faults[kind]
    if (chance === undefined || chance === 0 || this.isCalm) return false
    if (this.#stream(kind).next() >= chance) return false
    this.#options.counts[kind]++
    return true
  }

  /** How long until the next one of a recurring kind, by an exponential distribution; undefined when it would come too late, or never. */
  untilNext(kind: RecurringKind): number | undefined {
    const mean = this.#options.faults[kind]
    if (mean === undefined) return undefined
    const delay = Math.ceil(-Math.log(1 - this.#stream(kind).next()) * milliseconds(mean))
    return this.#options.clock.now() + delay < this.#options.calmAt ? delay : undefined
  }

  struck(kind: RecurringKind): void {
    this.#options.counts[kind]++
  }

  between(kind: FaultKind, [from, to]: Range): number {
    return from + this.#stream(kind).below(to - from + 1)
  }

  /**
   * How long a request is under way to the server, and its answer back. In calm times too, and never no time at all: controllers that undo each
   * other's work would go round in circles for ever in the same instant.
   */
  latency(verb: Verb): readonly [number, number] {
    const { latency } = this.#options.faults
    const range = latency === undefined || isRange(latency) ? latency : latency[verb]
    if (range === undefined) return [usualLatency, 0]
    const stream = this.#stream('latency')
    const total = range[0] + stream.below(range[1] - range[0] + 1)
    const there = stream.below(total + 1)
    this.#options.counts.latency++
    return [there, total - there]
  }

  #stream(kind: FaultKind): Random {
    const known = this.#streams.get(kind)
    if (known !== undefined) return known
    const stream = seededRandom(`${this.#options.seed}/${kind}`)
    this.#streams.set(kind, stream)
    return stream
  }
}

function isRange(latency: NonNullable<Faults['latency']>): latency is Range {
  return Array.isArray(latency)
}
