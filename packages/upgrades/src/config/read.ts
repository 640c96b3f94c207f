import { parse } from 'yaml'
import { ConfigError, configMapKey } from './errors.ts'
import { type ConfigKey, type ConfigValues, type Key, keys } from './keys.ts'

export type OperatorConfig = ConfigValues & {
  /**
   * How many milliseconds a minute has: 60,000, unless a rehearsal on a laptop is to take less time. Everything here that counts minutes counts
   * these, the fixed ones too.
   */
  readonly minute: number
}

/** What a ConfigMap tells us. */
export interface ConfigMapData {
  readonly data?: Readonly<Record<string, string>>
}

/**
 * Reads the configuration. Keys that are not ours are ignored at any level, because clusters carry sections of operators long gone; an absent key, and one
 * without a value, gets its default; an explicit value is never replaced.
 *
 * Errors: a ConfigError for a document that is no YAML, and for a value of another type than the key has. Whether the values make sense is asked by
 * `checkConfig`, because not everybody needs all of them.
 */
export function readConfig({ data }: ConfigMapData, minute = 60_000): OperatorConfig {
  const document = parsed(data?.[configMapKey] ?? '')
  const entries = Object.entries<Key<unknown>>(keys).map(([path, key]) => [path, valueAt(document, path, key)] as const)
  // Each value was checked to be of the type that its key has.
  const values = Object.fromEntries(entries) as Record<ConfigKey, unknown> as ConfigValues
  return { ...values, minute }
}

/** The configuration of a cluster that configures nothing. */
export const defaultConfig: OperatorConfig = readConfig({})

function parsed(text: string): unknown {
  try {
    // Version 1.1 is what the existing ConfigMaps are written for: `yes` and `on` are flags there.
    const document: unknown = parse(text, { version: '1.1', logLevel: 'error' })
    if (document === null || document === undefined || isRecord(document)) return document
  } catch (error) {
    throw new ConfigError(
      undefined,
      `not readable as YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`,
    )
  }
  throw new ConfigError(undefined, 'expected a map of keys at the top')
}

function valueAt<T>(document: unknown, path: string, key: Key<T>): T {
  let value = document
  let walked = ''
  for (const name of path.split('.')) {
    if (value === undefined || value === null) return key.whenAbsent
    if (!isRecord(value)) throw new ConfigError(walked, `expected a map of keys, as ${path} is below it`)
    value = Object.hasOwn(value, name) ? value[name] : undefined
    walked = walked === '' ? name : `${walked}.${name}`
  }
  if (value === undefined || value === null) return key.whenAbsent
  if (!key.isValid(value)) throw new ConfigError(path, `expected ${key.expected}, got ${JSON.stringify(value)}`)
  return value as T
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
