import { Lease } from '@windlass/api'
import type { Clock } from '@windlass/core'
import type { LeaseClient } from './lease-hold.ts'
import { LinkedAbort } from '../transport/abort.ts'

/** After how long the server is to end the watch. */
const timeoutSeconds = 300
/** How long to do without, when watching was not possible: we may not be allowed to. */
const untilNextTry = 60_000

/**
 * Tells when somebody renews the lease or gives it up, so that the next leader need not find out by looking every few seconds: renewals that
 * are seen late are waited for too long.
 *
 * A convenience: any problem ends it without a word, and whoever waits looks when its time is over, as it would have without.
 */
export class LeaseWatch implements Disposable {
  readonly #client: LeaseClient
  readonly #clock: Clock
  readonly #onSeen: (lease: Lease) => void
  readonly #abort = new LinkedAbort()
  #isOpen = false
  #notBefore = 0
  #wasReleased = false
  #wake: () => void = () => {}

  constructor(client: LeaseClient, clock: Clock, onSeen: (lease: Lease) => void) {
    this.#client = client
    this.#clock = clock
    this.#onSeen = onSeen
    this.#notBefore = clock.monotonic()
  }

  /** Resolves when the lease has been given up since it was `seen`, when the time is over, or when the signal is aborted. */
  async released(seen: Lease | undefined, milliseconds: number, signal: AbortSignal): Promise<void> {
    if (seen !== undefined && !this.#isOpen && this.#clock.monotonic() >= this.#notBefore) void this.#watch(seen)
    const waiting = new LinkedAbort(signal)
    this.#wake = () => waiting.abort(new Error('the lease was given up'))
    if (this.#wasReleased) this.#wake()
    await this.#clock.sleep(milliseconds, waiting.signal).catch(() => {})
    waiting.release()
    this.#wasReleased = false
  }

  [Symbol.dispose](): void {
    this.#abort.abort(new Error('nobody waits for the lease any more'))
  }

  #release(): void {
    this.#wasReleased = true
    this.#wake()
  }

  async #watch({ metadata: { namespace = '', name = '', resourceVersion = '' } }: Lease): Promise<void> {
    this.#isOpen = true
    const { signal } = this.#abort
    try {
      const watch = await this.#client.watch(Lease, {
        namespace,
        fieldSelector: `metadata.name=${name}`,
        resourceVersion,
        timeoutSeconds,
        signal,
      })
      for await (const events of watch) {
        for (const event of events) {
          if (event.type !== 'MODIFIED') continue
          this.#onSeen(event.object)
          if ((event.object.spec?.holderIdentity ?? '') === '') this.#release()
        }
      }
    } catch {
      this.#notBefore = this.#clock.monotonic() + untilNextTry
    } finally {
      this.#isOpen = false
    }
  }
}
