import type { Labels } from './alerts.ts'

/** A question about alerts. */
export interface AlertQuery {
  /** Whether an alert is asked for. */
  readonly matches: (alert: Labels) => boolean
  /** Only names are asked for, each once. */
  readonly isByName: boolean
}

/** Thrown for everything else than the two questions. */
export class QueryError extends Error {}

const selector = /^ALERTS\{(?<matchers>.*)\}$/s
const overTime = /^sum by \(alertname\) \(max_over_time\((?<selector>ALERTS\{.*\})\[\w+\](?: offset \w+)?\)\)$/s
const matcher = /\s*(?<label>[A-Za-z_]\w*)\s*(?<operator>=~|!~|!=|=)\s*(?<value>"(?:[^"\\]|\\.)*")\s*(?:,|$)/y

/**
 * Reads the two queries that upgrades ask: which alerts fire, `ALERTS{…}`, and which have fired, `sum by (alertname) (max_over_time(ALERTS{…}[…] offset …))`.
 *
 * Caveat: nobody remembers what has fired. The second is answered with what fires now.
 */
export function parseQuery(query: string): AlertQuery {
  const text = query.trim()
  const inner = overTime.exec(text)?.groups?.['selector']
  const matchers = selector.exec(inner ?? text)?.groups?.['matchers']
  if (matchers === undefined)
    throw new QueryError(`parse error: only ALERTS{…} and what has fired by alertname are understood by this simulation, not ${query}`)
  const all = matchersIn(matchers)
  return { matches: (alert) => all.every((isMatched) => isMatched(alert)), isByName: inner !== undefined }
}

type Matches = (alert: Labels) => boolean

function matchersIn(text: string): readonly Matches[] {
  const found: Matches[] = []
  matcher.lastIndex = 0
  while (matcher.lastIndex < text.length) {
    const start = matcher.lastIndex
    const { label = '', operator = '', value = '' } = matcher.exec(text)?.groups ?? {}
    if (label === '') throw new QueryError(`parse error: "${text.slice(start)}" is no matcher of labels`)
    found.push(matcherOf(label, operator, unquoted(value)))
  }
  return found
}

/** A label that is absent is an empty one. */
function matcherOf(label: string, operator: string, value: string): Matches {
  const isNegative = operator.startsWith('!')
  const isRegex = operator.endsWith('~')
  const pattern = isRegex ? anchored(value) : undefined
  return (alert) => {
    const present = alert[label] ?? ''
    return (pattern === undefined ? present === value : pattern.test(present)) !== isNegative
  }
}

/** Patterns of Prometheus match the whole of a value. */
function anchored(pattern: string): RegExp {
  try {
    return new RegExp(`^(?:${pattern})$`, 's')
  } catch (error) {
    throw new QueryError(`parse error: "${pattern}" is no regular expression`, { cause: error })
  }
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch (error) {
    throw new QueryError(`parse error: ${text} is no text`, { cause: error })
  }
}
