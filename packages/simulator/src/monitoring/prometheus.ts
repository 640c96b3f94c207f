import { Namespace } from '@windlass/api'
import { AlertError, alertsIn, type Labels } from './alerts.ts'
import { type AlertQuery, parseQuery, QueryError } from './promql.ts'
import { type MonitoringParts, type MonitoringReply, type MonitoringRequest, reply, until } from './wire.ts'

/** What Prometheus answers; undefined for what is not its business. */
export async function answerAsPrometheus(parts: MonitoringParts, request: MonitoringRequest): Promise<MonitoringReply | undefined> {
  if (request.url.pathname !== '/api/v1/query' || request.method !== 'GET') return undefined
  try {
    const query = parseQuery(request.url.searchParams.get('query') ?? '')
    const found: Labels[] = []
    for await (const namespace of parts.client.list(Namespace, until(request))) found.push(...alertsIn(namespace).filter(query.matches))
    return reply(200, { status: 'success', data: { resultType: 'vector', result: seriesOf(found, query, parts.clock.now()) } })
  } catch (error) {
    if (error instanceof QueryError) return reply(400, { status: 'error', errorType: 'bad_data', error: error.message })
    if (error instanceof AlertError) return reply(422, { status: 'error', errorType: 'execution', error: error.message })
    throw error
  }
}

function seriesOf(alerts: readonly Labels[], { isByName }: AlertQuery, now: number): readonly object[] {
  const value = [now / 1000, '1']
  if (!isByName) return alerts.map((alert) => ({ metric: { __name__: 'ALERTS', ...alert }, value }))
  return [...new Set(alerts.map(({ alertname = '' }) => alertname))].map((alertname) => ({ metric: { alertname }, value }))
}
