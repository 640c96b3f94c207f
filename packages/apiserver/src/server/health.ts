import type { ApiResponse } from './request.ts'

export interface HealthCheck {
  readonly name: string
  /** What is wrong; undefined when nothing is. */
  readonly problem: () => string | undefined
}

const plain = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }

/** Answers `/livez`, `/readyz`, `/healthz` and single checks below them; undefined when there is no such check. */
export function healthAnswer(path: string, query: URLSearchParams, checks: readonly HealthCheck[]): ApiResponse | undefined {
  const [, endpoint = '', name] = path.split('/')
  if (name !== undefined && name !== '') {
    const check = checks.find((each) => each.name === name)
    return check === undefined ? undefined : verdict(endpoint, [check], new Set(), false)
  }
  return verdict(endpoint, checks, new Set(query.getAll('exclude')), query.has('verbose'))
}

function verdict(endpoint: string, checks: readonly HealthCheck[], excluded: ReadonlySet<string>, isVerbose: boolean): ApiResponse {
  const lines: string[] = []
  let isFailing = false
  for (const { name, problem } of checks) {
    if (excluded.has(name)) {
      lines.push(`[+]${name} excluded: ok`)
      continue
    }
    const found = problem()
    lines.push(found === undefined ? `[+]${name} ok` : `[-]${name} failed: ${found}`)
    isFailing ||= found !== undefined
  }
  if (isFailing) return text(500, `${lines.join('\n')}\n${endpoint} check failed\n`)
  return text(200, isVerbose ? `${lines.join('\n')}\n${endpoint} check passed\n` : 'ok')
}

export function text(status: number, body: string): ApiResponse {
  return { status, headers: plain, body: Buffer.from(body) }
}
