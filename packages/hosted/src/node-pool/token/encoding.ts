import { gunzipSync, gzipSync } from 'node:zlib'
import type { Secret } from '@windlass/api'

/** Values of Secrets are base64 on the wire. */
export function encoded(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** A value of a Secret as text; undefined when the key is absent. */
export function decoded({ data }: Secret, key: string): string | undefined {
  const value = data?.[key]
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString()
}

/** How configurations and payloads are kept: compressed, and base64 as a text. */
export function packed(text: string): string {
  return gzipSync(text).toString('base64')
}

/**
 * The text that was packed.
 *
 * Errors: throws when it was not.
 */
export function unpacked(text: string): string {
  return gunzipSync(Buffer.from(text, 'base64')).toString()
}

/** A moment as Go writes it with nanoseconds: the fraction as long as it needs to be. */
export function formatPreciseTime(instant: number): string {
  return new Date(instant).toISOString().replace(/\.?0+Z$/, 'Z')
}
