import type { Random } from './random.ts'

/** Web Crypto hands out at most this many bytes at a time. */
const mostBytesAtOnce = 65_536

/** The system's randomness. The only file that asks for it. */
export const systemRandom: Random = {
  /** Not for secrets: it spreads back-off and picks names. `uuid` and `bytes` come from the cryptographic source. */
  next: () => Math.random(),
  below: (bound) => Math.floor(Math.random() * bound),
  uuid: () => crypto.randomUUID(),
  bytes(length) {
    const bytes = new Uint8Array(length)
    for (let start = 0; start < length; start += mostBytesAtOnce) {
      crypto.getRandomValues(bytes.subarray(start, start + mostBytesAtOnce))
    }
    return bytes
  },
}
