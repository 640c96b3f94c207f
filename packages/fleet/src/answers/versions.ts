import { compareSemver, compareVersions, tryParseVersion } from '@windlass/core'
import type { VersionCount } from '../contract/index.ts'

/** Newest first; what cannot be read comes after what can, and the empty text last. */
export function newestFirst(a: string, b: string): number {
  if (a === b) return 0
  const [left, right] = [tryParseVersion(a), tryParseVersion(b)]
  if (left === undefined || right === undefined) {
    if (left !== undefined) return -1
    if (right !== undefined) return 1
    return a > b ? -1 : 1
  }
  // Two names of one release are still two names: the order must not depend on which came first.
  return compareVersions(right, left) || compareSemver(right, left) || (a < b ? -1 : 1)
}

/** Counts by version. What has come to nothing is not in it. */
export class VersionTally {
  readonly #counts = new Map<string, number>()
  #sorted: readonly VersionCount[] | undefined

  add(version: string, count: number): void {
    if (count === 0) return
    const sum = (this.#counts.get(version) ?? 0) + count
    if (sum === 0) this.#counts.delete(version)
    else this.#counts.set(version, sum)
    this.#sorted = undefined
  }

  get total(): number {
    let total = 0
    for (const count of this.#counts.values()) total += count
    return total
  }

  /** Newest first; the same list as long as nothing has changed. */
  list(): readonly VersionCount[] {
    this.#sorted ??= Array.from(this.#counts, ([version, count]) => ({ version, count })).toSorted((a, b) =>
      newestFirst(a.version, b.version),
    )
    return this.#sorted
  }
}
