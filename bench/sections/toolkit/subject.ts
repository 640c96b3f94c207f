import type { Bench } from '../../bench.ts'
import type { Measured } from '../../load/index.ts'
import { namespacesFor } from '../../node-pool.ts'
import { type Follower, type Following, startBareFollower, startOperator } from '../../operator/index.ts'
import type { ServerProcess } from '../../server.ts'
import { prepare } from '../prepare.ts'

const clients = 32

/** A server with more and more NodePools, and the changes that are made to them. */
export class Subject {
  readonly server: ServerProcess
  readonly #bench: Bench
  #count = 0
  /** Of the next status patch: none may repeat what is there already, or nothing would be written. */
  #round = 0

  private constructor(bench: Bench, server: ServerProcess) {
    this.#bench = bench
    this.server = server
  }

  /** Has room for so many. */
  static async start(bench: Bench, most: number): Promise<Subject> {
    const server = await bench.start()
    await prepare(server, namespacesFor(most))
    return new Subject(bench, server)
  }

  get count(): number {
    return this.#count
  }

  /** For names of figures. */
  get size(): string {
    return this.#count.toLocaleString('en-US')
  }

  async fillUp(count: number): Promise<void> {
    const extent = { count: count - this.#count }
    await this.#bench.generator.run('create', { at: this.server, clients, from: this.#count, extent })
    this.#count = count
  }

  /** Changes the status of so many pools, each once. Also says what that cost the generator, in microseconds for each. */
  async patch(count: number): Promise<Measured & { readonly cpu: number }> {
    const { generator } = this.#bench
    const before = generator.cpu()
    const measured = await generator.run('patchStatus', { ...this.#patches(count), clients, extent: { count } })
    return { ...measured, cpu: ((generator.cpu() - before) * 1000) / count }
  }

  async patchFor(seconds: number): Promise<void> {
    const { count } = await this.#bench.generator.run('patchStatus', { ...this.#patches(0), clients, extent: { seconds } })
    this.#round += count
  }

  /** One after the other. */
  async patchSlowly(count: number): Promise<{ readonly first: number; readonly times: readonly Written[] }> {
    const first = this.#round
    return { first, times: await this.#bench.generator.run('patchStatusSlowly', { ...this.#patches(count), count }) }
  }

  #patches(count: number): { readonly at: ServerProcess; readonly objects: number; readonly from: number } {
    const from = this.#round
    this.#round += count
    return { at: this.server, objects: this.#count, from }
  }

  /** Lends an operator that has looked at everything once. */
  withOperator<T>(work: Following['work'], use: (operator: Follower) => Promise<T>): Promise<T> {
    return this.#with(startOperator(this.#bench.nodeArguments), work, use)
  }

  withBareFollower<T>(use: (bare: Follower) => Promise<T>): Promise<T> {
    return this.#with(startBareFollower(), 'nothing', use)
  }

  async #with<T>(follower: Follower, work: Following['work'], use: (follower: Follower) => Promise<T>): Promise<T> {
    try {
      await follower.run('follow', { at: this.server, keeps: 'everything', work })
      await follower.run('looked', { count: this.#count })
      return await use(follower)
    } finally {
      await follower.stop()
    }
  }
}

export interface Written {
  readonly sent: number
  readonly answered: number
}
