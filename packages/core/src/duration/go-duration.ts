/** A length of time in milliseconds; fractions are parts of a millisecond. */
export type Duration = number

/** Thrown when a text is no duration in Go's notation. */
export class InvalidDurationError extends Error {
  override readonly name = 'InvalidDurationError'
  readonly text: string

  constructor(text: string, reason: string) {
    super(`"${text}" is not a duration: ${reason}; write numbers with the units h, m, s, ms, us or ns, as in 1h30m or 90s`)
    this.text = text
  }
}

const nanosecondsOf: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}

/** Go keeps durations in 64 bits of nanoseconds, about 292 years: what it refuses, we refuse. */
const longest = 2n ** 63n - 1n

/**
 * Reads the notation of Go and of Kubernetes' duration fields: `1h30m`, `90s`, `1.5h`, `-2m`, `0`.
 *
 * Errors: InvalidDurationError, also for a number without a unit (`90`), for spaces, and for more than about 292 years.
 */
export function parseDuration(text: string): Duration {
  if (/^[+-]?0$/.test(text)) return 0
  const isNegative = text.startsWith('-')
  let rest = /^[+-]/.test(text) ? text.slice(1) : text
  if (rest === '') throw new InvalidDurationError(text, 'it is empty')
  let total = 0n
  while (rest !== '') {
    const part = /^(\d*)(?:\.(\d*))?([^\d.]*)/.exec(rest)
    const [whole, whole10ths, unit] = [part?.[1] ?? '', part?.[2] ?? '', part?.[3] ?? '']
    if (part === null || (whole === '' && whole10ths === '')) throw new InvalidDurationError(text, `expected a number at "${rest}"`)
    if (unit === '') throw new InvalidDurationError(text, `the number ${part[0]} has no unit`)
    const nanoseconds = Object.hasOwn(nanosecondsOf, unit) ? nanosecondsOf[unit] : undefined
    if (nanoseconds === undefined) throw new InvalidDurationError(text, `unknown unit "${unit}"`)
    total += BigInt(whole || '0') * nanoseconds + fractionOf(whole10ths, nanoseconds)
    if (total > longest) throw new InvalidDurationError(text, 'it is longer than 292 years')
    rest = rest.slice(part[0].length)
  }
  // One division where it is exact: the sum of two rounded parts would miss by the last digit.
  const isExact = total <= BigInt(Number.MAX_SAFE_INTEGER)
  const milliseconds = isExact ? Number(total) / 1e6 : Number(total / 1_000_000n) + Number(total % 1_000_000n) / 1e6
  return isNegative ? -milliseconds : milliseconds
}

/** Undefined for an absent text and for one that is no duration. */
export function tryParseDuration(text: string | null | undefined): Duration | undefined {
  if (text === null || text === undefined) return undefined
  try {
    return parseDuration(text)
  } catch (error) {
    if (error instanceof InvalidDurationError) return undefined
    throw error
  }
}

/** Go's own form, in which every unit below the largest is written: `2m0s`, `1h30m0s`, `1.5s`, `0s`, `100ms`. */
export function formatDuration(duration: Duration): string {
  const length = Math.abs(duration)
  // Whole and fraction apart: together they do not fit a double beyond some hundred days.
  const nanoseconds = BigInt(Math.floor(length)) * 1_000_000n + BigInt(Math.round((length % 1) * 1e6))
  if (nanoseconds === 0n) return '0s'
  const sign = duration < 0 ? '-' : ''
  if (nanoseconds < 1_000n) return `${sign}${nanoseconds}ns`
  if (nanoseconds < 1_000_000n) return `${sign}${decimal(nanoseconds, 3)}µs`
  if (nanoseconds < 1_000_000_000n) return `${sign}${decimal(nanoseconds, 6)}ms`
  const minutes = nanoseconds / 60_000_000_000n
  const seconds = `${decimal(nanoseconds % 60_000_000_000n, 9)}s`
  if (minutes === 0n) return `${sign}${seconds}`
  const hours = minutes / 60n
  return hours === 0n ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60n}m${seconds}`
}

function fractionOf(digits: string, unit: bigint): bigint {
  return digits === '' ? 0n : (BigInt(digits) * unit) / 10n ** BigInt(digits.length)
}

/** `value` divided by ten to the power of `places`, without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const scale = 10n ** BigInt(places)
  const fraction = (value % scale).toString().padStart(places, '0').replace(/0+$/, '')
  return fraction === '' ? `${value / scale}` : `${value / scale}.${fraction}`
}
