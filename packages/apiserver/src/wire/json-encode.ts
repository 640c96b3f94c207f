import type { Json } from '../json.ts'

const rawJson = (JSON as JSON & { readonly rawJSON: (text: string) => object }).rawJSON

/** JSON bytes of a value; integers kept as `bigint` are written with all their digits. */
export function encodeJson(value: Json | object, indent?: string): Buffer {
  return Buffer.from(jsonText(value, indent), 'utf8')
}

export function jsonText(value: Json | object, indent?: string): string {
  try {
    return JSON.stringify(value, undefined, indent)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify(value, withAllDigits, indent)
  }
}

function withAllDigits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJson(value.toString()) : value
}
