/** Schedules in cron notation: five fields, or a word for the usual ones. */

interface CronField {
  readonly least: number
  readonly most: number
  readonly names?: readonly string[]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const fields: readonly CronField[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: months },
  { least: 0, most: 6, names: weekdays },
]

const words: ReadonlySet<string> = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'])

/** What is wrong with a schedule; undefined when it can be followed. */
export function scheduleProblem(schedule: string): string | undefined {
  const text = schedule.replace(/^(?:CRON_)?TZ=\S+\s+/, '')
  if (text.startsWith('@')) return wordProblem(text)
  const parts = text.split(/\s+/).filter((part) => part !== '')
  if (parts.length !== fields.length) return `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(' ')}]`
  for (const [index, field] of fields.entries()) {
    for (const range of (parts[index] ?? '').split(',')) {
      const problem = rangeProblem(range, field)
      if (problem !== undefined) return problem
    }
  }
  return undefined
}

function wordProblem(text: string): string | undefined {
  if (words.has(text)) return undefined
  const every = /^@every (.+)$/.exec(text)?.[1]
  if (every === undefined) return `unrecognized descriptor: ${text}`
  return /^(?:[0-9.]+(?:ns|us|µs|ms|s|m|h))+$/.test(every)
    ? undefined
    : `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(every)}`
}

/** `*`, `5`, `1-5`, each with a step behind a slash. */
function rangeProblem(text: string, field: CronField): string | undefined {
  const [span = '', step, ...tooMuch] = text.split('/')
  if (tooMuch.length > 0) return `too many slashes: ${text}`
  const [from = '', to, ...more] = span.split('-')
  if (more.length > 0) return `too many hyphens: ${text}`
  const isAny = span === '*' || span === '?'
  const start = isAny ? field.least : valueOf(from, field)
  if (typeof start === 'string') return start
  const end = isAny || (step !== undefined && to === undefined) ? field.most : to === undefined ? start : valueOf(to, field)
  if (typeof end === 'string') return end
  const stride = step === undefined ? 1 : valueOf(step, { least: 0, most: 0 })
  if (typeof stride === 'string') return stride
  if (start < field.least) return `beginning of range (${start}) below minimum (${field.least}): ${text}`
  if (end > field.most) return `end of range (${end}) above maximum (${field.most}): ${text}`
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`
  return stride === 0 ? `step of range should be a positive number: ${text}` : undefined
}

/** The number of a value or of its name; what is wrong with it otherwise. */
function valueOf(text: string, { least, names }: CronField): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1
  if (named >= 0) return named + least
  return /^[0-9]+$/.test(text)
    ? Number(text)
    : `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`
}
