/** 32 bits of FNV-1a over the UTF-16 units of a text: enough to tell things apart that stand side by side, not to keep secrets. */
export function hash32(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  // FNV leaves similar texts similar in their high bits, and the names of slots differ in one digit only.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** What Kubernetes makes generated names of: no vowels, so that they say nothing rude, and no digits that look like letters. */
const letters = 'bcdfghjklmnpqrstvwxz2456789'

/** A few letters that are always the same for the same text. */
export function lettersOf(text: string, length: number): string {
  let result = ''
  let value = hash32(text)
  for (let index = 0; index < length; index++) {
    if (index === 5) value = hash32(`${text}/${value}`)
    result += letters[value % letters.length] ?? ''
    value = Math.floor(value / letters.length)
  }
  return result
}

/** `10.128.0.0/14` and the like: an address from a block of 2^`bits`, always the same for the same text. */
export function addressOf(text: string, block: readonly [number, number, number, number], bits: number): string {
  const base = ((block[0] << 24) | (block[1] << 16) | (block[2] << 8) | block[3]) >>> 0
  // Neither the first nor the last address of a block belongs to anybody.
  const address = (base + 1 + (hash32(text) % (2 ** bits - 2))) >>> 0
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.')
}
