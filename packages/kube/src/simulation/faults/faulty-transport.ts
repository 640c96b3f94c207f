import type { Clock, Instant } from '@windlass/core'
import { abortReason } from '../../transport/abort.ts'
import {
  ConnectionError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type TransportStream,
} from '../../transport/transport.ts'
import { Dice, type FaultCounts, noFaults } from './dice.ts'
import { FaultyStream } from './faulty-stream.ts'
import { chosenFaults, type FaultChoice, lengths } from './faults.ts'
import { refusalOf } from './refusal.ts'
import { verbOf } from './verb.ts'

export interface FaultyTransportOptions {
  readonly inner: Transport
  /** The world's, not that of the process: what is on the wire goes on when its sender dies. */
  readonly clock: Clock
  readonly dice: Dice
}

export interface NetworkOptions {
  readonly inner: Transport
  readonly clock: Clock
  readonly faults: FaultChoice
  readonly seed: number | string
  /** From when on nothing goes wrong any more; never unless told. */
  readonly calmAt?: Instant
}

/** A network of its own, for tests that need no more of the world than that. */
export function faultyTransport({ inner, clock, faults, seed, calmAt = Infinity }: NetworkOptions): FaultyTransport {
  const dice = new Dice({ seed: String(seed), faults: chosenFaults(faults), clock, calmAt, counts: noFaults() })
  return new FaultyTransport({ inner, clock, dice })
}

/**
 * The network between one process and the API. Requests take time, get lost before or after the server has seen them, or are refused;
 * streams are late, fall silent or break. The process can be cut off for a while, and can die.
 */
export class FaultyTransport implements Transport {
  readonly host: string
  readonly #options: FaultyTransportOptions
  readonly #streams = new Set<FaultyStream>()
  /** Set while the API is out of reach. */
  #outage: { readonly isSilent: boolean; readonly over: PromiseWithResolvers<void> } | undefined
  #isDead = false
  #requests = 0

  constructor(options: FaultyTransportOptions) {
    this.#options = options
    this.host = options.inner.host
  }

  /** How often each kind of fault struck. */
  get faults(): Readonly<FaultCounts> {
    return this.#options.dice.counts
  }

  /** How many were sent, streams included. */
  get requests(): number {
    return this.#requests
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    const { signal: _, ...unsigned } = request
    return this.#travel(request, {
      deliver: () => this.#options.inner.send(unsigned),
      refuse: (refusal) => refusal,
      drop: () => {},
    })
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    return this.#travel<TransportStream>(request, {
      deliver: () => this.#open(request),
      refuse: inPieces,
      drop: (stream) => void (stream instanceof FaultyStream && stream.abandon()),
    })
  }

  async close(): Promise<void> {
    for (const stream of this.#streams) stream.finish(broken())
    await this.#options.inner.close()
  }

  /** Takes the API out of reach. A silent outage answers nothing until it is over; any other refuses at once. */
  cutOff(isSilent: boolean): void {
    if (this.#outage !== undefined) return
    this.#outage = { isSilent, over: Promise.withResolvers() }
    for (const stream of this.#streams) {
      if (isSilent) stream.silence()
      else stream.finish(broken())
    }
  }

  reconnect(): void {
    const outage = this.#outage
    this.#outage = undefined
    if (outage?.isSilent === true) for (const stream of this.#streams) stream.finish(broken())
    outage?.over.resolve()
  }

  /** Whoever used it is gone: no answer reaches anybody any more. What is on its way to the server still arrives. */
  kill(): void {
    this.#isDead = true
    for (const stream of this.#streams) stream.abandon()
  }

  async #open(request: TransportRequest): Promise<TransportStream> {
    const { inner, clock, dice } = this.#options
    const connection = new AbortController()
    const { signal } = request
    const leave = (): void => void (signal !== undefined && stream.finish(abortReason(signal)))
    const stream: FaultyStream = new FaultyStream({
      inner: await inner.stream({ ...request, signal: connection.signal }),
      clock,
      dice,
      onEnd: () => {
        signal?.removeEventListener('abort', leave)
        this.#streams.delete(stream)
        connection.abort(broken())
      },
    })
    this.#streams.add(stream)
    signal?.addEventListener('abort', leave, { once: true })
    if (signal?.aborted === true) leave()
    else if (verbOf(request) === 'watch') stream.arm()
    return stream
  }

  /** Settles when the answer is there or the caller gives up, whichever is first; never when the caller is dead. */
  #travel<A>(request: TransportRequest, call: Call<A>): Promise<A> {
    this.#requests++
    const { signal } = request
    if (signal?.aborted === true) return Promise.reject(abortReason(signal))
    return new Promise((resolve, reject) => {
      let hasLeft = false
      const leave = (): void => {
        hasLeft = true
        if (!this.#isDead && signal !== undefined) reject(abortReason(signal))
      }
      signal?.addEventListener('abort', leave, { once: true })
      const arrive = async (): Promise<void> => {
        try {
          const answer = await this.#pass(request, call)
          if (hasLeft || this.#isDead) call.drop(answer)
          else resolve(answer)
        } catch (error) {
          if (!this.#isDead) reject(error instanceof Error ? error : new Error(String(error)))
        } finally {
          signal?.removeEventListener('abort', leave)
        }
      }
      void arrive()
    })
  }

  /** There and back. All dice are rolled at the start: their order is that of the requests, however long each takes. */
  async #pass<A>(request: TransportRequest, call: Call<A>): Promise<A> {
    const { clock, dice } = this.#options
    const verb = verbOf(request)
    const [there, back] = dice.latency(verb)
    const slowness = verb === 'list' && dice.happens('slowLists') ? dice.between('slowLists', lengths.slowLists) : 0
    const isLost = dice.happens('lostRequests')
    const isAnswerLost = dice.happens('lostAnswers')
    const refusal = refusalOf(request, verb, dice)
    if (there > 0) await clock.sleep(there)
    await this.#reach()
    if (isLost) throw new ConnectionError(`${this.host} did not answer: the request was lost`, 'ECONNRESET')
    const answer = refusal === undefined ? await call.deliver() : call.refuse(refusal)
    if (back + slowness > 0) await clock.sleep(back + slowness)
    if (!isAnswerLost && this.#outage === undefined) return answer
    call.drop(answer)
    await this.#outage?.over.promise
    throw new ConnectionError(`${this.host} did not answer: the connection broke after the request was sent`, 'ECONNRESET')
  }

  async #reach(): Promise<void> {
    if (this.#outage === undefined) return
    if (!this.#outage.isSilent) throw new ConnectionError(`${this.host} refused the connection`, 'ECONNREFUSED')
    await this.#outage.over.promise
    throw new ConnectionError(`${this.host} did not answer in time`, 'ETIMEDOUT')
  }
}

interface Call<A> {
  /** Lets the server do what is asked. */
  readonly deliver: () => Promise<A>
  readonly refuse: (refusal: TransportResponse) => A
  /** Nobody is there to take the answer. */
  readonly drop: (answer: A) => void
}

function inPieces({ status, headers, body }: TransportResponse): TransportStream {
  async function* chunks(): AsyncGenerator<Buffer, void, undefined> {
    yield await Promise.resolve(body)
  }
  return { status, headers, chunks: chunks() }
}

function broken(): ConnectionError {
  return new ConnectionError('the connection broke', 'ECONNRESET')
}
