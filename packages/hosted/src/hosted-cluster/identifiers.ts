import type { Random } from '@windlass/core'

/** Letters and digits that nobody mistakes for each other and that spell no words. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

const longestPrefix = 21

/** Chance, drawn before the pass: deciding is not the place for dice. What is not needed is thrown away. */
export interface Identifiers {
  /** A UUID. */
  readonly clusterID: string
  /** What makes the name of the infrastructure unique. */
  readonly infraSuffix: string
  /** What makes names of virtual machines unique. */
  readonly generateID: string
  /** A key for the encryption of Secrets, in base64. */
  readonly encryptionKey: string
}

export function drawIdentifiers(random: Random): Identifiers {
  return {
    clusterID: random.uuid(),
    infraSuffix: letters(random, 5),
    generateID: letters(random, 10),
    encryptionKey: Buffer.from(random.bytes(32)).toString('base64'),
  }
}

function letters(random: Random, length: number): string {
  return Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join('')
}

/** The name of a cluster in its infrastructure: short enough for the names of load balancers, and never given twice. */
export function infraIDFor(clusterName: string, suffix: string): string {
  const prefix = clusterName
    .replaceAll(/[^A-Za-z0-9-]/g, '-')
    .replaceAll(/-{2,}/g, '-')
    .slice(0, longestPrefix)
    .replace(/-+$/, '')
  return `${prefix}-${suffix}`
}
