/**
 * How images are named.
 *
 * - `digest.ts`: the name of some bytes, and the check that bytes deserve their name.
 * - `pullspec.ts`: `example.com/ocp/release:4.20.1-x86_64` taken apart and put together again.
 * - `same-release.ts`: whether two pullspecs, or two releases, are the same one under different names.
 */
export { asDigest, DigestCheck, digestOf, InvalidDigestError, isDigest } from './digest.ts'
export type { Digest } from './digest.ts'
export { asPullspec, atDigest, canonicalPullspec, InvalidPullspecError, parsePullspec, repositoryPath } from './pullspec.ts'
export type { ImageReference, Pullspec, Repository } from './pullspec.ts'
export { sameImage, sameRelease } from './same-release.ts'
export type { NamedRelease } from './same-release.ts'
