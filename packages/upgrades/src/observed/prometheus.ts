import { type Seen, seen, unseen } from './seen.ts'

/** What an HTTP request came to. */
export type HttpAnswer = { readonly status: number; readonly body: string } | { readonly problem: string }

export type Labels = Readonly<Record<string, string>>

/** A text as PromQL writes it. */
export function promqlString(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}

/**
 * The labels of each series that an instant query found.
 *
 * An answer counts only when all of it says success. To take an error for "nothing found" would let an upgrade start because monitoring is down.
 */
export function readVector(answer: HttpAnswer): Seen<readonly Labels[]> {
  if ('problem' in answer) return unseen(`Prometheus did not answer: ${answer.problem}`)
  if (answer.status < 200 || answer.status > 299) return unseen(`Prometheus answered with status ${answer.status}`)
  let body: unknown
  try {
    body = JSON.parse(answer.body)
  } catch {
    return unseen('Prometheus answered with a body that is no JSON')
  }
  if (!isRecord(body) || body['status'] !== 'success') return unseen('Prometheus answered with a body that does not say success')
  const data = body['data']
  const result = isRecord(data) ? data['result'] : undefined
  if (!Array.isArray(result)) return unseen('Prometheus answered success without a result')
  return seen(result.map(labelsOf))
}

function labelsOf(series: unknown): Labels {
  const metric = isRecord(series) ? series['metric'] : undefined
  if (!isRecord(metric)) return {}
  return Object.fromEntries(Object.entries(metric).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
