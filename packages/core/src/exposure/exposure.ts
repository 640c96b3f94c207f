import { activeUpdates } from '../active-versions/active-versions.ts'
import { isSameImage } from '../release/release.ts'
import { isBefore } from '../version/order.ts'
import { hasCountedMinor, normalisedMinor, tryParseVersion, type Version } from '../version/version.ts'
import type { Advisory } from './advisory.ts'

/**
 * Fixed: nothing that may run is vulnerable. Pending: the update to a fixed version is not confirmed. Vulnerable: not even the wanted
 * version is fixed. Unknown: it cannot be told.
 */
export type CveStatus = 'Fixed' | 'Pending' | 'Vulnerable' | 'Unknown'

/** Whether a control plane is exposed to a vulnerability, and why we say so. */
export interface Exposure {
  readonly status: CveStatus
  readonly reason: string
}

/** What is needed of the version status of a control plane. */
export interface UpdatedControlPlane {
  readonly history?: readonly { readonly state: string; readonly version?: string; readonly image?: string }[]
}

/**
 * Whether the components of a control plane still have a vulnerability.
 *
 * A version above the fixed ones is not fixed by that: a fix can be in 4.20.1 and not yet in 4.21.0. Without a fix listed for its
 * own minor, a version is not known to have it.
 */
export function exposure(controlPlane: UpdatedControlPlane | undefined, advisory: Advisory): Exposure {
  const history = controlPlane?.history ?? []
  const newest = history[0]
  if (newest === undefined) return answer('Unknown', 'no update of the control plane is on record')
  const version = tryParseVersion(newest.version)
  if (version === undefined) return answer('Unknown', `its version "${newest.version ?? ''}" cannot be read`)
  const fix = fixFor(version, advisory)
  if (fix === undefined) return answer('Unknown', `no fix is listed for the minor of ${version.text}`)
  if (isBefore(version, fix)) return answer('Vulnerable', `${version.text} is below ${fix.text}: update to that or above`)
  if (advisory.images !== undefined) return byImage(newest.state, newest.image ?? '', advisory.images)
  const exposed = activeUpdates(history).find((update) => !hasFix(tryParseVersion(update.version), advisory))
  if (exposed !== undefined)
    return answer('Pending', `the update to ${version.text} is not complete; "${exposed.version ?? ''}" may still run`)
  return answer('Fixed', `all that may run is at ${version.text} or at another fixed version`)
}

function byImage(state: string, image: string, fixedImages: readonly string[]): Exposure {
  if (!fixedImages.some((fixed) => isSameImage(fixed, image))) return answer('Pending', `its image ${image} is not among the fixed ones`)
  return state === 'Completed'
    ? answer('Fixed', `all components run ${image}`)
    : answer('Pending', `the update to ${image} is not complete`)
}

function fixFor(version: Version, { fixes }: Advisory): Version | undefined {
  return hasCountedMinor(version) ? fixes.get(normalisedMinor(version)) : undefined
}

function hasFix(version: Version | undefined, advisory: Advisory): boolean {
  const fix = version === undefined ? undefined : fixFor(version, advisory)
  return version !== undefined && fix !== undefined && !isBefore(version, fix)
}

function answer(status: CveStatus, reason: string): Exposure {
  return { status, reason }
}
