import { createHash } from 'node:crypto'
import type { Instant } from '@windlass/core'
import type { Write } from './write.ts'

/**
 * Every durable change of a run. Two runs of the same seed write the same log, byte for byte: who wrote what, when, and what it looked
 * like afterwards, with its uid and its times.
 */
export class WriteLog {
  readonly #start: Instant
  readonly #writes: Write[] = []
  readonly #hash = createHash('sha256')

  constructor(start: Instant) {
    this.#start = start
  }

  get writes(): readonly Write[] {
    return this.#writes
  }

  add(write: Write): void {
    this.#writes.push(write)
    this.#hash.update(`${write.at - this.#start} ${write.toString()}\n`)
    this.#hash.update(write.bytes)
  }

  /** Of everything so far. */
  hash(): string {
    return this.#hash.copy().digest('hex')
  }
}

/** Where two logs part: for people who look for what is not repeatable. Undefined when they are equal. */
export function firstDifference(a: readonly Write[], b: readonly Write[]): string | undefined {
  const longer = Math.max(a.length, b.length)
  for (let index = 0; index < longer; index++) {
    const [first, second] = [a[index], b[index]]
    if (first !== undefined && second !== undefined && isSame(first, second)) continue
    return `write ${index + 1} of ${longer} differs:\n  ${describe(first)}\n  ${describe(second)}`
  }
  return undefined
}

function isSame(a: Write, b: Write): boolean {
  return a.toString() === b.toString() && a.at === b.at && a.bytes.equals(b.bytes)
}

function describe(write: Write | undefined): string {
  return write === undefined
    ? '(nothing more)'
    : `at ${new Date(write.at).toISOString()} ${write.toString()}: ${write.bytes.toString('utf8')}`
}
