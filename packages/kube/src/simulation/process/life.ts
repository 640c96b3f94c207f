import { type Clock, type Random, seededRandom } from '@windlass/core'
import { type Client, createClient } from '../../client/index.ts'
import type { Log } from '../../log.ts'
import type { Transport } from '../../transport/transport.ts'
import type { Cause } from '../actor.ts'
import type { Dice } from '../faults/dice.ts'
import { FaultyTransport } from '../faults/faulty-transport.ts'
import { pathIn, type SimulatedServer } from '../server.ts'
import { ProcessClock } from './process-clock.ts'
import type { ProcessContext, Program } from './program.ts'

export interface ProcessOptions {
  readonly name: string
  readonly seed: string
  readonly program: Program
  readonly server: SimulatedServer
  /** The world's. */
  readonly clock: Clock
  readonly dice: Dice
  readonly log: Log
  /** Why a request is sent, if the code that sends it can tell. */
  readonly cause?: () => Cause | undefined
}

/** One life of a process, with all that it has: when it ends, all of it does. */
export class Life implements ProcessContext {
  readonly name: string
  readonly life: number
  readonly client: Client
  readonly clock: ProcessClock
  readonly random: Random
  readonly log: Log
  readonly #options: ProcessOptions
  readonly #transports: FaultyTransport[] = []
  readonly #stop = new AbortController()
  #outage: { readonly isSilent: boolean } | undefined
  /** Not a method: programs take their context apart. */
  readonly connect = (kubeconfig: string): Client => this.#client(pathIn(kubeconfig))

  constructor(options: ProcessOptions, life: number) {
    this.#options = options
    this.name = options.name
    this.life = life
    this.clock = new ProcessClock(options.clock)
    this.random = seededRandom(`${options.seed}/process/${options.name}/${life}`)
    this.log = options.log.child({ process: options.name, life })
    this.client = this.#client('')
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  get requests(): number {
    return this.#transports.reduce((sum, transport) => sum + transport.requests, 0)
  }

  async run(): Promise<void> {
    await this.#options.program(this)
  }

  stop(): void {
    this.#stop.abort(new Error(`${this.name} was asked to stop`))
  }

  cutOff(isSilent: boolean): void {
    this.#outage = { isSilent }
    for (const transport of this.#transports) transport.cutOff(isSilent)
  }

  reconnect(): void {
    this.#outage = undefined
    for (const transport of this.#transports) transport.reconnect()
  }

  kill(): void {
    this.clock.kill()
    for (const transport of this.#transports) transport.kill()
  }

  #client(path: string): Client {
    const { name, clock, random, log } = this
    return createClient({ transport: this.#transport(path), clock, random, log, userAgent: name, fieldManager: 'operator' })
  }

  #transport(path: string): Transport {
    const { server, clock, dice, cause } = this.#options
    const inner = server.transport({ process: this.name, life: this.life }, { path, ...(cause === undefined ? {} : { cause }) })
    const transport = new FaultyTransport({ inner, clock, dice })
    if (this.#outage !== undefined) transport.cutOff(this.#outage.isSilent)
    this.#transports.push(transport)
    return transport
  }
}
