import { highestVersion, lowestVersion } from '../version/order.ts'
import { formatNormalisedMinor, hasCountedMinor, normalisedMinor, type Version } from '../version/version.ts'
import { allowedSkew, defaultSkewPolicy, type SkewPolicy } from './policy.ts'

/** Versions from any patch of a minor up to and including one version. */
export interface VersionWindow {
  /** The lowest minor, as it counts: 23 is 5.0. */
  readonly lowestMinor: number
  /** The same for people: `4.18`. */
  readonly min: string
  readonly max: Version
  /** No version is in it. */
  readonly isEmpty: boolean
}

/** Which versions the nodes of a cluster may have, and by what that was judged. */
export interface SkewRange {
  readonly policy: SkewPolicy
  /** The versions that may run in the control plane. */
  readonly active: readonly Version[]
  readonly lowest: Version
  readonly highest: Version
  /** Where existing nodes may stay: near enough to the lowest version, and not above the highest. */
  readonly tolerated: VersionWindow
  /**
   * Where nodes may be created or go to now: near enough to all that may run, and above none of it, so that no kubelet is ever newer
   * than an API server it may talk to. Empty when an update in progress spans too much; then it has to finish first.
   */
  readonly safe: VersionWindow
}

/**
 * The range for a control plane in which the given versions may run. For a single version both windows are the same.
 *
 * Undefined when it cannot be told: no version is known, or one of a major whose minors cannot be counted.
 */
export function skewRange(active: readonly Version[] | undefined, policy: SkewPolicy = defaultSkewPolicy): SkewRange | undefined {
  if (active === undefined || !active.every(hasCountedMinor)) return undefined
  const lowest = lowestVersion(active)
  const highest = highestVersion(active)
  if (lowest === undefined || highest === undefined) return undefined
  return { policy, active, lowest, highest, tolerated: windowOf(lowest, highest, policy), safe: windowOf(highest, lowest, policy) }
}

/** From as far below one version as the policy lets, up to another one. */
function windowOf(measuredFrom: Version, max: Version, policy: SkewPolicy): VersionWindow {
  const lowestMinor = Math.max(0, normalisedMinor(measuredFrom) - allowedSkew(policy, measuredFrom))
  return { lowestMinor, min: formatNormalisedMinor(lowestMinor), max, isEmpty: lowestMinor > normalisedMinor(max) }
}
