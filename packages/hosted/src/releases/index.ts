/**
 * Release images: from a pullspec to version, digest and component images.
 *
 * - `release.ts`: what a release is, and the interface that everybody resolves pullspecs with. `errors.ts`: why one has no release.
 * - `pullspec/`: names of images.
 * - `registry-resolver.ts`: asks registries. `registry/` speaks with them, `payload/` reads the image, `mirrors/` says where else to look, `cache/`
 *   remembers; `registry-source.ts` puts them together.
 * - `catalogue/`: a file of releases, for a laptop or a place without registries.
 * - `chain.ts`: one after the other.
 * - `testing/` (`@windlass/hosted/testing`): release images and a registry in memory.
 */
export { catalogueResolver, InvalidCatalogueError, loadCatalogue, parseCatalogue, sampleCatalogue, updateGraph } from './catalogue/index.ts'
export type { Catalogue, CatalogueRelease, ConditionalUpdate, GraphQuery, Risk, UpdateGraph } from './catalogue/index.ts'
export { chainedResolver } from './chain.ts'
export { RegistryUnreachableError, ReleaseError, ReleaseInvalidError, ReleaseNotFoundError, ReleaseUnauthorizedError } from './errors.ts'
export { InvalidMirrorError, overriding, parseMirrorSets, readMirrors } from './mirrors/index.ts'
export type { MirrorRule, Mirrors, MirrorSets, RegistryOverrides } from './mirrors/index.ts'
export { InvalidPullspecError, parsePullspec } from './pullspec/index.ts'
export type { Digest, ImageReference, Pullspec, Repository } from './pullspec/index.ts'
export { InvalidPullSecretError, parsePullSecret, RegistryFailure } from './registry/index.ts'
export type { PullSecret, RegistryTransport } from './registry/index.ts'
export { registryResolver } from './registry-resolver.ts'
export type { RegistryResolver, RegistryResolverOptions } from './registry-resolver.ts'
export { payloadArch } from './release.ts'
export type { BootImage, PayloadArch, Release, ReleaseContents, ReleaseMetadata, ReleaseResolver, ResolveOptions } from './release.ts'
