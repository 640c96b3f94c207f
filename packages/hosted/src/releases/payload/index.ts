/**
 * What is inside of a release image.
 *
 * - `byte-reader.ts`, `tar-header.ts`, `tar.ts`: a tar archive read as it comes, from memory to memory.
 * - `layer.ts`: a layer is a tar archive, compressed in one way or another.
 * - `release-files.ts`: finds the few files that matter, from the top layer down.
 * - `release-contents.ts`: what those files say; `boot-images.ts`: which images machines start from.
 */
export { InvalidPayloadError, releaseContents, releaseLabel } from './release-contents.ts'
export type { ImageConfig } from './release-contents.ts'
export { readReleaseFiles } from './release-files.ts'
export type { ReleaseFiles } from './release-files.ts'
export { TarError, tarEntries } from './tar.ts'
export type { TarEntry } from './tar.ts'
