import type { TransportRequest, TransportResponse } from '../../transport/transport.ts'
import type { Dice } from './dice.ts'
import { lengths, type Verb } from './faults.ts'

/** An answer that the server did not give: what it would say if somebody had been quicker, or if it had too much to do. */
export function refusalOf(request: TransportRequest, verb: Verb, dice: Dice): TransportResponse | undefined {
  const isChange = verb === 'update' || verb === 'patch'
  // Every die is rolled for every request that it can strike: what one kind does must not depend on another.
  const conflicts = isChange && dice.happens('conflicts')
  const throttles = dice.happens('throttles')
  const outage = dice.happens('outages')
  if (throttles) {
    return refusal(
      429,
      'TooManyRequests',
      'too many requests, please try again later',
      seconds(dice.between('throttles', lengths.retryAfter)),
    )
  }
  if (outage) {
    const pause = dice.between('outages', [0, 1]) === 0 ? undefined : seconds(dice.between('outages', lengths.retryAfter))
    return refusal(503, 'ServiceUnavailable', 'the server is currently unable to handle the request', pause)
  }
  if (!conflicts) return undefined
  const [path = ''] = request.path.split('?')
  const about = `Operation cannot be fulfilled on ${path}`
  return refusal(409, 'Conflict', `${about}: the object has been modified; please apply your changes to the latest version and try again`)
}

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000)
}

function refusal(code: number, reason: string, message: string, retryAfterSeconds?: number): TransportResponse {
  const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, ...details, code }
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  return { status: code, headers, body: Buffer.from(JSON.stringify(status)) }
}
