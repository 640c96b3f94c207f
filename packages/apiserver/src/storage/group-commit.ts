import type { Batch } from './engine.ts'
import { PendingBatch } from './pending-batch.ts'
import { StoreError } from './store.ts'

export interface GroupCommitOptions {
  readonly commit: (batch: Batch) => Promise<void>
  /** Called when a batch is durable, before any who wait for it learn so. */
  readonly onDurable: (batch: PendingBatch) => void
  /** For the message when writing fails. */
  readonly place: string
}

/**
 * Takes writes to the disk in groups: while one group is being flushed, the next one gathers. A lone write leaves at once; under load the
 * cost of a flush is shared by all that came in meanwhile.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  #gathering = new PendingBatch()
  #inFlight: PendingBatch | undefined
  #isRunning = false
  #failure: StoreError | undefined

  constructor(options: GroupCommitOptions) {
    this.#options = options
  }

  /** Set once a flush failed. What the disk holds is not known then, so nothing may follow. */
  get failure(): StoreError | undefined {
    return this.#failure
  }

  /** Newest first: what a new write must see before it looks at durable state. */
  pending(): readonly PendingBatch[] {
    return this.#inFlight === undefined ? [this.#gathering] : [this.#gathering, this.#inFlight]
  }

  /** Adds to the next group, and gives it. */
  gather(add: (batch: PendingBatch) => void): PendingBatch {
    const batch = this.#gathering
    add(batch)
    if (!this.#isRunning) {
      this.#isRunning = true
      queueMicrotask(() => void this.#run())
    }
    return batch
  }

  /** Resolves when everything gathered so far is durable. */
  settled(): Promise<void> {
    if (!this.#gathering.isEmpty) return this.#gathering.durable
    return this.#inFlight?.durable ?? Promise.resolve()
  }

  async #run(): Promise<void> {
    while (!this.#gathering.isEmpty && this.#failure === undefined) {
      const batch = this.#gathering
      this.#inFlight = batch
      this.#gathering = new PendingBatch()
      try {
        await this.#options.commit(batch.seal())
        this.#inFlight = undefined
        this.#options.onDurable(batch)
        batch.succeed()
      } catch (error) {
        this.#fail(batch, error)
      }
    }
    this.#isRunning = false
  }

  #fail(batch: PendingBatch, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    this.#failure = new StoreError(
      `${this.#options.place} could not be written (${reason}): nothing is read or written until the server is started again; check the disk's space and health first`,
      { cause: error },
    )
    batch.fail(this.#failure)
    this.#gathering.fail(this.#failure)
  }
}
