import { inspect } from 'node:util'
import type { Clock } from '@windlass/core'
import { formatDuration } from '@windlass/core'
import type { Log } from '../log.ts'

const kept = 12

/** Passes messages on, and keeps the last warnings and errors for the report of a run that fails. */
export class RecentMessages implements Log {
  readonly #clock: Clock
  readonly #next: Log
  readonly #fields: object
  readonly #recent: string[]

  constructor(clock: Clock, next: Log, fields: object = {}, recent: string[] = []) {
    this.#clock = clock
    this.#next = next
    this.#fields = fields
    this.#recent = recent
  }

  get recent(): readonly string[] {
    return this.#recent
  }

  debug(fields: object, message: string): void {
    this.#next.debug(fields, message)
  }

  info(fields: object, message: string): void {
    this.#next.info(fields, message)
  }

  warn(fields: object, message: string): void {
    this.#keep(fields, message)
    this.#next.warn(fields, message)
  }

  error(fields: object, message: string): void {
    this.#keep(fields, message)
    this.#next.error(fields, message)
  }

  child(fields: object): Log {
    return new RecentMessages(this.#clock, this.#next.child(fields), { ...this.#fields, ...fields }, this.#recent)
  }

  #keep(fields: object, message: string): void {
    const about = Object.entries({ ...this.#fields, ...fields }).map(([name, value]) => `${name}=${inShort(value)}`)
    this.#recent.push(`+${formatDuration(this.#clock.monotonic())} ${message} ${about.join(' ')}`)
    if (this.#recent.length > kept) this.#recent.shift()
  }
}

function inShort(value: unknown): string {
  const text =
    value instanceof Error
      ? `${value.name}: ${value.message}`
      : typeof value === 'string'
        ? value
        : inspect(value, { breakLength: Infinity })
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`
}
