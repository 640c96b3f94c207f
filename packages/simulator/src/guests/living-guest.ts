import type { Clock, Random } from '@windlass/core'
import { type AnyController, type Client, createController, createEventRecorder, createSharedCache, type Log } from '@windlass/kube'
import { ReleaseFeed } from '../cluster/index.ts'
import type { KnownRelease } from './release-lookup.ts'

export interface LivingGuestOptions {
  readonly kubeconfig: string
  /** Closed when the guest ends. */
  readonly client: Client
  /** What runs in it, for a guest that learns from this feed which release is asked for. */
  readonly controllers: (release: ReleaseFeed) => readonly AnyController[]
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Called when it ends though nobody has ended it. */
  readonly onFailure: () => void
}

/** A guest whose controllers run. They share one small cache: of each guest there is one ClusterVersion and a few ClusterOperators. */
export class LivingGuest {
  readonly kubeconfig: string
  /** Resolves when nothing of it runs any more. Never rejects. */
  readonly ended: Promise<void>
  readonly #feed = new ReleaseFeed()
  readonly #ending = new AbortController()
  #failure: Error | undefined

  constructor(options: LivingGuestOptions) {
    this.kubeconfig = options.kubeconfig
    this.ended = this.#live(options)
  }

  /** Why it ended though nobody has ended it. */
  get failure(): Error | undefined {
    return this.#failure
  }

  ask({ version, image }: KnownRelease): void {
    const before = this.#feed.current()
    if (before?.image !== image || before.version !== version) this.#feed.ask({ version, image })
  }

  end(): void {
    this.#ending.abort(new Error('the guest is not simulated any more'))
  }

  async #live({ client, controllers, clock, random, log, onFailure }: LivingGuestOptions): Promise<void> {
    const { signal } = this.#ending
    const cache = createSharedCache({ client, clock, random, log })
    const recorder = createEventRecorder({ client, clock, random, log, controller: 'windlass.dev/simulator', instance: 'simulator' })
    const runners = controllers(this.#feed).map((definition) => {
      const events = recorder.as(`windlass.dev/${definition.name}`)
      return createController(definition, { client, cache, clock, random, log, events })
    })
    const parts = [cache, recorder, ...runners].map((part) => part.run(signal).catch((error: unknown) => this.#fail(error)))
    await Promise.all(parts)
    // Whether it ends well concerns nobody any more.
    await client.close().catch(() => undefined)
    if (this.#failure !== undefined) onFailure()
  }

  /** What one part cannot do without, the others cannot either. */
  #fail(error: unknown): void {
    if (this.#ending.signal.aborted) return
    this.#failure = error instanceof Error ? error : new Error(String(error))
    this.end()
  }
}
