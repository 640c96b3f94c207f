import type { Clock, Random } from '@windlass/core'
import { type Digest, DigestCheck, digestOf, isDigest, type Repository, repositoryPath } from '../pullspec/index.ts'
import { CheckedChunks } from './checked-chunks.ts'
import { Exchange } from './exchange.ts'
import { connectionFailure, RegistryFailure } from './failure.ts'
import { Limiter } from './limiter.ts'
import { type Descriptor, type Manifest, manifestTypes, parseManifest } from './manifest.ts'
import type { PullSecret } from './pull-secret.ts'
import { retrying, type RetryPolicy, usualRetries } from './retry.ts'
import { readWhole, type RegistryAnswer, type RegistryTransport } from './transport.ts'

export interface RegistryClientOptions {
  readonly transport: RegistryTransport
  readonly clock: Clock
  readonly random: Random
  /** Registries (`host` or `host:port`) that are spoken to without TLS. None unless told, this machine included. */
  readonly insecureRegistries?: readonly string[]
  /** Requests at once to one registry; 4 unless told. */
  readonly maxConcurrent?: number
  readonly retries?: Partial<RetryPolicy>
  /** Milliseconds until an answer must begin; 15 s unless told. */
  readonly answerTimeout?: number
}

export interface PullOptions {
  readonly pullSecret?: PullSecret | undefined
  readonly signal: AbortSignal
}

/** Registries accept manifests of up to 4 MiB. */
const largestManifest = 4 * 1024 * 1024
const largestBlob = 1024 ** 3

/**
 * Pulls manifests and blobs. Nothing that it gives is unchecked: what does not have the digest it was asked for is a failure.
 *
 * # Errors
 *
 * `RegistryFailure`, after as many attempts as make sense, or the signal's reason.
 */
export class RegistryClient {
  readonly #options: RegistryClientOptions
  readonly #exchange: Exchange
  readonly #limiter: Limiter

  constructor(options: RegistryClientOptions) {
    const { transport, clock, insecureRegistries = [], maxConcurrent = 4, answerTimeout = 15_000 } = options
    this.#options = options
    this.#limiter = new Limiter(maxConcurrent)
    this.#exchange = new Exchange({ transport, clock, answerTimeout, insecureRegistries: new Set(insecureRegistries) })
  }

  /** Resolves when a registry is there, whether it wants credentials or not. */
  async ping(registry: string, { signal }: Pick<PullOptions, 'signal'>): Promise<void> {
    const status = await this.#attempts({ registry, repository: '' }, signal, () => this.#exchange.probe(registry, signal))
    if (status === 200 || status === 401) return
    throw new RegistryFailure('unusable', `${this.#exchange.base(registry).href} is no registry: status ${status}`)
  }

  /** Where a tag points to at this moment. */
  digestOfTag(place: Repository, tag: string, options: PullOptions): Promise<Digest> {
    return this.#attempts(place, options.signal, async () => {
      const head = await this.#ask('HEAD', place, `manifests/${tag}`, options)
      await head.discard()
      const digest = head.headers['docker-content-digest'] ?? ''
      if (isDigest(digest)) return digest
      // Not every registry tells; then the manifest itself has to.
      const answer = await this.#ask('GET', place, `manifests/${tag}`, options)
      return digestOf(await this.#whole(place, answer, options))
    })
  }

  manifest(place: Repository, digest: Digest, options: PullOptions): Promise<Manifest> {
    return this.#attempts(place, options.signal, async () => {
      const answer = await this.#ask('GET', place, `manifests/${digest}`, options)
      const bytes = await this.#whole(place, answer, options)
      const check = new DigestCheck(digest)
      check.update(bytes)
      const actual = check.actual()
      if (actual !== digest) {
        throw new RegistryFailure('corrupt', `${repositoryPath(place)} gives ${actual} when asked for the manifest ${digest}`)
      }
      return parseManifest(bytes, answer.headers['content-type'])
    })
  }

  /** A blob that fits in memory: one of more than `limit` bytes is unusable. */
  blob(place: Repository, descriptor: Descriptor, limit: number, options: PullOptions): Promise<Buffer> {
    const read = async (chunks: AsyncIterable<Uint8Array>): Promise<Buffer> => {
      const pieces: Uint8Array[] = []
      for await (const chunk of chunks) pieces.push(chunk)
      return Buffer.concat(pieces)
    }
    return this.readBlob(place, descriptor, options, read, limit)
  }

  /**
   * Hands the bytes of a blob to a reader, who may leave early. Its result is given only when all bytes were the right ones.
   *
   * Caveat: the reader is started again from the beginning when the connection breaks off.
   */
  readBlob<T>(
    place: Repository,
    descriptor: Descriptor,
    options: PullOptions,
    read: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
    limit = largestBlob,
  ): Promise<T> {
    return this.#attempts(place, options.signal, async () => {
      if (descriptor.size > limit) {
        throw new RegistryFailure('unusable', `${descriptor.digest} has ${descriptor.size} bytes, more than the ${limit} that are read`)
      }
      const answer = await this.#ask('GET', place, `blobs/${descriptor.digest}`, options)
      const chunks = new CheckedChunks(place, descriptor, answer.body)
      const [outcome] = await Promise.allSettled([read(chunks)])
      options.signal.throwIfAborted()
      // Bytes that are not the right ones explain everything that the reader may have made of them.
      await chunks.finish().catch((error: unknown) => {
        options.signal.throwIfAborted()
        throw error
      })
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    })
  }

  #ask(method: 'GET' | 'HEAD', place: Repository, path: string, { pullSecret, signal }: PullOptions): Promise<RegistryAnswer> {
    const credential = pullSecret?.credentialFor(place)
    const [kind, name = ''] = path.split('/')
    // A manifest that nobody has is an image that does not exist; a blob that its own manifest names and nobody has is damage.
    const subject =
      kind === 'manifests'
        ? ({ what: `${place.repository}${isDigest(name) ? '@' : ':'}${name}`, absence: 'not-found', accept: manifestTypes } as const)
        : ({ what: `blob ${name}, which is a part of ${place.repository}`, absence: 'corrupt' } as const)
    return this.#exchange.ask({ method, place, path, credential, signal, ...subject })
  }

  async #whole(place: Repository, answer: RegistryAnswer, { signal }: PullOptions): Promise<Buffer> {
    let bytes: Buffer | undefined
    try {
      bytes = await readWhole(answer.body, largestManifest)
    } catch (error) {
      signal.throwIfAborted()
      throw connectionFailure(place, error)
    }
    if (bytes === undefined) throw new RegistryFailure('unusable', `${repositoryPath(place)} gives a manifest of more than 4 MiB`)
    return bytes
  }

  #attempts<T>(place: Repository, signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
    const { clock, random, retries } = this.#options
    return retrying({ clock, random, signal, policy: { ...usualRetries, ...retries } }, () =>
      this.#limiter.run(place.registry, signal, attempt),
    )
  }
}
