/**
 * Release images and registries for tests.
 *
 * - `tar-writer.ts`: tar archives, as different tools write them.
 * - `release-image.ts`: whole, valid release images, of which a test changes what it is about.
 * - `memory-registry.ts`: registries as a transport, without sockets: runs in virtual time.
 */
export { MemoryRegistry, refusal } from './memory-registry.ts'
export type { Fault } from './memory-registry.ts'
export { buildIndex, buildRelease, releaseFiles, someImages } from './release-image.ts'
export type { BuiltImage, ReleaseImageOptions } from './release-image.ts'
export { record, tarOf } from './tar-writer.ts'
export type { TarContent } from './tar-writer.ts'
