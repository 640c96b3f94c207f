import { type Random, seededRandom } from '@windlass/core'
import { lengths } from '../faults/faults.ts'
import { Life, type ProcessOptions } from './life.ts'

/** Life and death of one process: what a kubelet does for a container, and what happens to it. */
export class SimulatedProcess {
  readonly name: string
  readonly #options: ProcessOptions
  readonly #random: Random
  #life = -1
  #running: Life | undefined
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
    const past =
      exits.length === 0 ? '' : `; ended before: ${this.#exits.length > exits.length ? '…, ' : ''}${exits.map(inShort).join(', ')}`
    return `${this.name}: ${this.isRunning ? 'running' : 'down'}${this.#outage === undefined ? '' : ' and cut off'}, life ${this.#life}${past}`
  }

  start(): void {
    if (this.#running !== undefined || this.#isOver) return
    this.#life++
    const running = new Life(this.#options, this.#life)
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

  #ended(running: Life, reason: string): void {
    if (this.#running !== running) return
    this.#exits.push(reason)
    this.#requests += running.requests
    running.kill()
    this.#running = undefined
    const [from, to] = lengths.restart
    this.#options.clock.after(from + this.#random.below(to - from + 1), () => this.start())
  }
}

function inShort(reason: string): string {
  return reason.length <= 120 ? reason : `${reason.slice(0, 120)}…`
}
