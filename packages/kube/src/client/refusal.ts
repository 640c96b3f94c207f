import { STATUS_CODES } from 'node:http'
import type { TransportResponse } from '../transport/transport.ts'
import { ApiError, type Status } from './errors.ts'

/** So much of an answer that is no Status is shown. */
const excerptLength = 200

/** The error that an answer stands for; proxies and the like do not answer with a Status, and are quoted. */
export function refusal({ status, headers, body }: TransportResponse, request: string): ApiError {
  const parsed = parseStatus(body)
  if (parsed !== undefined) return new ApiError(parsed.code === undefined ? { ...parsed, code: status } : parsed, request)
  const retryAfter = Number(headers['retry-after'])
  const details = Number.isInteger(retryAfter) ? { details: { retryAfterSeconds: retryAfter } } : {}
  return new ApiError({ code: status, message: `${request} was answered with ${statusLine(status)}${excerpt(body)}`, ...details }, request)
}

/** An answer of success that cannot be read: whatever it is, it is no Kubernetes API. */
export function unreadable({ status, body }: TransportResponse, request: string): ApiError {
  const message = `${request} was answered with ${statusLine(status)} and something that is no JSON${excerpt(body)}; check that the address is that of a Kubernetes API`
  return new ApiError({ code: status, message }, request)
}

/** Of the `object` of an ERROR event, or any other value that should be a Status. */
export function asStatus(value: unknown): Status | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== 'Status') return undefined
  return value as Status
}

function parseStatus(body: Buffer): Status | undefined {
  try {
    return asStatus(JSON.parse(body.toString('utf8')))
  } catch {
    return undefined
  }
}

function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
}

function excerpt(body: Buffer): string {
  const text = body
    .toString('utf8', 0, 4 * excerptLength)
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (text === '') return ''
  return `: ${text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text}`
}
