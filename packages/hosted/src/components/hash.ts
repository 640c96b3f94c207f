import { hash } from 'node:crypto'
import type { ConfigMap, Secret } from '@windlass/api'

/**
 * A fingerprint of a value that does not depend on the order of its keys. A key that is undefined counts as absent, as on the wire.
 */
export function hashOf(value: unknown): string {
  return hash('sha256', canonicalJson(value))
}

/** A fingerprint of what a Secret or a ConfigMap holds; its labels and annotations do not count. */
export function contentsHash(object: Pick<ConfigMap, 'data' | 'binaryData'> | Pick<Secret, 'data'>): string {
  return hashOf({ data: object.data, binaryData: 'binaryData' in object ? object.binaryData : undefined })
}

/** JSON with sorted keys. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  return Array.isArray(value) ? canonicalList(value) : canonicalRecord(value as Readonly<Record<string, unknown>>)
}

function canonicalList(list: readonly unknown[]): string {
  let text = ''
  for (const item of list) text += `${text === '' ? '' : ','}${canonicalJson(item)}`
  return `[${text}]`
}

function canonicalRecord(record: Readonly<Record<string, unknown>>): string {
  let text = ''
  for (const key of Object.keys(record).toSorted()) {
    const field = record[key]
    if (field !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(field)}`
  }
  return `{${text}}`
}
