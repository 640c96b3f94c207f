import type { Cancel, Clock } from '@windlass/core'
import type { EventStream } from './event-stream.ts'

/** Proxies give up on connections that are silent for a minute; so do some readers, sooner. */
export const heartbeat = 15_000

/** Whether whoever reads a stream may still do so. */
type IsWelcome = () => Promise<boolean>

/** All streams that are open. One timer keeps them alive. */
export class OpenStreams {
  readonly #clock: Clock
  readonly #open = new Map<EventStream, IsWelcome>()
  #cancel: Cancel | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#open.size
  }

  add(stream: EventStream, isWelcome: IsWelcome): void {
    this.#open.set(stream, isWelcome)
    stream.onClose(() => {
      this.#open.delete(stream)
      if (this.#open.size > 0) return
      this.#cancel?.()
      this.#cancel = undefined
    })
    this.#cancel ??= this.#clock.after(heartbeat, () => this.#beat())
  }

  closeAll(): void {
    for (const stream of this.#open.keys()) stream.close()
  }

  #beat(): void {
    for (const [stream, isWelcome] of this.#open) {
      stream.beat()
      void isWelcome().then(
        (is) => is || stream.close(),
        () => stream.close(),
      )
    }
    this.#cancel = this.#open.size === 0 ? undefined : this.#clock.after(heartbeat, () => this.#beat())
  }
}
