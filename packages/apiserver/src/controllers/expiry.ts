import type { Cancel } from '@windlass/core'
import { encodeStored, expiryIndex, parseStored } from '../registry/stored.ts'
import type { Change, Store } from '../storage/store.ts'
import type { Controller, ControllerContext } from './controller.ts'

const batch = 500
/** Nothing lives shorter than minutes, so there is time to look at the index once for many writes. */
const lookAfter = 1000

/** Removes what has outlived its time (Events, after an hour). The store's index is sorted by time, so it only looks at what is due. */
export class Expiry implements Controller {
  readonly #context: ControllerContext
  #timer: Cancel | undefined
  #sweeping: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(context: ControllerContext) {
    this.#context = context
  }

  start(): void {
    this.#arm()
  }

  observe(change: Change): void {
    // An earlier deadline than the one waited for cannot come: everything that expires lives equally long.
    if (this.#timer === undefined && change.type !== 'deleted') this.#wait(lookAfter, () => this.#arm())
  }

  stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.()
    return this.#sweeping
  }

  /** Waits for the first deadline there is. */
  #arm(): void {
    const { store, clock, onError } = this.#context
    try {
      const [first] = store.indexed('expires/', { limit: 1 })
      if (first === undefined) return
      const at = Number(first.index.slice('expires/'.length))
      this.#wait(Math.max(0, at - clock.now()), () => {
        this.#sweeping = this.#sweep()
      })
    } catch (error) {
      // A store that failed answers nothing until the server is started again.
      onError('expiry')('', error)
    }
  }

  #wait(milliseconds: number, then: () => void): void {
    this.#timer?.()
    if (this.#isStopped) return
    this.#timer = this.#context.clock.after(milliseconds, () => {
      this.#timer = undefined
      then()
    })
  }

  async #sweep(): Promise<void> {
    const { store, clock, onError } = this.#context
    try {
      for (;;) {
        const until = expiryIndex(clock.now() + 1)
        const due = [...store.indexed('expires/', { limit: batch })].filter(({ index }) => index < until)
        if (due.length === 0 || this.#isStopped) break
        await remove(store, due)
      }
    } catch (error) {
      onError('expiry')('', error)
    } finally {
      this.#arm()
    }
  }
}

/** Finalizers or not: nobody waits for what has a time to live. What was written again meanwhile stays. */
function remove(store: Store, due: readonly { readonly key: string }[]): Promise<void> {
  const entries = due.map(({ key }) => ({ key, seen: store.get(key)?.revision }))
  return store.write((transaction) => {
    for (const { key, seen } of entries) {
      const entry = transaction.get(key)
      if (entry === undefined || entry.revision !== seen) continue
      transaction.delete(key, (revision) => encodeStored(parseStored(entry.bytes), revision))
    }
  })
}
