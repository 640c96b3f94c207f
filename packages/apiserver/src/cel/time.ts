/** Times and durations as CEL and Kubernetes write them, in nanoseconds. All parsers answer undefined for what they do not know. */
const second = 1_000_000_000n

const goUnits: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: second,
  m: 60n * second,
  h: 3_600n * second,
}

const longest = 2n ** 63n - 1n

/** Go's notation: `1h30m`, `-1.5s`, `300ms`. */
export function parseDuration(text: string): bigint | undefined {
  const sign = text.startsWith('-') ? -1n : 1n
  let rest = /^[-+]/.test(text) ? text.slice(1) : text
  if (rest === '0') return 0n
  if (rest === '') return undefined
  let total = 0n
  while (rest !== '') {
    const part = /^(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/.exec(rest)
    if (part === null) return undefined
    const [whole, fraction] = [part[1] ?? '', part[2] ?? '']
    if (whole === '' && fraction === '') return undefined
    const scale = goUnits[part[3] ?? ''] ?? 1n
    total += BigInt(`0${whole}`) * scale + (BigInt(`0${fraction}`) * scale) / 10n ** BigInt(fraction.length)
    rest = rest.slice(part[0].length)
  }
  return total > longest ? undefined : sign * total
}

const wordUnits: readonly (readonly [RegExp, bigint])[] = [
  [/^(ns|nano(s|seconds?)?)$/, 1n],
  [/^(us|µs|micro(s|seconds?)?)$/, 1_000n],
  [/^(ms|milli(s|seconds?)?)$/, 1_000_000n],
  [/^(s|secs?|seconds?)$/, second],
  [/^(m|mins?|minutes?)$/, 60n * second],
  [/^(h|hrs?|hours?)$/, 3_600n * second],
  [/^(d|days?)$/, 86_400n * second],
  [/^(w|wks?|weeks?)$/, 604_800n * second],
]

/** What the schema format `duration` allows: Go's notation, and words (`3 days`). */
export function parseSchemaDuration(text: string): bigint | undefined {
  const plain = parseDuration(text)
  if (plain !== undefined) return plain
  const words = /^\s*(\d+)\s*([A-Za-zµ]+)\s*$/.exec(text)
  if (words === null) return undefined
  const unit = wordUnits.find(([shape]) => shape.test((words[2] ?? '').toLowerCase()))
  return unit === undefined ? undefined : BigInt(words[1] ?? '0') * unit[1]
}

const dateTimeShape = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|z|[-+]\d\d:?\d\d)?$/

/** RFC 3339; the schema format also allows a missing zone. */
export function parseDateTime(text: string): bigint | undefined {
  const found = dateTimeShape.exec(text)
  if (found === null) return undefined
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1, 7).map(Number)
  const milliseconds = utc(year, month, day)
  if (milliseconds === undefined || hours > 23 || minutes > 59 || seconds > 59) return undefined
  const fraction = BigInt((found[7] ?? '').slice(0, 9).padEnd(9, '0'))
  const clock = BigInt(hours * 3600 + minutes * 60 + seconds - offsetSeconds(found[8] ?? 'Z'))
  return BigInt(milliseconds) * 1_000_000n + clock * second + fraction
}

/** RFC 3339 with a zone: what `timestamp('…')` takes. */
export function parseTimestamp(text: string): bigint | undefined {
  return /(Z|[-+]\d\d:\d\d)$/.test(text) && text[10] === 'T' ? parseDateTime(text) : undefined
}

export function parseDate(text: string): bigint | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (found === null) return undefined
  const milliseconds = utc(Number(found[1]), Number(found[2]), Number(found[3]))
  return milliseconds === undefined ? undefined : BigInt(milliseconds) * 1_000_000n
}

function utc(year: number, month: number, day: number): number | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

function offsetSeconds(zone: string): number {
  if (/^z$/i.test(zone)) return 0
  const sign = zone.startsWith('-') ? -1 : 1
  const digits = zone.slice(1).replace(':', '')
  return sign * (Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2)) * 60)
}

/** `3600s`, `1.5s`. */
export function durationText(nanos: bigint): string {
  const sign = nanos < 0n ? '-' : ''
  const positive = nanos < 0n ? -nanos : nanos
  const fraction = (positive % second).toString().padStart(9, '0').replace(/0+$/, '')
  return `${sign}${positive / second}${fraction === '' ? '' : `.${fraction}`}s`
}

/** RFC 3339 in UTC, with as many decimals as there are. */
export function timestampText(nanos: bigint): string {
  const fraction = floorMod(nanos, second)
  const whole = new Date(Number((nanos - fraction) / 1_000_000n)).toISOString().slice(0, 19)
  const decimals = fraction.toString().padStart(9, '0').replace(/0+$/, '')
  return `${whole}${decimals === '' ? '' : `.${decimals}`}Z`
}

export interface CalendarTime {
  readonly year: number
  /** From 0. */
  readonly month: number
  readonly day: number
  readonly weekday: number
  readonly dayOfYear: number
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
  readonly milliseconds: number
}

/** The calendar at a moment, in a zone: an offset (`+02:00`), or a name (`Europe/Berlin`). Undefined for zones nobody knows. */
export function calendar(nanos: bigint, zone = 'UTC'): CalendarTime | undefined {
  const fraction = floorMod(nanos, second)
  const moment = Number((nanos - fraction) / 1_000_000n)
  const offset = /^[-+]?\d\d:\d\d$/.test(zone) ? offsetSeconds(/^\d/.test(zone) ? `+${zone}` : zone) * 1000 : namedOffset(moment, zone)
  if (offset === undefined) return undefined
  const local = new Date(moment + offset)
  const year = local.getUTCFullYear()
  const newYear = new Date(0)
  newYear.setUTCFullYear(year, 0, 1)
  return {
    year,
    month: local.getUTCMonth(),
    day: local.getUTCDate(),
    weekday: local.getUTCDay(),
    dayOfYear: Math.floor((local.getTime() - newYear.getTime()) / 86_400_000),
    hours: local.getUTCHours(),
    minutes: local.getUTCMinutes(),
    seconds: local.getUTCSeconds(),
    milliseconds: Number(fraction / 1_000_000n),
  }
}

function namedOffset(moment: number, zone: string): number | undefined {
  if (zone === 'UTC') return 0
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(moment)
    const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
    return name === 'GMT' ? 0 : offsetSeconds(name.slice(3)) * 1000
  } catch {
    return undefined
  }
}

function floorMod(value: bigint, by: bigint): bigint {
  const rest = value % by
  return rest < 0n ? rest + by : rest
}
