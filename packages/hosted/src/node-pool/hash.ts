/**
 * The hash of names and fingerprints: 32-bit FNV-1a, eight hexadecimal digits.
 *
 * Caveat: where the specification says "byte rendering", it is not the bytes that are hashed but their decimal text, `[97 98 99]`: use `hashOfBytes`.
 */
export function hashOfText(text: string): string {
  let hash = 0x81_1c_9d_c5
  const bytes = Buffer.from(text)
  // Not `for … of`, which takes three times as long: configurations are long, and their pools are looked at often.
  for (let index = 0; index < bytes.length; index++) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01_00_01_93)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

export function hashOfBytes(bytes: Uint8Array): string {
  return hashOfText(`[${bytes.join(' ')}]`)
}
