import { EvaluationError } from '../errors.ts'
import { method, type Overload } from '../overload.ts'
import { calendar, type CalendarTime } from '../time.ts'
import { duration, int, string, timestamp } from '../types.ts'

const parts: Readonly<Record<string, (at: CalendarTime) => number>> = {
  getFullYear: (at) => at.year,
  getMonth: (at) => at.month,
  getDayOfYear: (at) => at.dayOfYear,
  getDayOfMonth: (at) => at.day - 1,
  getDate: (at) => at.day,
  getDayOfWeek: (at) => at.weekday,
  getHours: (at) => at.hours,
  getMinutes: (at) => at.minutes,
  getSeconds: (at) => at.seconds,
  getMilliseconds: (at) => at.milliseconds,
}

function at(nanos: bigint, zone?: string): CalendarTime {
  const found = calendar(nanos, zone)
  if (found === undefined) throw new EvaluationError(`unknown time zone ${zone}`)
  return found
}

const units: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
  getMilliseconds: 1_000_000n,
}

export const times: readonly Overload[] = [
  ...Object.entries(parts).flatMap(([name, part]) => [
    method(name, [timestamp], int, (x) => BigInt(part(at(x.nanos)))),
    method(name, [timestamp, string], int, (x, zone) => BigInt(part(at(x.nanos, zone)))),
  ]),
  ...Object.entries(units).map(([name, unit]) => method(name, [duration], int, (x) => x.nanos / unit)),
]
