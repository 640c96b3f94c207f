/**
 * How images are named.
 *
 * - `digest.ts`: the name of some bytes, and the check that bytes deserve their name.
 * - `pullspec.ts`: `example.com/ocp/release:4.20.1-x86_64` taken apart and put together again.
 *
 * Whether two of them are the same image is a rule of `@windlass/core`: `isSameImage`.
 */
export { asDigest, DigestCheck, digestOf, InvalidDigestError, isDigest } from './digest.ts'
export type { Digest } from './digest.ts'
export { asPullspec, atDigest, canonicalPullspec, InvalidPullspecError, parsePullspec, repositoryPath } from './pullspec.ts'
export type { ImageReference, Pullspec, Repository } from './pullspec.ts'
