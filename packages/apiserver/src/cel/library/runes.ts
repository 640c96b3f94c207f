/** CEL counts and cuts text by code points, JavaScript by 16-bit units. */
const pairs = /[\ud800-\udbff][\udc00-\udfff]/

/** The length in code points. */
export function lengthOf(text: string): number {
  return pairs.test(text) ? Array.from(text).length : text.length
}

/** Text by code points: most text has none beyond 16 bits and is sliced as it is. */
interface Runes {
  readonly length: number
  slice(from: number, to?: number): string
}

export function runes(text: string): Runes {
  if (!pairs.test(text)) return text
  const points = Array.from(text)
  return { length: points.length, slice: (from, to) => points.slice(from, to).join('') }
}
