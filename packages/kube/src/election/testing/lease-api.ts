import type { KubernetesObject, Lease, Resource } from '@windlass/api'
import type { Clock, Random } from '@windlass/core'
import type { Draft, Ref, WriteOptions } from '../../client/client.ts'
import { orAborted } from '../../transport/abort.ts'
import { ConnectionError } from '../../transport/transport.ts'
import type { LeaseClient } from '../lease-hold.ts'

/** What may go wrong on the way to the server and back. Chances are between 0 and 1, times in milliseconds. */
export interface Trouble {
  readonly latency: number
  /** Now and then a request or an answer takes this much longer. */
  readonly delay: number
  readonly delayed: number
  /** The server never sees the request. */
  readonly lostRequest: number
  /** The server does what was asked, and nobody hears of it. */
  readonly lostAnswer: number
}

export const calm: Trouble = { latency: 5, delay: 0, delayed: 0, lostRequest: 0, lostAnswer: 0 }

/** One Lease on a server behind a network in which anything may happen, many times faster than a whole server. */
export class LeaseApi {
  readonly #clock: Clock
  readonly #random: Random
  #revision = 1
  lease: Lease | undefined
  trouble: Trouble = calm

  get holder(): string | undefined {
    return this.lease?.spec?.holderIdentity
  }

  /** Somebody deletes it by hand. */
  deleteLease(): void {
    this.lease = undefined
  }

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  /** A way to the server with troubles of its own, if told. */
  client(way: { readonly trouble: Trouble } = this): LeaseClient {
    const exchange = <T>(signal: AbortSignal | undefined, serve: () => T): Promise<T> => this.#exchange(way, signal, serve)
    return {
      find: <T extends KubernetesObject>(_kind: Resource<T>, _ref: Ref, options: WriteOptions = {}) =>
        exchange(options.signal, () => this.lease as T | undefined),
      create: <T extends KubernetesObject>(_kind: Resource<T>, object: Draft<T>, options: WriteOptions = {}) =>
        exchange(options.signal, () => this.#create(object) as KubernetesObject as T),
      update: <T extends KubernetesObject>(_kind: Resource<T>, object: T, options: WriteOptions = {}) =>
        exchange(options.signal, () => this.#update(object as KubernetesObject as Lease) as KubernetesObject as T),
      watch: () => Promise.reject(new Error('forbidden')),
    }
  }

  #create(object: object): Lease {
    if (this.lease !== undefined) throw new Error('already exists')
    return this.#store(object as Lease)
  }

  #update(object: Lease): Lease {
    if (object.metadata.resourceVersion !== this.lease?.metadata.resourceVersion) throw new Error('conflict')
    return this.#store(object)
  }

  #store(object: Lease): Lease {
    this.lease = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#revision) } }
    return this.lease
  }

  /** An aborted request may still arrive: giving up on an answer does not call back what was sent. */
  #exchange<T>(way: { readonly trouble: Trouble }, signal: AbortSignal | undefined, serve: () => T): Promise<T> {
    const travel = async (): Promise<T> => {
      await this.#transit(way.trouble)
      if (this.#happens(way.trouble.lostRequest)) throw new ConnectionError('connection refused', 'ECONNREFUSED')
      let answer: () => T
      try {
        const served = serve()
        answer = () => served
      } catch (error) {
        answer = () => {
          throw error
        }
      }
      await this.#transit(way.trouble)
      if (this.#happens(way.trouble.lostAnswer)) throw new ConnectionError('connection reset', 'ECONNRESET')
      return answer()
    }
    return orAborted(travel(), signal)
  }

  #transit({ latency, delay, delayed }: Trouble): Promise<void> {
    const extra = this.#happens(delayed) ? delay * this.#random.next() : 0
    return this.#clock.sleep(latency * this.#random.next() + extra)
  }

  #happens(chance: number): boolean {
    return chance > 0 && this.#random.next() < chance
  }
}

/** A clock that runs `rate` times as fast as the real one, and whose wall time may be put anywhere. */
export class OwnClock implements Clock {
  readonly #clock: Clock
  readonly #rate: number
  wallOffset = 0

  constructor(clock: Clock, rate = 1) {
    this.#clock = clock
    this.#rate = rate
  }

  now(): number {
    return this.#clock.now() * this.#rate + this.wallOffset
  }

  monotonic(): number {
    return this.#clock.monotonic() * this.#rate
  }

  after(milliseconds: number, fire: () => void): () => void {
    return this.#clock.after(milliseconds / this.#rate, fire)
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(milliseconds / this.#rate, signal)
  }
}
