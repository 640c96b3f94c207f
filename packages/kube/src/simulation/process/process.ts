import { type Clock, type Random, seededRandom } from '@windlass/core'
import { type Client, createClient } from '../../client/index.ts'
import type { Log } from '../../log.ts'
import type { Transport } from '../../transport/transport.ts'
import type { Cause } from '../actor.ts'
import type { Dice } from '../faults/dice.ts'
import { lengths } from '../faults/faults.ts'
import { FaultyTransport } from '../faults/faulty-transport.ts'
import { pathIn, type SimulatedServer } from '../server.ts'
import { ProcessClock } from './process-clock.ts'

/** What a program has of the world: nothing else. */
export interface ProcessContext {
  /** `operator-1`. */
  readonly name: string
  /** How often it was started before. */
  readonly life: number
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Aborted when the process is asked to stop. A crash does not ask. */
  readonly signal: AbortSignal
  /** A client for the logical cluster that a kubeconfig names. */
  readonly connect: (kubeconfig: string) => Client
}

/** Runs until its signal is aborted. When it ends before, or throws, another life begins some time later. */
export type Program = (process: ProcessContext) => Promise<void>

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

/** Life and death of one process: what a kubelet does for a container, and what happens to it. */
export class SimulatedProcess {
  readonly name: string
  readonly #options: ProcessOptions
  readonly #random: Random
  #life = -1
  #running: Running | undefined
  #outage: { readonly isSilent: boolean } | undefined
  #requests = 0
  #isOver = false
  readonly #exits: string[] = []

  constructor(options: ProcessOptions) {
    this.name = options.name
    this.#options = options
    this.#random = seededRandom(`${options.seed}/process/${options.name}`)
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  get life(): number {
    return this.#life
  }

  /** Why earlier lives ended, in order. */
  get exits(): readonly string[] {
    return this.#exits
  }

  get requests(): number {
    return this.#requests + (this.#running?.requests ?? 0)
  }

  /** `operator-1: running, life 3; ended before: crashed, it ended`. */
  toString(): string {
    const exits = this.#exits.slice(-5)
    const past = exits.length === 0 ? '' : `; ended before: ${this.#exits.length > exits.length ? '…, ' : ''}${exits.join(', ')}`
    return `${this.name}: ${this.isRunning ? 'running' : 'down'}${this.#outage === undefined ? '' : ' and cut off'}, life ${this.#life}${past}`
  }

  start(): void {
    if (this.#running !== undefined || this.#isOver) return
    this.#life++
    const running = new Running(this.#options, this.#life)
    this.#running = running
    if (this.#outage !== undefined) running.cutOff(this.#outage.isSilent)
    running.run().then(
      () => this.#ended(running, 'it ended'),
      (error: unknown) => this.#ended(running, error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
    )
  }

  /** Gone, from one instant to the next: nothing is cleaned up, no lease is released. False when it is down anyway. */
  crash(): boolean {
    const running = this.#running
    if (running === undefined) return false
    this.#ended(running, 'crashed')
    return true
  }

  /** Asks it to stop, as a rolling update does; the next life follows. */
  stop(): void {
    this.#running?.stop()
  }

  /** Takes the API out of its reach for a while. */
  cutOff(milliseconds: number, isSilent: boolean): boolean {
    if (this.#outage !== undefined || this.#isOver) return false
    this.#outage = { isSilent }
    this.#running?.cutOff(isSilent)
    this.#options.clock.after(milliseconds, () => {
      this.#outage = undefined
      this.#running?.reconnect()
    })
    return true
  }

  jumpClock(milliseconds: number): boolean {
    this.#running?.clock.jump(milliseconds)
    return this.#running !== undefined
  }

  /** The simulation is over: nothing of it moves any more. */
  end(): void {
    this.#isOver = true
    if (this.#running !== undefined) this.#requests += this.#running.requests
    this.#running?.kill()
    this.#running = undefined
  }

  #ended(running: Running, reason: string): void {
    if (this.#running !== running) return
    this.#exits.push(reason)
    this.#requests += running.requests
    running.kill()
    this.#running = undefined
    const [from, to] = lengths.restart
    this.#options.clock.after(from + this.#random.below(to - from + 1), () => this.start())
  }
}

/** One life. */
class Running implements ProcessContext {
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
