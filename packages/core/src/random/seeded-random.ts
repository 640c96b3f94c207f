import type { Random } from './random.ts'

/**
 * Randomness that repeats: the same seed gives the same values in the same order, on every machine.
 *
 * A seed may be text, so that parts of a simulation can have streams of their own (`seededRandom(`${seed}/nodes`)`) and one part
 * asking once more does not change what another part gets.
 *
 * Caveat: predictable by design. Never for secrets outside a simulation.
 */
export function seededRandom(seed: number | string): Random {
  const word = sfc32(seed)
  const next = (): number => ((word() >>> 5) * 2 ** 26 + (word() >>> 6)) / 2 ** 53
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => word() & 0xff)
  return {
    next,
    below: (bound) => Math.floor(next() * bound),
    uuid: () => formatUuid(bytes(16)),
    bytes,
  }
}

/** Chris Doty-Humphrey's small fast counter generator: 128 bits of state, no multiplication, passes PractRand. */
function sfc32(seed: number | string): () => number {
  let [a, b, c] = stateFrom(String(seed))
  let counter = 1
  const word = (): number => {
    const result = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + result) | 0
    return result >>> 0
  }
  // Similar seeds start out similar; fifteen rounds are enough to part them.
  for (let round = 0; round < 15; round++) word()
  return word
}

/** Three FNV-1a hashes of the seed's text with different offsets. */
function stateFrom(seed: string): [number, number, number] {
  const hash = (offset: number): number => {
    let value = offset
    for (let index = 0; index < seed.length; index++) value = Math.imul(value ^ seed.charCodeAt(index), 0x01000193)
    return value | 0
  }
  return [hash(0x811c9dc5), hash(0x2b1d6e4f), hash(0x63f9a7b1)]
}

/** Version 4, variant 1: the layout that RFC 9562 gives random identifiers. */
function formatUuid(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte, index) => {
    const value = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    return value.toString(16).padStart(2, '0')
  }).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
