import { keyOf, type ReconcileContext, type Ref, type Source } from '@windlass/kube'
import type { AnyController, Client } from '@windlass/kube'
import type { ReleaseFeed } from '../cluster/index.ts'
import { LivingGuest } from './living-guest.ts'
import type { WantedGuest } from './wanted.ts'

export interface GuestsOptions {
  /** From the kubeconfig of a guest to a client for it. */
  readonly connect: (kubeconfig: string, name: string) => Client | Promise<Client>
  readonly controllers: (clusterID: string, release: ReleaseFeed) => readonly AnyController[]
}

/** All guests that live in this process. They live as long as the source that tells which of them has failed. */
export class Guests {
  readonly #options: GuestsOptions
  readonly #living = new Map<string, LivingGuest>()
  readonly #failed = new Set<string>()
  readonly #refs = new Map<string, Ref>()
  #isOver = false
  #wake = (): void => undefined

  constructor(options: GuestsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#living.size
  }

  /** Gives guests that have failed. When it ends, all guests do, and it waits for that. */
  readonly source: Source = ({ signal }) => this.#failures(signal)

  /**
   * The guest, brought to life if it is not alive. One whose kubeconfig is another now is begun anew.
   *
   * Errors: what became of a guest that has failed, once; the next time it is begun anew. What `connect` throws.
   */
  async at(ref: Ref, wanted: WantedGuest, { clock, random, log, signal }: ReconcileContext): Promise<LivingGuest> {
    const key = keyOf(ref)
    const { kubeconfig, clusterID } = wanted
    const present = this.#living.get(key)
    if (present?.failure === undefined && present?.kubeconfig === kubeconfig) return present
    await this.end(ref)
    if (present?.failure !== undefined)
      throw new Error(`the guest of ${key} has failed: ${present.failure.message}`, { cause: present.failure })
    const client = await this.#options.connect(kubeconfig, key)
    if (this.#isOver || signal.aborted) {
      await client.close()
      throw signal.aborted ? signal.reason : new Error('the simulator is ending')
    }
    const guest = new LivingGuest({
      kubeconfig,
      client,
      controllers: (release) => this.#options.controllers(clusterID, release),
      clock,
      random,
      log: log.child({ guest: key }),
      onFailure: () => this.#fail(key),
    })
    this.#refs.set(key, ref)
    this.#living.set(key, guest)
    return guest
  }

  /** Resolves when nothing of it runs any more. */
  async end(ref: Ref): Promise<void> {
    const key = keyOf(ref)
    const guest = this.#living.get(key)
    if (guest === undefined) return
    this.#living.delete(key)
    this.#refs.delete(key)
    guest.end()
    await guest.ended
  }

  #fail(key: string): void {
    this.#failed.add(key)
    this.#wake()
  }

  async *#failures(signal: AbortSignal): AsyncIterable<Ref> {
    this.#isOver = false
    const onAbort = (): void => this.#wake()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      while (!signal.aborted) {
        const [key] = this.#failed
        const ref = key === undefined ? undefined : this.#refs.get(key)
        if (key !== undefined) this.#failed.delete(key)
        if (ref !== undefined) yield ref
        else if (key === undefined) await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#isOver = true
      await this.#endAll()
    }
  }

  async #endAll(): Promise<void> {
    const guests = [...this.#living.values()]
    this.#living.clear()
    this.#refs.clear()
    for (const guest of guests) guest.end()
    await Promise.all(guests.map(({ ended }) => ended))
  }
}
