import { createHash, timingSafeEqual } from 'node:crypto'
import type { Random } from '@windlass/core'

/** A secret that lets one person in, once. The next one is made when it is used. */
export class OneTimeCode {
  readonly #random: Random
  #value: string

  constructor(random: Random) {
    this.#random = random
    this.#value = this.#make()
  }

  get value(): string {
    return this.#value
  }

  /** Whether it is the one; if so, it is no more. */
  redeem(code: string): boolean {
    if (!timingSafeEqual(digest(code), digest(this.#value))) return false
    this.#value = this.#make()
    return true
  }

  #make(): string {
    return Buffer.from(this.#random.bytes(24)).toString('base64url')
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
