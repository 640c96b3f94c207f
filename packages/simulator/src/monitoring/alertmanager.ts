import { formatTime, parseTime } from '@windlass/core'
import { isText, recordIn, Silences, stateOf, type StoredSilence } from './silences.ts'
import { type MonitoringParts, type MonitoringReply, type MonitoringRequest, reply } from './wire.ts'

const list = '/api/v2/silences'
const one = /^\/api\/v2\/silence\/([^/]+)$/

/** What Alertmanager answers; undefined for what is not its business. */
export async function answerAsAlertmanager(parts: MonitoringParts, request: MonitoringRequest): Promise<MonitoringReply | undefined> {
  const { method, url, body } = request
  const silences = new Silences(parts, request)
  const now = parts.clock.now()
  if (url.pathname === list && method === 'GET') {
    return reply(
      200,
      (await silences.all()).map((silence) => ({ ...silence, status: { state: stateOf(silence, now) } })),
    )
  }
  if (url.pathname === list && method === 'POST') {
    const wanted = wantedIn(body, now)
    return typeof wanted === 'string' ? reply(400, wanted) : reply(200, { silenceID: await silences.add(wanted) })
  }
  const id = one.exec(url.pathname)?.[1]
  if (id === undefined || method !== 'DELETE') return undefined
  return (await silences.end(decodeURIComponent(id))) ? reply(200, '') : reply(404, `silence ${id} not found`)
}

/** The silence that somebody wants, or what is wrong with it. One never begins in the past. */
function wantedIn(body: string, now: number): Omit<StoredSilence, 'id' | 'updatedAt'> | string {
  const { createdBy, comment, matchers, startsAt, endsAt } = recordIn(body) ?? {}
  if (!isText(createdBy) || !isText(comment)) return 'createdBy and comment are required'
  if (!Array.isArray(matchers) || matchers.length === 0) return 'at least one matcher is required'
  const start = isText(startsAt) ? parseTime(startsAt) : undefined
  const end = isText(endsAt) ? parseTime(endsAt) : undefined
  if (start === undefined || end === undefined) return 'startsAt and endsAt are required: write them like 2030-01-01T12:00:00Z'
  if (end <= now) return 'end time can not be in the past'
  if (end <= start) return 'end time must be after start time'
  return { createdBy, comment, matchers, startsAt: formatTime(Math.max(start, now)), endsAt: formatTime(end) }
}
