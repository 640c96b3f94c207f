import { type Clock, Delays } from '@windlass/core'
import type { QueueGauges, QueueMetrics, RuntimeMetrics } from '../metrics/metrics.ts'
import { backOff, type BackOffOptions } from './back-off.ts'
import { Item } from './item.ts'
import { Lines, Tenant } from './lines.ts'
import type { TokenBucket } from './token-bucket.ts'
import { type QueueView, viewQueue } from './view.ts'

export interface WorkQueueOptions {
  readonly clock: Clock
  /** Called whenever a key has become ready for `next`. Must not call back into the queue before it returns. */
  readonly onReady?: () => void
  readonly backOff?: BackOffOptions
  /** Holds back retries of all keys together, so that a server in trouble is not finished off. */
  readonly limiter?: TokenBucket
  /** Whose a key is. Everybody's unless told. */
  readonly tenant?: (key: string) => string
  /** Any number unless told. */
  readonly maxRunningPerTenant?: number
  /** Names it in metrics. */
  readonly name?: string
  readonly metrics?: RuntimeMetrics
}

export interface AddOptions {
  /** Higher goes first; 0 unless told. */
  readonly priority?: number
  /** Not before so many milliseconds from now. */
  readonly after?: number
  /** What a delay is for, in words that finish "waits for …". */
  readonly why?: string
}

/**
 * Keys to look at, each at most once at a time and never twice for one reason.
 *
 * A key that is added again before it was taken is there once: with the highest priority it was added with, and the earliest time. A key that
 * is added while it runs goes again afterwards. Nothing here waits: whoever takes keys asks `next` when `onReady` says so, as often as it has
 * a worker to spare, and says `done`.
 */
export class WorkQueue implements QueueGauges {
  readonly #options: WorkQueueOptions
  readonly #clock: Clock
  readonly #metrics: QueueMetrics | undefined
  readonly #items = new Map<string, Item>()
  readonly #running = new Set<Item>()
  readonly #tenants = new Map<string, Tenant>()
  readonly #lines: Lines
  readonly #delays: Delays<Item>
  #isClosed = false

  constructor(options: WorkQueueOptions) {
    this.#options = options
    this.#clock = options.clock
    this.#lines = new Lines(options.maxRunningPerTenant ?? Number.POSITIVE_INFINITY)
    this.#delays = new Delays(options.clock, (item) => this.#wait(item))
    this.#metrics = options.metrics?.queue(options.name ?? '', this)
  }

