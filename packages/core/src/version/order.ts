import { normalisedMinor } from './version.ts'
import type { Version } from './version.ts'

/**
 * OpenShift's order: semantic version precedence with `5.y` counted as `4.(23+y)`. Pre-releases come before their release, build
 * metadata is ignored.
 *
 * Caveat: 4.23.1 and 5.0.1 compare as equal, being two names of one release. `compareSemver` tells them apart.
 */
export function compareVersions(a: Version, b: Version): number {
  return sign(lineOf(a) - lineOf(b)) || sign(minorOf(a) - minorOf(b)) || sign(a.patch - b.patch) || comparePrereleases(a, b)
}

/** Plain semantic version precedence: 5.0.0 is after every 4.y. */
export function compareSemver(a: Version, b: Version): number {
  return sign(a.major - b.major) || sign(a.minor - b.minor) || sign(a.patch - b.patch) || comparePrereleases(a, b)
}

export function isBefore(a: Version, b: Version): boolean {
  return compareVersions(a, b) < 0
}

/** The lowest of the versions; undefined when there is none. */
export function lowestVersion(versions: Iterable<Version>): Version | undefined {
  return best(versions, (candidate, lowest) => compareVersions(candidate, lowest) < 0)
}

/** The highest of the versions; undefined when there is none. */
export function highestVersion(versions: Iterable<Version>): Version | undefined {
  return best(versions, (candidate, highest) => compareVersions(candidate, highest) > 0)
}

/** Majors 4 and 5 are one line of releases; any other major is a line of its own, so that sorting never throws. */
function lineOf(version: Version): number {
  return version.major === 5 ? 4 : version.major
}

function minorOf(version: Version): number {
  return lineOf(version) === 4 ? normalisedMinor(version) : version.minor
}

function comparePrereleases(a: Version, b: Version): number {
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return sign(b.prerelease.length - a.prerelease.length)
  for (const [index, identifier] of a.prerelease.entries()) {
    const other = b.prerelease[index]
    if (other === undefined) return 1
    const order = compareIdentifiers(identifier, other)
    if (order !== 0) return order
  }
  return a.prerelease.length < b.prerelease.length ? -1 : 0
}

const digits = /^\d+$/

/** Numbers before words; numbers by value (by length first, so that build dates of any length stay exact), words by code. */
function compareIdentifiers(a: string, b: string): number {
  const aIsNumber = digits.test(a)
  const bIsNumber = digits.test(b)
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1
  if (aIsNumber && a.length !== b.length) return a.length < b.length ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

function sign(difference: number): number {
  return Math.sign(difference)
}

function best(versions: Iterable<Version>, isBetter: (candidate: Version, best: Version) => boolean): Version | undefined {
  let result: Version | undefined
  for (const version of versions) if (result === undefined || isBetter(version, result)) result = version
  return result
}
