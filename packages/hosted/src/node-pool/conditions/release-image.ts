import type { Seen } from '../seen.ts'
import { advisorySkew, releaseGate } from '../skew/index.ts'
import { fails, holds, type Outcome, validationFailed, withError } from './outcome.ts'

/** The gate: what fails here is not rolled out, and everything stays as it is until the release or its cluster changes. */
export function isReleaseImageValid({ pool, cluster, release, clusterRelease, settings, key }: Seen): Outcome {
  const cause = releaseGate({ pool, cluster, release, clusterRelease, source: settings.skew.source })
  if (cause === undefined) return holds(`Using release image: ${pool.spec.release.image}`)
  const message = `Failed to get release image: ${cause}`
  return fails(validationFailed, message, withError(`NodePool ${key}: ${message}`))
}

/** The advice: what fails here is rolled out all the same. */
export function isSkewSupported({ cluster, release, settings }: Seen): Outcome {
  return { say: advisorySkew(cluster, release, settings.skew) }
}
