import type { Version } from '@windlass/core'

/** The first release of the minor after this one: where a control plane goes next. */
export function nextMinor({ major, minor }: Version): Version {
  return { major, minor: minor + 1, patch: 0, prerelease: [], build: '', text: `${major}.${minor + 1}.0` }
}
