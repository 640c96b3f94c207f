declare const bytes: unique symbol

/**
 * A string in which every character stands for one byte (0 to 255), so that comparing two of them with `<` compares bytes.
 *
 * Kubernetes orders keys by their UTF-8 bytes; JavaScript orders strings by UTF-16 units, which differs beyond U+FFFF. ASCII text
 * is its own byte string, so the common key costs nothing to convert.
 */
export type ByteString = string & { readonly [bytes]: true }

export const emptyByteString = '' as ByteString

export function toByteString(text: string): ByteString {
  return (Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')) as ByteString
}

export function fromByteString(text: ByteString): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text, 'latin1').toString()
}

/** Puts byte strings and ASCII text together. */
export function joinBytes(...parts: readonly (ByteString | '/' | '\0')[]): ByteString {
  return parts.join('') as ByteString
}

/** The smallest byte string behind `key`. */
export function behind(key: ByteString): ByteString {
  return (key + '\0') as ByteString
}

/** Where the strings that start with `prefix` end. UTF-8 has no byte 0xff, so nothing that starts with `prefix` is behind this. */
export function endOf(prefix: ByteString): ByteString {
  return (prefix + '\u00ff') as ByteString
}
