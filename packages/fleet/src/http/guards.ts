import type { Asked } from './asked.ts'
import { Problem } from './problem.ts'
import { hostName, isThisMachine } from './this-machine.ts'

/**
 * What every answer carries. Nothing comes from elsewhere, nothing runs that is not a file of ours, nobody shows the page inside of theirs, and no address of a
 * cluster leaves with a link.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/**
 * Refuses a name that is not one of this machine, where only this machine can ask: a page of somebody else whose name was made to lead to 127.0.0.1 would otherwise
 * be of our origin.
 */
export function checkHost({ host }: Pick<Asked, 'host'>, boundTo: string): void {
  if (!isThisMachine(boundTo) || isThisMachine(hostName(host))) return
  throw new Problem(421, `This server is for this machine alone and does not answer to the name ${host}: use 127.0.0.1 or localhost.`)
}

/** Refuses what a page of somebody else has sent. Browsers say which page that is; programs that are none say nothing. */
export function checkOrigin({ method, headers, host }: Pick<Asked, 'method' | 'headers' | 'host'>): void {
  if (method === 'GET' || method === 'HEAD') return
  const origin = headers['origin']
  const site = headers['sec-fetch-site']
  const isOurs = origin === undefined || URL.parse(origin)?.host === host.toLowerCase()
  if (isOurs && (site === undefined || site === 'same-origin' || site === 'none')) return
  throw new Problem(403, 'The request comes from another page, which may not act here.')
}
