import type { Cancel, Clock } from '@windlass/core'
import type { WorkQueue } from '../queue/index.ts'

/** After so many milliseconds of work the event loop is asked for a turn; when it has had none for so many more, work waits for it. */
const askForTurn = 2
const waitForTurn = 8

export interface WorkersOptions {
  readonly clock: Clock
  readonly queue: WorkQueue
  readonly most: number
  /** Why a key cannot go yet: resolves when it can. Must not reject. */
  readonly hold: (key: string) => Promise<void> | undefined
  /** Looks at a key. Must not reject. */
  readonly work: (key: string) => Promise<void>
}

/**
 * Takes keys from a queue and works on as many at once as it may.
 *
 * A worker is a number, not a loop: there is nothing to start or stop when their number changes. A key that is held keeps its place as "running" in the queue,
 * so that nobody else takes it, but no worker waits with it.
 *
 * Passes that find nothing to do never leave the microtask queue: hundreds of thousands of them, after a start, would keep sockets and timers
 * waiting for seconds. So work pauses every few milliseconds. In virtual time none pass, and it never does.
 */
export class Workers {
  readonly #options: WorkersOptions
  #most: number
  #working = 0
  #held = 0
  /** Keys that were held and can go. */
  readonly #released: string[] = []
  #isOn = false
  #isAwake = false
  #busySince: number | undefined
  #turn: { readonly askedAt: number; readonly cancel: Cancel } | undefined
  #onIdle: (() => void) | undefined

  constructor(options: WorkersOptions) {
    this.#options = options
    this.#most = options.most
  }

  get most(): number {
    return this.#most
  }

  set most(most: number) {
    this.#most = most
    this.wake()
  }

  start(): void {
    this.#isOn = true
    this.wake()
  }

  /** Begins nothing new. Resolves when nobody works any more. */
  async stop(): Promise<void> {
    this.#isOn = false
    this.#turn?.cancel()
    while (this.#working + this.#held > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
  }

  /** There may be something to do. Not at once: whoever says so is in the middle of something. */
  wake(): void {
    if (this.#isAwake || !this.#isOn) return
    this.#isAwake = true
    queueMicrotask(() => {
      this.#isAwake = false
      this.#takeKeys()
    })
  }

  #takeKeys(): void {
    while (this.#isOn && this.#working < this.#most && !this.#mustPause()) {
      const released = this.#released.shift()
      const key = released ?? this.#options.queue.next()
      if (key === undefined) {
        this.#busySince = undefined
        return
      }
      const held = released === undefined ? this.#options.hold(key) : undefined
      if (held === undefined) void this.#work(key)
      else void this.#hold(key, held)
    }
  }

  async #hold(key: string, held: Promise<void>): Promise<void> {
    this.#held++
    await held
    this.#held--
    this.#released.push(key)
    this.#next()
  }

  async #work(key: string): Promise<void> {
    this.#working++
    await this.#options.work(key)
    this.#working--
    this.#options.queue.done(key)
    this.#next()
  }

  #next(): void {
    this.wake()
    if (this.#working + this.#held === 0) this.#onIdle?.()
  }

  #mustPause(): boolean {
    const { clock } = this.#options
    const now = clock.monotonic()
    this.#busySince ??= now
    if (this.#turn !== undefined) return now - this.#turn.askedAt >= waitForTurn
    if (now - this.#busySince >= askForTurn) this.#turn = { askedAt: now, cancel: clock.after(0, () => this.#goOn()) }
    return false
  }

  /** The event loop has turned. */
  #goOn(): void {
    this.#turn = undefined
    this.#busySince = undefined
    this.#takeKeys()
  }
}
