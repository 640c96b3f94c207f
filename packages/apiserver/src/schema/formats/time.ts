const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The number written with `count` digits at a place, or NaN. Times are in every condition of every object: no pattern is this quick. */
function digits(text: string, at: number, count: number): number {
  let number = 0
  for (let index = at; index < at + count; index++) {
    const digit = text.charCodeAt(index) - 48
    number = digit >= 0 && digit <= 9 ? number * 10 + digit : Number.NaN
  }
  return number
}

function startsWithDate(text: string): boolean {
  if (text[4] !== '-' || text[7] !== '-') return false
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2)]
  const length = month === 2 && isLeapYear(year) ? 29 : (monthLengths[month - 1] ?? 0)
  return year >= 0 && day >= 1 && day <= length
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function isDate(text: string): boolean {
  return text.length === 10 && startsWithDate(text)
}

const afterSeconds = /^(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/i

/** RFC 3339, in either case; a leap second is none. */
function isDateTime(text: string): boolean {
  if (!startsWithDate(text) || (text[10] !== 'T' && text[10] !== 't') || text[13] !== ':' || text[16] !== ':') return false
  if (!(digits(text, 11, 2) <= 23 && digits(text, 14, 2) <= 59 && digits(text, 17, 2) <= 59)) return false
  return (text.length === 20 && text[19] === 'Z') || afterSeconds.test(text.slice(19))
}

const goDuration = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/
const amountAndUnit = /(\d+)\s*([A-Za-zµ]+)/g
const units: readonly (readonly string[])[] = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
]

/** Go's durations (`1h30m`), or any text with amounts and units in words (`5 minutes`, `2 weeks`). */
function isDuration(text: string): boolean {
  if (goDuration.test(text)) return true
  let hasUnit = false
  for (const [, amount = '', unit = ''] of text.matchAll(amountAndUnit)) {
    if (BigInt(amount) >= 2n ** 63n) return false
    hasUnit ||= isUnit(unit.toLowerCase())
  }
  return hasUnit
}

/** The last name of each unit may go on: `minutes` begins with `min`. */
function isUnit(word: string): boolean {
  return units.some((names) => names.includes(word) || word.startsWith(names.at(-1) ?? ''))
}

export const timeFormats = { datetime: isDateTime, date: isDate, duration: isDuration }
