/**
 * Images that are kept in more than one place.
 *
 * - `mirrors.ts`: where else to look for an image, in the words of ImageDigestMirrorSet and ImageTagMirrorSet.
 * - `mirror-sets.ts`: the same from a file.
 * - `overrides.ts`: component images of a release renamed to where the management cluster keeps them.
 */
export { InvalidMirrorError, noMirrors, readMirrors } from './mirrors.ts'
export type { MirrorRule, Mirrors, MirrorSets } from './mirrors.ts'
export { parseMirrorSets } from './mirror-sets.ts'
export { overriding, withOverrides } from './overrides.ts'
export type { RegistryOverrides } from './overrides.ts'
