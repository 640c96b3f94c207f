import { createHash } from 'node:crypto'
import { isRecord, type JsonRecord } from '../json.ts'
import { type Repository, repositoryPath } from '../pullspec/index.ts'

/** What proves to a registry who is asking. */
export type Credential = {
  /** The same for the same credential, and tells nothing about it: for keys of caches. */
  readonly fingerprint: string
} & (
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  /** Exchanged for a token at the registry's token service. */
  | { readonly kind: 'identity'; readonly token: string }
  /** Sent as it is. */
  | { readonly kind: 'bearer'; readonly token: string }
)

/** Credentials and whom they are for. */
export interface PullSecret {
  /** The most specific one that covers the repository; undefined to ask without any. */
  credentialFor(place: Repository): Credential | undefined
}

/** Thrown when a pull secret cannot be read. Never shows any of its contents but the names of registries. */
export class InvalidPullSecretError extends Error {
  override readonly name = 'InvalidPullSecretError'

  constructor(problem: string, options?: ErrorOptions) {
    super(`the pull secret cannot be used: ${problem}`, options)
  }
}

/**
 * Reads the `.dockerconfigjson` of a pull secret. For an image `host/a/b` the entries `host/a/b`, `host/a` and `host` are looked for, in this order; then
 * one that names the host the old way, as an address (`https://host/v1/`).
 *
 * # Errors
 *
 * `InvalidPullSecretError`. All entries are read at once: a typing error should show when the secret is written, not when it is
 * needed.
 */
export function parsePullSecret(text: string): PullSecret {
  const credentials = new Map<string, Credential | undefined>()
  const byHost = new Map<string, Credential | undefined>()
  for (const [key, entry] of Object.entries(authsOf(text))) {
    const credential = credentialOf(key, entry)
    credentials.set(key, credential)
    const host = hostOfAddress(key)
    if (host !== undefined && !byHost.has(host)) byHost.set(host, credential)
  }
  return {
    credentialFor(place) {
      for (let path = repositoryPath(place); path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) {
        if (credentials.has(path)) return credentials.get(path)
      }
      return byHost.get(place.registry)
    },
  }
}

function authsOf(text: string): JsonRecord {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    // The parser's own message quotes what it read.
    throw new InvalidPullSecretError('it is not JSON; write {"auths": {"registry": {"auth": "…"}}}')
  }
  const auths = isRecord(parsed) ? parsed['auths'] : undefined
  if (!isRecord(auths)) throw new InvalidPullSecretError('it has no "auths"; write {"auths": {"registry": {"auth": "…"}}}')
  return auths
}

/** Undefined for an entry without credentials, which says that this registry is to be asked without any. */
function credentialOf(key: string, entry: unknown): Credential | undefined {
  if (!isRecord(entry)) throw new InvalidPullSecretError(`auths["${key}"] is not an object`)
  const { auth, username, password, identitytoken, registrytoken } = entry
  if (typeof registrytoken === 'string' && registrytoken !== '') return withToken('bearer', registrytoken)
  if (typeof identitytoken === 'string' && identitytoken !== '') return withToken('identity', identitytoken)
  if (typeof auth === 'string' && auth !== '') return fromAuth(key, auth)
  if (typeof username === 'string' && typeof password === 'string' && username !== '') return withPassword(username, password)
  return undefined
}

function fromAuth(key: string, auth: string): Credential {
  const text = /^[A-Za-z0-9+/]+={0,2}$/.test(auth.trim()) ? Buffer.from(auth, 'base64').toString() : ''
  const colon = text.indexOf(':')
  if (colon <= 0) throw new InvalidPullSecretError(`auths["${key}"].auth is not the base64 of user:password`)
  // Some tools fill the password up with zeros.
  return withPassword(text.slice(0, colon), text.slice(colon + 1).replace(/\0+$/, ''))
}

function withPassword(username: string, password: string): Credential {
  return { kind: 'password', username, password, fingerprint: fingerprint('password', username, password) }
}

function withToken(kind: 'identity' | 'bearer', token: string): Credential {
  return { kind, token, fingerprint: fingerprint(kind, token) }
}

function fingerprint(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
}

/** The registry that an old key means: `https://index.docker.io/v1/`, `http://host:5000`. Undefined for a key that is a path. */
function hostOfAddress(key: string): string | undefined {
  const bare = key.replace(/^https?:\/\//, '')
  if (bare === key && key.includes('/')) return undefined
  const host = bare.split('/')[0] ?? ''
  return host === 'index.docker.io' || host === 'registry-1.docker.io' ? 'docker.io' : host
}
