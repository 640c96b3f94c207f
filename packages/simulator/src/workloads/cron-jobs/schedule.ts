import { type Duration, type Instant, parseDuration } from '@windlass/core'

/** When something happens again and again. */
export interface Schedule {
  /** The first time after this moment; undefined when there is none within five years (the 30th of February). */
  next(after: Instant): Instant | undefined
  /** The last time that is not after this moment, and after the other; undefined when there was none. */
  latest(until: Instant, after: Instant): Instant | undefined
}

interface CronField {
  readonly least: number
  readonly most: number
  readonly names?: readonly string[]
}

const fields: readonly CronField[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { least: 0, most: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
]

const words: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/** Reads cron notation: five fields, or a word for the usual ones. Undefined for what cannot be followed; servers take no such schedule. */
export function parseSchedule(text: string, timeZone = 'UTC'): Schedule | undefined {
  const every = /^@every (.+)$/.exec(text)?.[1]
  if (every !== undefined) return interval(every)
  const parts = (words[text] ?? text).trim().split(/\s+/)
  if (parts.length !== fields.length) return undefined
  const sets = fields.map((field, index) => valuesOf(parts[index] ?? '', field))
  const [minutes, hours, days, months, weekdays] = sets
  if (minutes === undefined || hours === undefined || days === undefined || months === undefined || weekdays === undefined) return undefined
  // Where both are limited, either will do.
  const isEither = !isAny(parts[2]) && !isAny(parts[4])
  const isOnDay = ({ day, weekday }: WallTime): boolean =>
    isEither ? days.has(day) || weekdays.has(weekday) : days.has(day) && weekdays.has(weekday)
  return wallSchedule({ isInHour: (time) => months.has(time.month) && hours.has(time.hour) && isOnDay(time), minutes }, timeZone)
}

const isAny = (part = ''): boolean => part.startsWith('*') || part.startsWith('?')

/** `*`, `5`, `1-5`, each with a step behind a slash, and lists of these. */
function valuesOf(text: string, field: CronField): ReadonlySet<number> | undefined {
  const values = new Set<number>()
  for (const range of text.split(',')) {
    const [span = '', step] = range.split('/')
    const [from = '', to] = span.split('-')
    const start = isAny(span) ? field.least : valueOf(from, field)
    const end = isAny(span) || (to === undefined && step !== undefined) ? field.most : valueOf(to ?? from, field)
    const stride = step === undefined ? 1 : Number(step)
    if (!(start >= field.least && end <= field.most && start <= end && stride > 0)) return undefined
    for (let value = start; value <= end; value += stride) values.add(value)
  }
  return values
}

function valueOf(text: string, { least, names }: CronField): number {
  const named = names?.indexOf(text.toLowerCase()) ?? -1
  return named >= 0 ? named + least : /^\d+$/.test(text) ? Number(text) : Number.NaN
}

interface WallTime {
  readonly month: number
  readonly day: number
  readonly weekday: number
  readonly hour: number
  readonly minute: number
}

const minute = 60_000
const hour = 60 * minute
const farthest = 5 * 366 * 24 * hour

interface WallRule {
  readonly isInHour: (time: WallTime) => boolean
  readonly minutes: ReadonlySet<number>
}

/** Goes hour by hour, and within an hour that fits minute by minute: clocks that are put forward or back need no thought. */
function wallSchedule({ isInHour, minutes }: WallRule, timeZone: string): Schedule {
  const wall = wallClock(timeZone)
  const search = (from: Instant, until: Instant, direction: 1 | -1): Instant | undefined => {
    let moment = from
    while (direction > 0 ? moment <= until : moment > until) {
      const time = wall(moment)
      if (isInHour(time) && minutes.has(time.minute)) return moment
      const skip = isInHour(time) ? 1 : direction > 0 ? 60 - time.minute : time.minute + 1
      moment += direction * skip * minute
    }
    return undefined
  }
  return {
    next: (after) => search((Math.floor(after / minute) + 1) * minute, after + farthest, 1),
    latest: (until, after) => search(Math.floor(until / minute) * minute, Math.max(after, until - farthest), -1),
  }
}

function wallClock(timeZone: string): (moment: Instant) => WallTime {
  if (timeZone === 'UTC') return utc
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
    // The same numbers read as those of a place without daylight saving.
    return utc(Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')))
  }
}

function utc(moment: Instant): WallTime {
  const date = new Date(moment)
  return {
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  }
}

/** Every so often, from whenever the last time was. */
function interval(text: string): Schedule | undefined {
  const length = lengthOf(text)
  if (length === undefined) return undefined
  return {
    next: (after) => after + length,
    latest: (until, after) => (until - after < length ? undefined : after + Math.floor((until - after) / length) * length),
  }
}

/** At least a second, in whole seconds. */
function lengthOf(text: string): Duration | undefined {
  try {
    const length = parseDuration(text)
    return length <= 0 ? undefined : Math.max(1_000, Math.floor(length / 1_000) * 1_000)
  } catch {
    return undefined
  }
}
