import type { Release } from './release.ts'

const longestVersion = 64
const longestImage = 447
const versionPrefix = /^\d+\.\d+\.\d+/

/**
 * Why a release cannot be written into a history; undefined when it can. The API would refuse it, and with it the whole status that
 * the history is a part of: a release that is not fit to be written must stop before it gets there.
 */
export function releaseProblem({ version, image }: Release): string | undefined {
  if (version === '') return 'its version is not known'
  if (!versionPrefix.test(version)) return `its version "${version}" does not begin with three numbers, as in 4.20.1`
  if (version.length > longestVersion) return `its version has ${version.length} characters; at most ${longestVersion} can be written`
  if (image === '') return 'its image is not known'
  if (image.length > longestImage) return `its image has ${image.length} characters; at most ${longestImage} can be written`
  return undefined
}
