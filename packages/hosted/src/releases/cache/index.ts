/**
 * Releases that were looked up before.
 *
 * - `cached-releases.ts`: a resolver over a source: digests for ever, tags for a while, failures for a little while.
 * - `shared-work.ts`: what several want at once is done once.
 * - `release-folder.ts`: releases on disk, for the next process.
 */
export { CachedReleases } from './cached-releases.ts'
export type { CachedReleasesOptions, ReleaseShelf } from './cached-releases.ts'
export { ReleaseFolder } from './release-folder.ts'
export type { ReleaseFolderOptions } from './release-folder.ts'
export { SharedWork } from './shared-work.ts'
