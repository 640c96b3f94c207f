import { ApiError, badRequest } from '../errors/api-error.ts'
import { isObject, type Json } from '../json.ts'

/** Where a list goes on: behind `start`, in the state at `revision` (-1: whatever is there now). */
export interface ContinueToken {
  readonly revision: number
  readonly start: string
  /** How many objects are left, counted when the list began; undefined when nobody knows. */
  readonly remaining: number | undefined
}

const version = 'meta.k8s.io/v1'

export function encodeToken({ revision, start, remaining }: ContinueToken): string {
  const token = { v: version, rv: revision, start: `${start}\u0000`, ...(remaining === undefined ? {} : { left: remaining }) }
  return Buffer.from(JSON.stringify(token)).toString('base64url')
}

export function decodeToken(token: string): ContinueToken {
  const wrong = (why: string): ApiError => badRequest(`invalid continue token: continue key is not valid: ${why}`)
  let value: Json
  try {
    value = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as Json
  } catch {
    throw wrong('it is not base64 of JSON')
  }
  if (!isObject(value)) throw wrong('it is no object')
  if (value.v !== version) throw wrong(`server does not recognize this encoded version ${typeof value.v === 'string' ? value.v : ''}`)
  if (typeof value.rv !== 'number' || value.rv === 0) throw wrong(`incorrect encoded start resourceVersion (version ${version})`)
  if (typeof value.start !== 'string' || value.start === '') throw wrong(`empty start key (version ${version})`)
  const start = value.start.endsWith('\u0000') ? value.start.slice(0, -1) : value.start
  if (start.split('/').includes('..')) throw wrong(`invalid start key: ${JSON.stringify(start)}`)
  return { revision: value.rv, start, remaining: typeof value.left === 'number' ? value.left : undefined }
}
