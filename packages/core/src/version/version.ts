/**
 * An OpenShift version: three numbers, perhaps a pre-release (`4.20.0-rc.2`), perhaps build metadata.
 *
 * OpenShift 5.0 is the release that would have been 4.23, and both names are in use: in order and in distance, `5.y` counts as
 * `4.(23+y)`.
 */
export interface Version {
  readonly major: number
  readonly minor: number
  readonly patch: number
  /** The dot-separated identifiers of the pre-release; empty for a release. */
  readonly prerelease: readonly string[]
  /** Build metadata, which plays no part in order. */
  readonly build: string
  /** As it was written. */
  readonly text: string
}

/** Thrown when a text is no semantic version. */
export class InvalidVersionError extends Error {
  override readonly name = 'InvalidVersionError'
  readonly text: string

  constructor(text: string) {
    super(`"${text}" is not a version: expected three numbers and perhaps a pre-release, as in 4.20.1 or 4.21.0-rc.2`)
    this.text = text
  }
}

/** Thrown when minors are counted in a version that is neither 4.x nor 5.x. */
export class UnsupportedMajorError extends Error {
  override readonly name = 'UnsupportedMajorError'
  readonly major: number

  constructor(major: number) {
    super(`unsupported major version ${major}; only 4.x and 5.x are supported`)
    this.major = major
  }
}

const number = String.raw`(0|[1-9]\d*)`
const identifiers = String.raw`[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*`
const semanticVersion = new RegExp(String.raw`^${number}\.${number}\.${number}(?:-(${identifiers}))?(?:\+(${identifiers}))?$`)
const paddedNumber = /^0\d+$/

/** The first minor that is called 5.0. */
const minorsOfFour = 23

export function parseVersion(text: string): Version {
  const version = tryParseVersion(text)
  if (version === undefined) throw new InvalidVersionError(text)
  return version
}

/** Undefined for an absent text and for one that is no semantic version (`4.10`, `v4.10.1`). */
export function tryParseVersion(text: string | null | undefined): Version | undefined {
  if (text === null || text === undefined) return undefined
  const match = semanticVersion.exec(text)
  if (match === null) return undefined
  const prerelease = match[4]?.split('.') ?? []
  if (prerelease.some((identifier) => paddedNumber.test(identifier))) return undefined
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]), prerelease, build: match[5] ?? '', text }
}

/**
 * The minor as it counts: `y` of `4.y`, `23 + y` of `5.y`. All arithmetic on minors is done on it.
 *
 * Errors: UnsupportedMajorError for any other major, because nothing says how far 3.11 or 6.0 is away.
 */
export function normalisedMinor({ major, minor }: Pick<Version, 'major' | 'minor'>): number {
  if (major === 4) return minor
  if (major === 5) return minorsOfFour + minor
  throw new UnsupportedMajorError(major)
}

/** Whether the minors of a version can be counted, that is whether it is 4.x or 5.x. */
export function hasCountedMinor({ major }: Pick<Version, 'major'>): boolean {
  return major === 4 || major === 5
}

/** How a normalised minor is written: 20 is `4.20`, 23 is `5.0`. */
export function formatNormalisedMinor(minor: number): string {
  return minor < minorsOfFour ? `4.${minor}` : `5.${minor - minorsOfFour}`
}

/** How many minors `to` is ahead of `from`; negative when it is behind. 4.23 and 5.0 are no minor apart. */
export function minorDistance(from: Version, to: Version): number {
  return normalisedMinor(to) - normalisedMinor(from)
}

/**
 * The Kubernetes minor a release brings: 4.14 has 1.27, and each minor since one more (5.0, being 4.23, has 1.36).
 */
export function kubernetesMinor(version: Pick<Version, 'major' | 'minor'>): number {
  return normalisedMinor(version) + 13
}
