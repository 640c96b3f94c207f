import { DigestCheck, repositoryPath, type Repository } from '../pullspec/index.ts'
import { connectionFailure, RegistryFailure } from './failure.ts'
import type { Descriptor } from './manifest.ts'

/**
 * The bytes of a blob on their way to a reader who may leave early. All of them are looked at, also those that the reader did not want: before that, nothing
 * that was read can be trusted.
 */
export class CheckedChunks implements AsyncIterable<Uint8Array> {
  readonly #place: Repository
  readonly #descriptor: Descriptor
  readonly #source: AsyncIterator<Uint8Array>
  readonly #check: DigestCheck
  #size = 0
  #failure: RegistryFailure | undefined

  constructor(place: Repository, descriptor: Descriptor, source: AsyncIterable<Uint8Array>) {
    this.#place = place
    this.#descriptor = descriptor
    this.#source = source[Symbol.asyncIterator]()
    this.#check = new DigestCheck(descriptor.digest)
  }

  /** Without `return`: a reader that leaves does not end the source. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#next() }
  }

  /**
   * Reads what is left and tells whether everything was as it should be.
   *
   * # Errors
   *
   * `RegistryFailure`: unreachable when bytes are missing, corrupt when they are others.
   */
  async finish(): Promise<void> {
    try {
      while (this.#failure === undefined && (await this.#next()).done !== true) {
        // Only the digest wants to see the rest.
      }
    } finally {
      await this.#source.return?.()
    }
    if (this.#failure !== undefined) throw this.#failure
    if (this.#size < this.#descriptor.size) throw this.#wrong('unreachable', `ended after ${this.#size} of ${this.#descriptor.size} bytes`)
    const actual = this.#check.actual()
    if (actual !== this.#descriptor.digest) throw this.#wrong('corrupt', `has the bytes of ${actual}. Push the image there again.`)
  }

  async #next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#failure !== undefined) throw this.#failure
    let step: IteratorResult<Uint8Array>
    try {
      step = await this.#source.next()
    } catch (error) {
      this.#failure = connectionFailure(this.#place, error)
      throw this.#failure
    }
    if (step.done === true) return { done: true, value: undefined }
    this.#size += step.value.length
    if (this.#size > this.#descriptor.size) {
      this.#failure = this.#wrong('corrupt', `has more than its ${this.#descriptor.size} bytes`)
      throw this.#failure
    }
    this.#check.update(step.value)
    return step
  }

  #wrong(kind: 'corrupt' | 'unreachable', problem: string): RegistryFailure {
    return new RegistryFailure(kind, `${this.#descriptor.digest} as ${repositoryPath(this.#place)} gives it ${problem}`)
  }
}
