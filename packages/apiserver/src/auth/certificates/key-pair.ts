import { createECDH, createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { Random } from '@windlass/core'

/** A new P-256 private key from injected randomness, so that a seed gives the same keys again. */
export function newPrivateKey(random: Random): KeyObject {
  const ecdh = createECDH('prime256v1')
  // All but one in four billion 32-byte numbers are below the order of the curve; the rest are refused and drawn again.
  for (;;) {
    const secret = Buffer.from(random.bytes(32))
    try {
      ecdh.setPrivateKey(secret)
    } catch {
      continue
    }
    const point = ecdh.getPublicKey()
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      d: secret.toString('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    }
    return createPrivateKey({ key: jwk, format: 'jwk' })
  }
}

/** The public half as certificates carry it (SubjectPublicKeyInfo). */
export function publicKeyBytes(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return publicKey.export({ type: 'spki', format: 'der' })
}

/** RFC 5280, method 1: the SHA-1 of the point itself, the last 65 bytes of what `publicKeyBytes` gives for P-256. */
export function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1').update(publicKeyBytes(key).subarray(-65)).digest()
}

export function privateKeyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}
