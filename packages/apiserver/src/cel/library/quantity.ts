import { EvaluationError } from '../errors.ts'
import { fn, method, type Overload } from '../overload.ts'
import { bool, double, int, opaque, string } from '../types.ts'
import { Opaque } from '../values.ts'

/** Quantities count in billionths, the finest step Kubernetes keeps. */
const one = 1_000_000_000n

class QuantityValue extends Opaque {
  readonly typeName = 'kubernetes.Quantity'
  readonly nanos: bigint

  constructor(nanos: bigint) {
    super()
    this.nanos = nanos
  }

  equals(other: Opaque): boolean {
    return other instanceof QuantityValue && other.nanos === this.nanos
  }

  toText(): string {
    return this.nanos % one === 0n ? String(this.nanos / one) : `${this.nanos}n`
  }
}

const decimalSuffixes: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }
const binarySuffixes: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n }

/** `1.5Gi`, `200m`, `1e3`; undefined for anything else. What is finer than a billionth is rounded up, away from zero. */
export function parseQuantity(text: string): bigint | undefined {
  const found = /^([-+]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|[eE][-+]?\d+|n|u|m|k|M|G|T|P|E|)$/.exec(text)
  if (found === null) return undefined
  const [sign, whole = '', fraction = '', suffix = ''] = [found[1], found[2], found[3], found[4]]
  if (whole === '' && fraction === '') return undefined
  let numerator = BigInt(whole + fraction) * one
  let denominator = 10n ** BigInt(fraction.length)
  const binary = binarySuffixes[suffix]
  const exponent = /^[eE]./.test(suffix) ? Number(suffix.slice(1)) : (decimalSuffixes[suffix] ?? 0)
  if (Math.abs(exponent) > 1000) return undefined
  if (binary !== undefined) numerator <<= binary
  else if (exponent >= 0) numerator *= 10n ** BigInt(exponent)
  else denominator *= 10n ** BigInt(-exponent)
  const rounded = (numerator + denominator - 1n) / denominator
  return sign === '-' ? -rounded : rounded
}

function toQuantity(text: string): QuantityValue {
  const nanos = parseQuantity(text)
  if (nanos === undefined) {
    throw new EvaluationError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")
  }
  return new QuantityValue(nanos)
}

const isInteger = ({ nanos }: QuantityValue): boolean => nanos % one === 0n && BigInt.asIntN(64, nanos / one) === nanos / one
const sign = (of: bigint): bigint => (of > 0n ? 1n : of < 0n ? -1n : 0n)

const quantity = opaque<QuantityValue>('kubernetes.Quantity')

export const quantities: readonly Overload[] = [
  fn('isQuantity', [string], bool, (x) => parseQuantity(x) !== undefined),
  fn('quantity', [string], quantity, toQuantity),
  fn('sign', [quantity], int, (x) => sign(x.nanos)),
  method('sign', [quantity], int, (x) => sign(x.nanos)),
  method('isInteger', [quantity], bool, isInteger),
  method('asInteger', [quantity], int, (x) => {
    if (!isInteger(x)) throw new EvaluationError('cannot convert value to integer')
    return x.nanos / one
  }),
  method('asApproximateFloat', [quantity], double, (x) => Number(x.nanos) / Number(one)),
  method('isGreaterThan', [quantity, quantity], bool, (x, y) => x.nanos > y.nanos),
  method('isLessThan', [quantity, quantity], bool, (x, y) => x.nanos < y.nanos),
  method('compareTo', [quantity, quantity], int, (x, y) => sign(x.nanos - y.nanos)),
  method('add', [quantity, quantity], quantity, (x, y) => new QuantityValue(x.nanos + y.nanos)),
  method('add', [quantity, int], quantity, (x, y) => new QuantityValue(x.nanos + y * one)),
  method('sub', [quantity, quantity], quantity, (x, y) => new QuantityValue(x.nanos - y.nanos)),
  method('sub', [quantity, int], quantity, (x, y) => new QuantityValue(x.nanos - y * one)),
]
