import type { Cancel } from '@windlass/core'
import { expiryIndex } from '../registry/stored.ts'
import { parseKey } from '../storage/keys.ts'
import type { Change } from '../storage/store.ts'
import { Actor } from './actor.ts'
import type { Controller, ControllerContext } from './controller.ts'

const actor = new Actor('expiry')
const batch = 500

/** Removes what has outlived its time (Events, after an hour). The store's index is sorted by time, so it only looks at what is due. */
export class Expiry implements Controller {
  readonly #context: ControllerContext
  #timer: { readonly at: number; readonly cancel: Cancel } | undefined
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
    if (this.#timer === undefined && change.type !== 'deleted') this.#arm()
  }

  stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.cancel()
    return this.#sweeping
  }

  #arm(): void {
    if (this.#isStopped) return
    for (const { index } of this.#context.store.indexed('expires/', { limit: 1 })) {
      const at = Number(index.slice('expires/'.length))
      const cancel = this.#context.clock.after(Math.max(0, at - this.#context.clock.now()), () => {
        this.#sweeping = this.#sweep()
      })
      this.#timer = { at, cancel }
    }
  }

  async #sweep(): Promise<void> {
    const { store, clock, scope, onError } = this.#context
    try {
      for (;;) {
        const until = expiryIndex(clock.now() + 1)
        const due = [...store.indexed('expires/', { limit: batch })].filter(({ index }) => index < until)
        if (due.length === 0 || this.#isStopped) break
        for (const { key } of due) {
          const at = parseKey(key)
          const cluster = scope(at.cluster)
          const served = cluster?.catalog.stored(at.group, at.resource)
          if (cluster !== undefined && served !== undefined) await actor.remove(cluster, served, at)
        }
      }
    } catch (error) {
      onError('expiry')('', error)
    } finally {
      this.#timer = undefined
      this.#arm()
    }
  }
}
