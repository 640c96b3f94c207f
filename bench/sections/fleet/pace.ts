import type { Generator } from '../../load/index.ts'

/** Milliseconds between looks at how fast the machine is: often enough to see it change, too seldom to slow anything down. */
const betweenLooks = 20_000

/**
 * How fast the machine is while a fleet is measured: what a write takes of which nothing is asked but that an object of 2.4 KB is read and written.
 *
 * A large fleet is measured for most of an hour, and machines with neighbours are not the same for so long: what it costs is told in such writes, too, so that
 * it can be compared with a small one that was measured in better or worse times. They are made in a process that does nothing else: in the one
 * that asks fleets how far they are, they became nearly twice as fast in the course of a run, whatever the machine did.
 */
export class Pace {
  readonly #generator: Generator
  #samples: number[] = []
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(generator: Generator) {
    this.#generator = generator
  }

  /** To be called now and then. */
  async look(): Promise<void> {
    if (performance.now() < this.#lookedAt + betweenLooks) return
    this.#lookedAt = performance.now()
    this.#samples.push(await this.#generator.run('bareWrite', {}))
  }

  /** Milliseconds of CPU for such a write, on the average since it was asked the last time. */
  async taken(): Promise<number> {
    this.#lookedAt = Number.NEGATIVE_INFINITY
    await this.look()
    const samples = this.#samples
    this.#samples = []
    return samples.reduce((sum, sample) => sum + sample, 0) / samples.length
  }
}
