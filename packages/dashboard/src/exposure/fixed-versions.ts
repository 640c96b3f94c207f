import { hasCountedMinor, formatNormalisedMinor, normalisedMinor, tryParseVersion } from '@windlass/core'

/** Versions that somebody wrote, one for each minor; or what is wrong with them, in a sentence. */
export type FixedVersions = { readonly versions: readonly string[] } | { readonly problem: string }

/** Reads `4.20.3, 4.19.19`: separated by commas or spaces. */
export function readFixedVersions(text: string): FixedVersions {
  const written = text.split(/[\s,;]+/).filter((each) => each !== '')
  if (written.length === 0) return { problem: 'Enter the first fixed version of each minor, for example 4.20.3, 4.19.19.' }
  const byMinor = new Map<number, string>()
  for (const each of written) {
    const version = tryParseVersion(each.replace(/^v/, ''))
    if (version === undefined) return { problem: `${each} is not a version: write three numbers, as in 4.20.3.` }
    if (!hasCountedMinor(version)) return { problem: `${each} is not a version of OpenShift 4 or 5.` }
    const minor = normalisedMinor(version)
    const other = byMinor.get(minor)
    if (other !== undefined && other !== version.text) {
      return {
        problem: `${other} and ${version.text} are both of ${formatNormalisedMinor(minor)}: keep the first version that has the fix.`,
      }
    }
    byMinor.set(minor, version.text)
  }
  return { versions: [...byMinor.values()] }
}
