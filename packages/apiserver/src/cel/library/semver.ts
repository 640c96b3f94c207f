import { EvaluationError } from '../errors.ts'
import { fn, method, type Overload } from '../overload.ts'
import { bool, int, opaque, string } from '../types.ts'
import { Opaque } from '../values.ts'

class SemverValue extends Opaque {
  readonly typeName = 'kubernetes.Semver'
  readonly core: readonly [bigint, bigint, bigint]
  readonly before: readonly string[]

  constructor(core: readonly [bigint, bigint, bigint], before: readonly string[]) {
    super()
    this.core = core
    this.before = before
  }

  equals(other: Opaque): boolean {
    return other instanceof SemverValue && compareVersions(this, other) === 0n
  }

  toText(): string {
    return this.core.join('.') + (this.before.length === 0 ? '' : `-${this.before.join('.')}`)
  }
}

const shape = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/

function parseVersion(text: string): SemverValue | undefined {
  const found = shape.exec(text)
  if (found === null) return undefined
  const before = found[4]?.split('.') ?? []
  const build = found[5]?.split('.') ?? []
  if ([...before, ...build].includes('') || before.some((part) => /^0\d+$/.test(part))) return undefined
  return new SemverValue([BigInt(found[1] ?? 0), BigInt(found[2] ?? 0), BigInt(found[3] ?? 0)], before)
}

/** `v1.02` as `1.2.0`. */
function normalise(text: string): string {
  const found = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?([-+].*)?$/.exec(text)
  if (found === null) return text
  const [major, minor, patch] = [found[1] ?? '0', found[2] ?? '0', found[3] ?? '0'].map((part) => part.replace(/^0+(?=\d)/, ''))
  return `${major}.${minor}.${patch}${found[4] ?? ''}`
}

function compareVersions(left: SemverValue, right: SemverValue): bigint {
  for (const index of [0, 1, 2] as const) {
    const difference = left.core[index] - right.core[index]
    if (difference !== 0n) return difference > 0n ? 1n : -1n
  }
  if (left.before.length === 0 || right.before.length === 0) {
    return BigInt(Number(left.before.length === 0) - Number(right.before.length === 0))
  }
  for (let index = 0; index < Math.max(left.before.length, right.before.length); index++) {
    const order = comparePart(left.before[index], right.before[index])
    if (order !== 0n) return order
  }
  return 0n
}

function comparePart(left: string | undefined, right: string | undefined): bigint {
  if (left === right) return 0n
  if (left === undefined) return -1n
  if (right === undefined) return 1n
  const [leftIsNumber, rightIsNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)]
  if (leftIsNumber && rightIsNumber) return BigInt(left) > BigInt(right) ? 1n : BigInt(left) < BigInt(right) ? -1n : 0n
  if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1n : 1n
  return left < right ? -1n : 1n
}

function toVersion(text: string, isNormalised: boolean): SemverValue {
  const version = parseVersion(isNormalised ? normalise(text) : text)
  if (version === undefined) throw new EvaluationError(`Invalid semantic version ${JSON.stringify(text)}`)
  return version
}

const semver = opaque<SemverValue>('kubernetes.Semver')

export const versions: readonly Overload[] = [
  fn('isSemver', [string], bool, (x) => parseVersion(x) !== undefined),
  fn('isSemver', [string, bool], bool, (x, isNormalised) => parseVersion(isNormalised ? normalise(x) : x) !== undefined),
  fn('semver', [string], semver, (x) => toVersion(x, false)),
  fn('semver', [string, bool], semver, toVersion),
  method('major', [semver], int, (x) => x.core[0]),
  method('minor', [semver], int, (x) => x.core[1]),
  method('patch', [semver], int, (x) => x.core[2]),
  method('isGreaterThan', [semver, semver], bool, (x, y) => compareVersions(x, y) > 0n),
  method('isLessThan', [semver, semver], bool, (x, y) => compareVersions(x, y) < 0n),
  method('compareTo', [semver, semver], int, compareVersions),
]
