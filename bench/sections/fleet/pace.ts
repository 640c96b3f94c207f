import { aPool } from '../../node-pool.ts'

const writes = 1000

/** Milliseconds between looks at how fast the machine is: often enough to see it change, too seldom to slow anything down. */
const betweenLooks = 20_000

/**
 * How fast the machine is while a fleet is measured: what a write takes of which nothing is asked but that an object of 2.4 KB is read and written.
 *
 * A large fleet is measured for most of an hour, and machines with neighbours are not the same for so long: what it costs is told in such writes, too, so that
 * it can be compared with a small one that was measured in better or worse times.
 */
export class Pace {
  readonly #texts = Array.from({ length: 100 }, (_, index) => aPool(index))
  #samples: number[] = []
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor() {
    // The compiler has its turn first.
    for (let round = 0; round < 5; round++) this.#measure()
  }

  /** To be called now and then. */
  look(): void {
    if (performance.now() < this.#lookedAt + betweenLooks) return
    this.#lookedAt = performance.now()
    this.#samples.push(this.#measure())
  }

  /** Milliseconds of CPU for such a write, on the average since it was asked the last time. */
  taken(): number {
    this.#lookedAt = Number.NEGATIVE_INFINITY
    this.look()
    const samples = this.#samples
    this.#samples = []
    return samples.reduce((sum, sample) => sum + sample, 0) / samples.length
  }

  #measure(): number {
    const before = process.cpuUsage()
    for (let index = 0; index < writes; index++) JSON.stringify(JSON.parse(this.#texts[index % this.#texts.length] ?? '{}'))
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 / writes
  }
}
