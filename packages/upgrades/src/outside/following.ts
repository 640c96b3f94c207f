import type { Clock } from '@windlass/core'
import { exchange, type Outcome } from './exchange.ts'
import type { Ways } from './ways.ts'

export interface Following {
  readonly ways: Ways
  readonly clock: Clock
  readonly url: string
  /** Milliseconds for all of it. */
  readonly limit: number
  readonly headers: Readonly<Record<string, string>>
}

const mostRedirects = 10
const redirects = new Set([301, 302, 303, 307, 308])

/** A GET, wherever it leads. What opens one server is not shown to another. Errors: none but the reason of the signal. */
export async function following({ ways, clock, url, limit, headers }: Following, signal: AbortSignal): Promise<Outcome> {
  const end = clock.monotonic() + limit
  let place = new URL(url)
  let shown = headers
  for (let count = 0; count <= mostRedirects; count++) {
    const way = ways.to(`of ${place.origin}`, { server: place.origin, limit: Math.max(1, end - clock.monotonic()) })
    const outcome = await exchange(
      way,
      { method: 'GET', path: `${place.pathname}${place.search}`, headers: { ...shown, ...login(place) } },
      signal,
    )
    if ('problem' in outcome || !redirects.has(outcome.status)) return outcome
    const location = outcome.headers['location']
    if (location === undefined || !URL.canParse(location, place.href)) return outcome
    const next = new URL(location, place)
    if (!/^https?:$/.test(next.protocol))
      return { problem: `${place.origin} leads to ${next.protocol}, which is no place of HTTP`, isUnsent: false }
    if (next.origin !== place.origin) shown = withoutAuthorization(headers)
    place = next
  }
  return { problem: `${new URL(url).origin} leads from place to place: ${mostRedirects} redirects were followed`, isUnsent: false }
}

function withoutAuthorization({ authorization: _, ...others }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return others
}

/** A name and a password in the URL itself. */
function login({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(text).toString('base64')}` }
}
