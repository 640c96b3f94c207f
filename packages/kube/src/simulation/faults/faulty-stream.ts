import type { Cancel, Clock } from '@windlass/core'
import { ChunkQueue } from '../../transport/chunk-queue.ts'
import { ConnectionError, type TransportStream } from '../../transport/transport.ts'
import type { Dice } from './dice.ts'
import { lengths } from './faults.ts'

export interface FaultyStreamOptions {
  readonly inner: TransportStream
  readonly clock: Clock
  readonly dice: Dice
  /** Nobody reads any more: the connection can go. */
  readonly onEnd: () => void
}

/**
 * A stream whose pieces may come late, torn in the middle, or not at all, and which may break. Pieces keep their order: it is one
 * connection.
 */
export class FaultyStream implements TransportStream {
  readonly status: number
  readonly headers: TransportStream['headers']
  readonly chunks: AsyncIterable<Buffer>
  readonly #options: FaultyStreamOptions
  readonly #queue: ChunkQueue
  /** Pieces that wait behind one that is late; undefined while nothing is. */
  #late: Buffer[] | undefined
  #isSilent = false
  /** The server has no more to say: the end follows what is late. */
  #isComplete = false
  #hasEnded = false
  readonly #timers: Cancel[] = []

  constructor(options: FaultyStreamOptions) {
    this.#options = options
    this.status = options.inner.status
    this.headers = options.inner.headers
    this.#queue = new ChunkQueue({ onLeft: () => this.abandon() })
    this.chunks = this.#queue
    void this.#pump()
  }

  /** Draws when it breaks, and whether it falls silent. */
  arm(): void {
    const { clock, dice } = this.#options
    const untilCut = dice.untilNext('watchCuts')
    if (untilCut !== undefined) this.#timers.push(clock.after(untilCut, () => this.#cut()))
    if (!dice.happens('watchStalls')) return
    this.#timers.push(clock.after(dice.between('watchStalls', lengths.watchStalls), () => this.silence()))
  }

  /** Nothing comes any more, and nobody is told. */
  silence(): void {
    this.#isSilent = true
  }

  /** What has arrived is still read, then comes the end. */
  finish(end: 'done' | Error): void {
    if (this.#hasEnded) return
    if (end === 'done') this.#queue.end()
    else this.#queue.fail(end)
    this.abandon()
  }

  /** The connection goes. A reader that waits is not told: it left, or is dead. */
  abandon(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    for (const cancel of this.#timers) cancel()
    this.#options.onEnd()
  }

  async #pump(): Promise<void> {
    try {
      for await (const piece of this.#options.inner.chunks) {
        if (this.#hasEnded) return
        if (!this.#isSilent) this.#receive(piece)
      }
      this.#isComplete = true
      if (this.#late === undefined && !this.#isSilent) this.finish('done')
    } catch (error) {
      this.finish(error instanceof Error ? error : new ConnectionError(`the stream broke: ${String(error)}`, 'ECONNRESET'))
    }
  }

  #receive(piece: Buffer): void {
    if (this.#late !== undefined) {
      this.#late.push(piece)
      return
    }
    const { clock, dice } = this.#options
    if (!dice.happens('watchDelays')) {
      this.#queue.push(piece)
      return
    }
    const torn = dice.between('watchDelays', [0, piece.length])
    this.#queue.push(piece.subarray(0, torn))
    this.#late = [piece.subarray(torn)]
    this.#timers.push(clock.after(dice.between('watchDelays', lengths.watchDelays), () => this.#catchUp()))
  }

  #catchUp(): void {
    const late = this.#late ?? []
    this.#late = undefined
    if (this.#isSilent) return
    for (const piece of late) this.#queue.push(piece)
    if (this.#isComplete) this.finish('done')
  }

  /** With an error or without: a server that goes and a proxy that lost patience end streams differently. */
  #cut(): void {
    const { dice } = this.#options
    dice.struck('watchCuts')
    this.finish(dice.between('watchCuts', [0, 1]) === 0 ? 'done' : new ConnectionError('the connection broke in the middle', 'ECONNRESET'))
  }
}
