import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import { publicKeyBytes } from '../certificates/key-pair.ts'

/** What became of reading a token: its claims, a word on what is wrong with it, or nothing when it is none of ours. */
export type VerifiedJwt = { readonly claims: JsonObject } | { readonly problem: string } | undefined

const cacheSize = 4096

/**
 * Signs and verifies JSON Web Tokens with one P-256 key (ES256). Verified signatures are remembered: clients send the same
 * token with each request, and checking a signature costs more than answering most of them.
 */
export class JwtKey {
  readonly #issuer: string
  readonly #key: KeyObject
  readonly #publicKey: KeyObject
  readonly #header: string
  readonly #keyId: string
  readonly #verified = new Map<string, JsonObject>()

  /** `issuer` is the claim `iss` of every token: those of others are not judged at all. */
  constructor(key: KeyObject, issuer: string) {
    this.#issuer = issuer
    this.#key = key
    this.#publicKey = createPublicKey(key)
    this.#keyId = createHash('sha256').update(publicKeyBytes(key)).digest('base64url')
    this.#header = encode({ alg: 'ES256', kid: this.#keyId })
  }

  sign(claims: JsonObject): string {
    const content = `${this.#header}.${encode({ ...claims, iss: this.#issuer })}`
    const signature = sign('sha256', Buffer.from(content), { key: this.#key, dsaEncoding: 'ieee-p1363' })
    return `${content}.${signature.toString('base64url')}`
  }

  /** Checks the signature, nothing else: times and audiences are for the caller to judge. */
  verify(token: string): VerifiedJwt {
    const known = this.#verified.get(token)
    if (known !== undefined) return { claims: known }
    const parts = token.split('.')
    const [headerText = '', claimsText = '', signature = ''] = parts
    if (parts.length !== 3) return undefined
    const header = decode(headerText)
    const claims = decode(claimsText)
    if (header === undefined || claims?.iss !== this.#issuer) return undefined
    if (header.alg !== 'ES256') return { problem: `unexpected signature algorithm ${JSON.stringify(header.alg ?? '')}` }
    if (header.kid !== this.#keyId) return { problem: 'invalid signature, no keys found' }
    const content = Buffer.from(`${headerText}.${claimsText}`)
    const key = { key: this.#publicKey, dsaEncoding: 'ieee-p1363' } as const
    if (!verify('sha256', content, key, Buffer.from(signature, 'base64url'))) return { problem: 'invalid signature' }
    this.#remember(token, claims)
    return { claims }
  }

  #remember(token: string, claims: JsonObject): void {
    const oldest = this.#verified.keys().next()
    if (this.#verified.size >= cacheSize && oldest.done !== true) this.#verified.delete(oldest.value)
    this.#verified.set(token, claims)
  }
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decode(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
