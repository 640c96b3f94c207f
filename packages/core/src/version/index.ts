/**
 * OpenShift versions: reading them (`version.ts`), putting them in order (`order.ts`), the minor streams they belong to
 * (`stream.ts`). Everything that compares versions or counts minors does it through this folder; `5.y` is `4.(23+y)` here and
 * nowhere else.
 */
export {
  formatNormalisedMinor,
  hasCountedMinor,
  InvalidVersionError,
  kubernetesMinor,
  minorDistance,
  normalisedMinor,
  parseVersion,
  tryParseVersion,
  UnsupportedMajorError,
} from './version.ts'
export type { Version } from './version.ts'
export { compareSemver, compareVersions, highestVersion, isBefore, lowestVersion } from './order.ts'
export { InvalidStreamError, isSameStream, parseStream, streamOf } from './stream.ts'
export type { Stream } from './stream.ts'