  add(key: string, { priority = 0, after = 0, why }: AddOptions = {}): void {
    if (this.#isClosed) return
    const item = this.#itemOf(key)
    const due = after > 0 ? this.#clock.monotonic() + after : 0
    if (item.stage === 'idle') {
      this.#metrics?.added()
      ask(item, priority, due, why)
      this.#place(item)
    } else if (item.stage === 'running') {
      if (!item.goesAgain) this.#metrics?.added()
      if (!item.goesAgain || due < item.due) ask(item, item.goesAgain ? Math.max(priority, item.priority) : priority, due, why)
      else if (priority > item.priority) item.priority = priority
      item.goesAgain = true
    } else {
      this.#hasten(item, priority, due, why)
    }
  }

  /** Adds a key that has failed, with a delay that doubles each time in a row. It keeps the priority it ran with unless told. */
  retry(key: string, { priority, why }: Omit<AddOptions, 'after'> = {}): void {
    if (this.#isClosed) return
    const item = this.#itemOf(key)
    item.failures++
    this.#metrics?.retried()
    const after = Math.max(backOff(item.failures, this.#options.backOff), this.#options.limiter?.take(this.#clock.monotonic()) ?? 0)
    this.add(key, { priority: priority ?? item.runningPriority, after, why: why ?? `another try after failure ${item.failures}` })
  }

  /** It has succeeded: the next failure is the first. */
  forget(key: string): void {
    const item = this.#items.get(key)
    if (item === undefined) return
    item.failures = 0
    this.#dropIfIdle(item)
  }

  /** The key whose turn it is. It runs until `done`. Undefined when none is ready. */
  next(): string | undefined {
    if (this.#isClosed) return undefined
    const item = this.#lines.shift()
    if (item === undefined) return undefined
    const now = this.#clock.monotonic()
    this.#metrics?.waited((now - item.since) / 1_000)
    item.stage = 'running'
    item.since = now
    item.runningPriority = item.priority
    this.#running.add(item)
    return item.key
  }

  /** Nobody works on the key any more. */
  done(key: string): void {
    const item = this.#items.get(key)
    if (item?.stage !== 'running') return
    this.#metrics?.worked((this.#clock.monotonic() - item.since) / 1_000)
    this.#running.delete(item)
    this.#lines.done(item.tenant)
    item.stage = 'idle'
    if (item.goesAgain) {
      item.goesAgain = false
      this.#place(item)
    } else {
      this.#dropIfIdle(item)
    }
    if (this.#options.maxRunningPerTenant !== undefined) this.#options.onReady?.()
  }

  /** Nothing is added, taken or timed from now on. */
  close(): void {
    this.#isClosed = true
    this.#delays.close()
  }

  depths(): ReadonlyMap<number, number> {
    return this.#lines.depths()
  }

  unfinishedSeconds(): number {
    const now = this.#clock.monotonic()
    let sum = 0
    for (const { since } of this.#running) sum += now - since
    return sum / 1_000
  }

  longestRunningSeconds(): number {
    // Kept in the order in which they were taken: the first is the oldest.
    for (const { since } of this.#running) return (this.#clock.monotonic() - since) / 1_000
    return 0
  }

  /** For `/debug/queue`: what is in there, since when, and why it does not go yet. The first `limit` keys only; 1,000 unless told. */
  view(limit = 1_000): QueueView {
    return viewQueue(this.#items.values(), { clock: this.#clock, limit, isFull: (tenant) => this.#lines.isFull(tenant) })
  }

  /** For a key that is delayed or waits already. */
  #hasten(item: Item, priority: number, due: number, why: string | undefined): void {
    if (due < item.due) {
      this.#unplace(item)
      ask(item, Math.max(priority, item.priority), due, why)
      this.#place(item)
    } else if (priority > item.priority) {
      // A delay does not care about priority.
      if (item.stage === 'waiting') this.#lines.remove(item)
      item.priority = priority
      if (item.stage === 'waiting') this.#lines.push(item)
    }
  }

  #place(item: Item): void {
    if (item.due === 0) {
      this.#wait(item)
      return
    }
    item.stage = 'delayed'
    item.since = this.#clock.monotonic()
    this.#delays.add(item)
  }

  #unplace(item: Item): void {
    if (item.stage === 'delayed') this.#delays.remove(item)
    else this.#lines.remove(item)
  }

  #wait(item: Item): void {
    item.stage = 'waiting'
    item.due = 0
    item.why = undefined
    item.since = this.#clock.monotonic()
    this.#lines.push(item)
    this.#options.onReady?.()
  }

  #itemOf(key: string): Item {
    const found = this.#items.get(key)
    if (found !== undefined) return found
    const item = new Item(key, this.#tenantOf(key))
    item.tenant.keys++
    this.#items.set(key, item)
    return item
  }

  #tenantOf(key: string): Tenant {
    const name = this.#options.tenant?.(key) ?? ''
    const found = this.#tenants.get(name)
    if (found !== undefined) return found
    const tenant = new Tenant(name)
    this.#tenants.set(name, tenant)
    return tenant
  }

  #dropIfIdle(item: Item): void {
    if (item.stage !== 'idle' || item.failures > 0) return
    this.#items.delete(item.key)
    if (--item.tenant.keys === 0 && this.#options.tenant !== undefined) this.#tenants.delete(item.tenant.name)
  }
}

function ask(item: Item, priority: number, due: number, why: string | undefined): void {
  item.priority = priority
  item.due = due
  item.why = why
}
