import { createHash } from 'node:crypto'
import type { Manager } from './managers.ts'
import { prefixOf } from './managers.ts'
import type { ResourceReference } from './observation.ts'

/**
 * The name of an insight: the same for the same summary about the same objects, so that whoever sees it again finds the one that is there. Level, type,
 * description and times may change on the way.
 *
 * The hash is one of identity, not of security; upstream's names come out the same.
 */
export function healthInsightName(manager: Manager, summary: string, resources: readonly ResourceReference[]): string {
  const hash = createHash('md5').update(summary)
  for (const { group = '', resource, namespace = '', name } of resources) hash.update(group + resource + namespace + name)
  return `${prefixOf[manager]}-${base32(hash.digest())}`
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** RFC 4648, in lower case and without padding. */
function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(value >> (bits - 5)) & 31]
  }
  return bits === 0 ? text : text + alphabet[(value << (5 - bits)) & 31]
}
