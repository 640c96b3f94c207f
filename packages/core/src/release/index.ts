/**
 * Releases: what makes two of them one (`release.ts`), and which cannot be written down (`release-problem.ts`). Identity is version
 * and digest; pullspecs are for people and for pulling.
 */
export { digestOf, isSameImage, isSameRelease } from './release.ts'
export type { Digest, Release } from './release.ts'
export { releaseProblem } from './release-problem.ts'
