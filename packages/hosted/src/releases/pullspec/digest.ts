import { createHash, type Hash } from 'node:crypto'

declare const digest: unique symbol

/** The name of some bytes that nobody else can have: `sha256:` and 64 hexadecimal digits, or `sha512:` and 128. */
export type Digest = string & { readonly [digest]: true }

const pattern = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/

/** Thrown when a text is no digest that can be checked. */
export class InvalidDigestError extends Error {
  override readonly name = 'InvalidDigestError'
  readonly text: string

  constructor(text: string) {
    super(`"${text}" is not a digest: expected sha256: and 64 hexadecimal digits in lower case, or sha512: and 128`)
    this.text = text
  }
}

export function isDigest(text: string): text is Digest {
  return pattern.test(text)
}

export function asDigest(text: string): Digest {
  if (!isDigest(text)) throw new InvalidDigestError(text)
  return text
}

/** SHA-256, which is what every registry calls its contents by. */
export function digestOf(bytes: Uint8Array): Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}` as Digest
}

/** Looks at bytes as they pass, and tells at the end whether they were the ones that a digest names. */
export class DigestCheck {
  readonly expected: Digest
  readonly #hash: Hash
  readonly #algorithm: string

  constructor(expected: Digest) {
    this.expected = expected
    this.#algorithm = expected.slice(0, expected.indexOf(':'))
    this.#hash = createHash(this.#algorithm)
  }

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes)
  }

  /** The digest of everything that passed. Ends the check: nothing may pass afterwards. */
  actual(): Digest {
    return `${this.#algorithm}:${this.#hash.digest('hex')}` as Digest
  }
}
