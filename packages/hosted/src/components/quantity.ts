/** Powers of ten by which a decimal suffix multiplies. */
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }
const decimalSuffixes = ['E', 'P', 'T', 'G', 'M', 'k', '', 'm', 'u', 'n']
const binarySuffixes = ['Ei', 'Pi', 'Ti', 'Gi', 'Mi', 'Ki']

const pattern = /^([+-]?)(\d+)(?:\.(\d*))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,2}))?$/

/**
 * A quantity in the form in which the API server gives it back: `1000m` is `1`, `1024Ki` is `1Mi`. Anything else would differ from the live
 * object for ever. Undefined for what is no quantity, and for fractions that the API would round.
 */
export function canonicalQuantity(text: string): string | undefined {
  const match = pattern.exec(text.trim())
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', suffix = '', exponent] = match
  const digits = BigInt(whole + fraction)
  const signed = (amount: bigint, unit: string) => `${sign === '-' && amount !== 0n ? '-' : ''}${amount}${unit}`
  if (suffix.endsWith('i')) {
    const scaled = digits * 1024n ** BigInt(binarySuffixes.length - binarySuffixes.indexOf(suffix))
    const divisor = 10n ** BigInt(fraction.length)
    return scaled % divisor === 0n ? signed(...largestBinary(scaled / divisor)) : undefined
  }
  const power = (exponent === undefined ? (decimal[suffix] ?? 0) : Number(exponent)) - fraction.length
  const nanos = power >= -9 ? digits * 10n ** BigInt(power + 9) : digits / 10n ** BigInt(-power - 9)
  if (power < -9 && digits % 10n ** BigInt(-power - 9) !== 0n) return undefined
  return signed(...largestDecimal(nanos))
}

function largestDecimal(nanos: bigint): readonly [bigint, string] {
  for (const suffix of decimalSuffixes) {
    const unit = 10n ** BigInt((decimal[suffix] ?? 0) + 9)
    if (nanos !== 0n && nanos % unit === 0n) return [nanos / unit, suffix]
  }
  return [0n, '']
}

function largestBinary(bytes: bigint): readonly [bigint, string] {
  for (const [index, suffix] of binarySuffixes.entries()) {
    const unit = 1024n ** BigInt(binarySuffixes.length - index)
    if (bytes !== 0n && bytes % unit === 0n) return [bytes / unit, suffix]
  }
  return [bytes, '']
}
