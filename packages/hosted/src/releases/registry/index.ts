/**
 * Talking to image registries: the pulling half of the OCI distribution protocol, version 2.
 *
 * - `transport.ts`: HTTP as a function; `undici-transport.ts` is the real one, `../testing` has one in memory.
 * - `client.ts`: manifests and blobs, checked against their digests. `exchange.ts`: one request, with its challenges and redirects.
 * - `pull-secret.ts`: credentials and whom they are for. `challenge.ts`, `authorization.ts`: how a registry asks for them and what it gets.
 * - `manifest.ts`: lists of platforms, manifests, and the choice between them.
 * - `retry.ts`, `limiter.ts`: again, but later; not too many at once. `failure.ts`: what can go wrong, as one type.
 *
 * Written by hand: the clients on npm leave out what matters most here, namely checked digests, mirrors, credentials by path, and a clock.
 */
export { RegistryClient } from './client.ts'
export type { RegistryClientOptions } from './client.ts'
export { RegistryFailure } from './failure.ts'
export type { FailureKind } from './failure.ts'
export { choosePlatform, parseManifest, platformsOf } from './manifest.ts'
export type { Descriptor, ImageIndex, ImageManifest, Manifest } from './manifest.ts'
export { InvalidPullSecretError, parsePullSecret } from './pull-secret.ts'
export type { Credential, PullSecret } from './pull-secret.ts'
export type { RegistryAnswer, RegistryRequest, RegistryTransport } from './transport.ts'
export { undiciTransport } from './undici-transport.ts'
export type { UndiciTransportOptions } from './undici-transport.ts'
