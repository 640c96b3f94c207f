import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { Secret } from '@windlass/api'

/** The key that signs tokens of service accounts, and all keys that may have signed one; values in base64. */
export interface SigningKey {
  readonly private: string
  readonly public: string
}

/**
 * Reads the key from a Secret, or says why not. Keys that have been replaced are kept beside the new one, so that tokens from before still hold.
 */
export function readSigningKey({ metadata: { namespace, name }, data }: Secret): SigningKey | string {
  const key = data?.['key']
  if (key === undefined) return `Secret ${namespace}/${name} must have a key named "key"`
  try {
    const pem = Buffer.from(key, 'base64')
    const publicPem = createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'pem' })
    const before = Buffer.from(data?.['old-key.pub'] ?? '', 'base64')
    return { private: key, public: Buffer.concat([Buffer.from(publicPem), before]).toString('base64') }
  } catch {
    // What the library says may quote the key.
    return `"key" in Secret ${namespace}/${name} is no private key in PEM form`
  }
}
