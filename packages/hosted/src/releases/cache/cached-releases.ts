import type { Clock, Instant } from '@windlass/core'
import { RegistryUnreachableError, ReleaseError } from '../errors.ts'
import { LruMap } from '../lru-map.ts'
import { atDigest, type Digest, type ImageReference } from '../pullspec/index.ts'
import { referenceTo } from '../reference.ts'
import type { Release, ReleaseContents, ReleaseResolver, ResolveOptions } from '../release.ts'
import type { LookupOptions, ReleaseSource } from '../release-source.ts'
import { SharedWork } from './shared-work.ts'

/** Where releases are kept for the next process. */
export interface ReleaseShelf {
  load(digest: Digest): Promise<ReleaseContents | undefined>
  save(digest: Digest, contents: ReleaseContents): Promise<void>
}

export interface CachedReleasesOptions {
  readonly source: ReleaseSource
  readonly clock: Clock
  /** Milliseconds for which the word of a tag counts; 30 min unless told. */
  readonly tagLifetime?: number
  /** Milliseconds for a look-up as a whole; 2 min unless told. */
  readonly lookupTimeout?: number
  /** How many releases are kept in memory; 256 unless told. One has some 30 KiB. */
  readonly releasesKept?: number
  readonly shelf?: ReleaseShelf
  /** Told when the shelf cannot be used. The release is given all the same. */
  readonly onProblem?: (message: string, error: unknown) => void
}

/** Milliseconds after the first failure and at most: for those that may pass by themselves, and for those that somebody has to mend. */
const patience = { transient: { first: 2000, longest: 30_000 }, terminal: { first: 15_000, longest: 120_000 } } as const

/** Pullspecs whose last answer is remembered. */
const answersKept = 4096

interface Failure {
  readonly error: ReleaseError
  readonly count: number
  readonly until: Instant
}

/**
 * Looks releases up and remembers them: by digest for ever, by tag for a while, failures for a little while that doubles each time. One look-up serves
 * all who ask for the same image with the same credentials at the same time.
 *
 * Version, digest and images of an answer are one entry: whoever asks twice while it counts gets the same object.
 *
 * Caveat: whoever names a digest gets the release without showing credentials once somebody else has looked it up. A release
 * tells names of images, none of which can be pulled without credentials.
 */
export class CachedReleases implements ReleaseResolver {
  readonly #options: CachedReleasesOptions
  readonly #contents: LruMap<Digest, ReleaseContents>
  readonly #answers = new LruMap<string, { readonly release: Release; readonly until: Instant }>(answersKept)
  readonly #failures = new LruMap<string, Failure>(answersKept)
  readonly #lookups = new SharedWork<Release>()

  constructor(options: CachedReleasesOptions) {
    this.#options = options
    this.#contents = new LruMap(options.releasesKept ?? 256)
  }

  async resolve(pullspec: string, options: ResolveOptions = {}): Promise<Release> {
    const reference = referenceTo(pullspec)
    const key = `${reference.text}\n${this.#options.source.keyOf(reference, options)}`
    const now = this.#options.clock.now()
    const answer = this.#answers.get(key)
    if (answer !== undefined && answer.until > now) return answer.release
    const failure = this.#failures.get(key)
    if (failure !== undefined && failure.until > now) throw failure.error
    return this.#lookups.run(key, options.signal, (signal) => this.#lookUp(key, reference, { ...options, signal }))
  }

  async #lookUp(key: string, reference: ImageReference, options: LookupOptions): Promise<Release> {
    const { clock, source, tagLifetime = 30 * 60_000 } = this.#options
    try {
      const release = await this.#inTime(reference, options, async (limited) => {
        const digest = await source.digestOf(reference, limited)
        const contents = await this.#contentsOf(reference, digest, limited)
        return { ...contents, pullspec: reference.text, digest, image: atDigest(reference, digest) }
      })
      const until = reference.digest === undefined ? clock.now() + tagLifetime : Infinity
      this.#answers.set(key, { release, until })
      this.#failures.delete(key)
      return release
    } catch (error) {
      if (error instanceof ReleaseError) this.#remember(key, error)
      throw error
    }
  }

  async #contentsOf(reference: ImageReference, digest: Digest, options: LookupOptions): Promise<ReleaseContents> {
    const known = this.#contents.get(digest) ?? (await this.#fromShelf(digest))
    const contents = known ?? (await this.#options.source.read(reference, digest, options))
    this.#contents.set(digest, contents)
    if (known === undefined) await this.#toShelf(digest, contents)
    return contents
  }

  /** Everything that is asked for one release, together, has a time limit. */
  async #inTime<T>(reference: ImageReference, options: LookupOptions, work: (options: LookupOptions) => Promise<T>): Promise<T> {
    const { clock, lookupTimeout = 120_000 } = this.#options
    const limit = new AbortController()
    const late = new RegistryUnreachableError(reference.text, `it could not be looked up within ${lookupTimeout / 1000} s`)
    const cancel = clock.after(lookupTimeout, () => limit.abort(late))
    try {
      return await work({ ...options, signal: AbortSignal.any([options.signal, limit.signal]) })
    } finally {
      cancel()
    }
  }

  #remember(key: string, error: ReleaseError): void {
    const count = (this.#failures.get(key)?.count ?? 0) + 1
    const { first, longest } = error.isTransient ? patience.transient : patience.terminal
    const asked = error instanceof RegistryUnreachableError ? (error.retryAfter ?? 0) : 0
    const wait = Math.max(asked, Math.min(first * 2 ** (count - 1), longest))
    this.#failures.set(key, { error, count, until: this.#options.clock.now() + wait })
  }

  async #fromShelf(digest: Digest): Promise<ReleaseContents | undefined> {
    const { shelf, onProblem } = this.#options
    try {
      return await shelf?.load(digest)
    } catch (error) {
      onProblem?.(`the release ${digest} cannot be read from where it is kept, and is looked up again`, error)
      return undefined
    }
  }

  async #toShelf(digest: Digest, contents: ReleaseContents): Promise<void> {
    const { shelf, onProblem } = this.#options
    try {
      await shelf?.save(digest, contents)
    } catch (error) {
      onProblem?.(`the release ${digest} cannot be kept, and will be looked up again by the next process`, error)
    }
  }
}
