import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figure } from './figures.ts'
import { type Measured, startGenerator } from './load/index.ts'
import { type ServerProcess, startServer } from './server.ts'

export interface Settings {
  readonly isQuick: boolean
  /** Object counts to measure at, smallest first. */
  readonly objects: readonly number[]
  readonly clusters: number
  /** Object counts to measure caches at, smallest first. */
  readonly cached: readonly number[]
  /** How many hosted clusters fleets have, smallest first. */
  readonly fleet: readonly number[]
  /** How many hosted clusters fleets have whose node pools are measured, smallest first. */
  readonly pools: readonly number[]
  /** How many hosted clusters live models of fleets have, smallest first. */
  readonly modelled: readonly number[]
  /** How many workers classic clusters have whose update is told of, smallest first. */
  readonly nodes: readonly number[]
  /** Where servers and operators write CPU profiles, if they do. */
  readonly profileFolder: string | undefined
}

/** What sections share: where to put figures and files, and how to get servers and load. */
export class Bench {
  readonly settings: Settings
  readonly figures: Figure[] = []
  readonly generator = startGenerator()
  readonly #folder = mkdtempSync(join(tmpdir(), 'windlass-bench-'))
  readonly #servers = new Set<ServerProcess>()
  #folders = 0

  constructor(settings: Settings) {
    this.settings = settings
  }

  /** Seconds that one round of a measurement takes. Too short a round measures the compiler. */
  get roundSeconds(): number {
    return this.settings.isQuick ? 1.5 : 3
  }

  get rounds(): number {
    return this.settings.isQuick ? 2 : 3
  }

  /** For processes that are measured. */
  get nodeArguments(): readonly string[] {
    const { profileFolder } = this.settings
    return profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]
  }

  add(figure: Figure): void {
    this.figures.push(figure)
    process.stderr.write(`  ${figure.name}: ${figure.value.toPrecision(4)} ${figure.unit}\n`)
  }

  folder(): string {
    return join(this.#folder, String(this.#folders++))
  }

  async start(directory = this.folder()): Promise<ServerProcess> {
    const server = await startServer(directory, this.nodeArguments)
    this.#servers.add(server)
    return server
  }

  async stop(server: ServerProcess): Promise<void> {
    this.#servers.delete(server)
    await server.stop()
  }

  /**
   * The best of several rounds. Whatever else runs on the machine only ever makes a round slower, so the best one says most about
   * the server.
   */
  async best<T extends { readonly perSecond: number }>(round: () => Promise<T>): Promise<T> {
    let best = await round()
    for (let count = 1; count < this.rounds; count++) {
      const next = await round()
      if (next.perSecond > best.perSecond) best = next
    }
    return best
  }

  /** The same, with what one operation cost the server in microseconds of all its threads: the figure that other load disturbs least. */
  async bestOn<T extends Measured>(server: { cpu(): number }, round: () => Promise<T>): Promise<T & { readonly cpu: number }> {
    let cpu = Infinity
    const best = await this.best(async () => {
      const before = server.cpu()
      const measured = await round()
      cpu = Math.min(cpu, ((server.cpu() - before) * 1000) / measured.count)
      return measured
    })
    return { ...best, cpu }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers].map((server) => server.stop()))
    await this.generator.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
