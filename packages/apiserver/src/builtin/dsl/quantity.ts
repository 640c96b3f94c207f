/**
 * Amounts of resources: `500m`, `1Gi`, `2e3`. Kubernetes rewrites them when it reads them: no fraction, the largest suffix that
 * keeps the value exact, at most nine decimals (rounded up).
 */
export class QuantityError extends Error {}

type Format = 'decimal' | 'binary' | 'exponent'

/** `digits * 10^exponent`. */
interface Amount {
  readonly digits: bigint
  readonly exponent: number
  readonly format: Format
}

const shape = /^([+-]?)([0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$/
const decimalSuffixes: readonly (readonly [string, number])[] = [
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]
const exponentOf = new Map(decimalSuffixes)
const decimalSuffixOf = new Map(decimalSuffixes.map(([suffix, exponent]) => [exponent, suffix]))
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const largest = 2n ** 63n - 1n
const smallestExponent = -9

/** Nearly every quantity in the wild: up to three digits and a suffix, which is canonical as it stands. */
const alreadyCanonical = /^[1-9][0-9]{0,2}(?:[numkMGTP]|[KMGTP]i)?$/

/** Throws QuantityError for what is no quantity. */
export function canonicalQuantity(text: string): string {
  if (alreadyCanonical.test(text)) return text
  return formatAmount(parseAmount(text))
}

/** Negative, zero or positive, like the difference of both. */
export function compareQuantities(a: string, b: string): number {
  const [left, right] = [parseAmount(a), parseAmount(b)]
  const exponent = Math.min(left.exponent, right.exponent)
  const difference = left.digits * 10n ** BigInt(left.exponent - exponent) - right.digits * 10n ** BigInt(right.exponent - exponent)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

export function isNegativeQuantity(text: string): boolean {
  return text.startsWith('-') && parseAmount(text).digits < 0n
}

/** Whether there is something behind the decimal point, as integer resources may not have. */
export function isWholeQuantity(text: string): boolean {
  return parseAmount(text).exponent >= 0
}

function parseAmount(text: string): Amount {
  const match = shape.exec(text.trim())
  if (match === null) throw new QuantityError(`quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`)
  const [, sign = '', number = '', suffix = ''] = match
  const [whole = '', fraction = '', ...rest] = number.split('.')
  if (rest.length > 0 || whole + fraction === '') throw new QuantityError('unable to parse numeric part of quantity')
  const { exponent, factor, format } = parseSuffix(suffix)
  const magnitude = BigInt(whole + fraction) * factor
  return bounded(sign === '-' ? -magnitude : magnitude, exponent - fraction.length, format)
}

function parseSuffix(suffix: string): { readonly exponent: number; readonly factor: bigint; readonly format: Format } {
  const decimal = exponentOf.get(suffix)
  if (decimal !== undefined) return { exponent: decimal, factor: 1n, format: 'decimal' }
  const binary = binarySuffixes.indexOf(suffix)
  if (binary > 0) return { exponent: 0, factor: 1024n ** BigInt(binary), format: 'binary' }
  const power = /^[eE]([-+]?[0-9]+)$/.exec(suffix)?.[1]
  if (power === undefined || Math.abs(Number(power)) > 1000) throw new QuantityError("unable to parse quantity's suffix")
  return { exponent: Number(power), factor: 1n, format: 'exponent' }
}

/** Removes trailing zeros, rounds up what is finer than nano and cuts off what no 64-bit integer holds. */
function bounded(digits: bigint, exponent: number, format: Format): Amount {
  if (digits === 0n) return { digits, exponent: 0, format }
  let [mantissa, power] = [digits, exponent]
  while (mantissa % 10n === 0n) [mantissa, power] = [mantissa / 10n, power + 1]
  if (power < smallestExponent) {
    const divisor = 10n ** BigInt(smallestExponent - power)
    const rest = mantissa % divisor
    mantissa = mantissa / divisor + (rest === 0n ? 0n : mantissa > 0n ? 1n : -1n)
    return bounded(mantissa, smallestExponent, format)
  }
  if (power >= 0 && mantissa * 10n ** BigInt(power) > largest) return bounded(largest, 0, format)
  return { digits: mantissa, exponent: power, format }
}

function formatAmount({ digits, exponent, format }: Amount): string {
  if (format === 'binary' && exponent >= 0) {
    const value = digits * 10n ** BigInt(exponent)
    if (value % 1024n === 0n && value !== 0n) return formatBinary(value)
  }
  const shift = ((exponent % 3) + 3) % 3
  const number = digits * 10n ** BigInt(shift)
  const power = exponent - shift
  const suffix = format === 'exponent' ? undefined : decimalSuffixOf.get(power)
  if (suffix !== undefined) return `${number}${suffix}`
  return power === 0 ? `${number}` : `${number}e${power}`
}

function formatBinary(value: bigint): string {
  let [rest, steps] = [value, 0]
  while (rest % 1024n === 0n && steps < binarySuffixes.length - 1) [rest, steps] = [rest / 1024n, steps + 1]
  return `${rest}${binarySuffixes[steps]}`
}
