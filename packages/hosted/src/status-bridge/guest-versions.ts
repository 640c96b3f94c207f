import { ClusterVersion } from '@windlass/api'
import type { Clock, Random } from '@windlass/core'
import { cached, createSharedCache, keyOf } from '@windlass/kube'
import type { Client, Log, Ref, SharedCache, Source } from '@windlass/kube'
import { failed, found } from '../hosted-cluster/lookup.ts'
import type { Lookup } from '../hosted-cluster/lookup.ts'

/** The one object that tells the version of a guest. Nothing else of guests is kept: there are thousands. */
const versions = cached(ClusterVersion, { fieldSelector: 'metadata.name=version' })

/** A watch that ends is begun anew at once. Only a guest that cannot be reached for so long is one that cannot be reached. */
const patience = 60_000

export interface GuestVersionsOptions {
  readonly connect: (kubeconfig: string, name: string) => Client | Promise<Client>
}

/** What following a guest takes. */
export interface FollowParts {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Follows the versions of many guests, each over a watch of its own, and says whose has changed. */
export class GuestVersions {
  readonly #options: GuestVersionsOptions
  readonly #followed = new Map<string, Followed>()
  readonly #changed = new Changes()

  constructor(options: GuestVersionsOptions) {
    this.#options = options
  }

  /** Gives guests whose version has changed. What is followed is left when the source ends. */
  readonly source: Source = ({ signal }) => this.#changes(signal)

  /** What the guest says, as far as it is known now. The first time it is asked about a guest, or about one with another kubeconfig, it begins to follow it. */
  async read(ref: Ref, kubeconfig: string, parts: FollowParts): Promise<Lookup<ClusterVersion>> {
    const key = keyOf(ref)
    let followed = this.#followed.get(key)
    if (followed?.kubeconfig !== kubeconfig) {
      followed?.leave()
      followed = new Followed(kubeconfig, await this.#options.connect(kubeconfig, key), parts, () => this.#changed.add(ref))
      this.#followed.get(key)?.leave()
      this.#followed.set(key, followed)
    }
    return followed.read()
  }

  forget(ref: Ref): void {
    const key = keyOf(ref)
    this.#followed.get(key)?.leave()
    this.#followed.delete(key)
  }

  async *#changes(signal: AbortSignal): AsyncIterable<Ref> {
    try {
      yield* this.#changed.until(signal)
    } finally {
      for (const followed of this.#followed.values()) followed.leave()
      this.#followed.clear()
    }
  }
}

/** One guest. */
class Followed {
  readonly kubeconfig: string
  readonly #client: Client
  readonly #cache: SharedCache
  readonly #clock: Clock
  readonly #left = new AbortController()
  #troubledSince: number | undefined
  /** Why it ended though nobody has left it. */
  #failure: string | undefined

  constructor(kubeconfig: string, client: Client, { clock, random, log }: FollowParts, onChange: () => void) {
    this.kubeconfig = kubeconfig
    this.#client = client
    this.#clock = clock
    this.#cache = createSharedCache({ client, clock, random, log })
    this.#cache.declare(versions)
    this.#cache.onChange(versions, onChange)
    this.#cache.run(this.#left.signal).then(
      () => this.#close(),
      (error: unknown) => {
        this.#failure = error instanceof Error ? error.message : 'the watch has ended'
        onChange()
        this.#close()
      },
    )
    // One that has no version yet has nothing to tell but that.
    this.#cache.synced(this.#left.signal).then(onChange, () => undefined)
  }

  read(): Lookup<ClusterVersion> {
    if (this.#failure !== undefined) return failed(this.#failure)
    const problem = this.#cache.describe().find((each) => each.problem !== undefined)?.problem
    const now = this.#clock.monotonic()
    this.#troubledSince = problem === undefined ? undefined : (this.#troubledSince ?? now)
    const isPatient = this.#cache.hasSynced && now - (this.#troubledSince ?? now) < patience
    if (problem !== undefined && !isPatient) return failed(problem)
    if (!this.#cache.hasSynced) return failed('the guest has not answered yet')
    const version = this.#cache.get(versions, { name: 'version' })
    return version === undefined ? failed('ClusterVersion version not found') : found(version)
  }

  leave(): void {
    this.#left.abort(new Error('the guest is not followed any more'))
  }

  #close(): void {
    // Whether it ends well concerns nobody any more.
    this.#client.close().catch(() => undefined)
  }
}

/** Refs that wait to be taken, each once. */
class Changes {
  readonly #waiting = new Map<string, Ref>()
  #wake: (() => void) | undefined

  add(ref: Ref): void {
    this.#waiting.set(keyOf(ref), ref)
    this.#wake?.()
  }

  async *until(signal: AbortSignal): AsyncIterable<Ref> {
    const wake = (): void => this.#wake?.()
    signal.addEventListener('abort', wake, { once: true })
    try {
      while (!signal.aborted) {
        const [first] = this.#waiting
        if (first === undefined) {
          await new Promise<void>((resolve) => (this.#wake = resolve))
          continue
        }
        this.#waiting.delete(first[0])
        yield first[1]
      }
    } finally {
      signal.removeEventListener('abort', wake)
    }
  }
}
