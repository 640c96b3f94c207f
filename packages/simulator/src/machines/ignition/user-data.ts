import type { Secret } from '@windlass/api'

/** What a machine asks for its configuration. */
export interface IgnitionQuestion {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** PEM of the authority that the answer must be signed by. */
  readonly authority: string
  /** The Secret with the token, as the question names it; undefined when it does not. */
  readonly tokenSecret: string | undefined
}

/**
 * Reads user data as Ignition does, as far as it is used here: one configuration that is fetched from elsewhere.
 *
 * Returns what is wrong where it cannot be read: a machine with such user data never starts.
 */
export function parseUserData({ data }: Secret): IgnitionQuestion | string {
  const text = data?.['value']
  if (text === undefined) return 'its user data has no value'
  try {
    const ignition = field(JSON.parse(Buffer.from(text, 'base64').toString()), 'ignition')
    const merged = first(field(field(ignition, 'config'), 'merge'))
    const url = field(merged, 'source')
    if (typeof url !== 'string') return 'its user data does not say where its configuration is'
    const headers = headersIn(field(merged, 'httpHeaders'))
    const authority = field(first(field(field(field(ignition, 'security'), 'tls'), 'certificateAuthorities')), 'source')
    return { url, headers, authority: pemIn(authority), tokenSecret: tokenSecretOf(headers) }
  } catch (error) {
    return `its user data cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

function tokenSecretOf(headers: Readonly<Record<string, string>>): string | undefined {
  const [pool, hash] = [headers['nodepool'], headers['targetconfigversionhash']]
  return pool === undefined || hash === undefined ? undefined : `token-${pool.slice(pool.lastIndexOf('/') + 1)}-${hash}`
}

function headersIn(list: unknown): Readonly<Record<string, string>> {
  const entries = Array.isArray(list) ? list.map((each) => [String(field(each, 'name')).toLowerCase(), String(field(each, 'value'))]) : []
  return Object.fromEntries(entries) as Readonly<Record<string, string>>
}

function pemIn(source: unknown): string {
  const [, data = ''] = /^data:[^,]*;base64,(.*)$/.exec(typeof source === 'string' ? source : '') ?? []
  return Buffer.from(data, 'base64').toString()
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined
}
