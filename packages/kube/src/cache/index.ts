/**
 * What controllers read: the objects of a cluster in memory, kept up to date.
 *
 * - `cache.ts`: what a shared cache can do. `declaration.ts`: `cached(NodePool, …)` says what is kept.
 * - `shared-cache.ts`: all caches of a cluster; `holding.ts` is one of them, in `part.ts`s if it is limited to namespaces.
 * - `reflector.ts`: asks the server, for ever. What it does next is decided in `reflector-state.ts`, a table; `backoff.ts`, `failure.ts`,
 *   `watchdog.ts` and `breather.ts` are its manners.
 * - `collection.ts`: lets in what is newer than what is known. `state-filling.ts`: a whole new state takes the place of the old one.
 *   `audience.ts`: tells those who want to hear.
 * - `object-store.ts`, `object-index.ts`: where objects are, and how they are found.
 * - `admission.ts`: what is kept of an object. `projection.ts` drops fields, `sharing.ts` makes equal parts one (`field.ts` learns which fields
 *   are worth it, `string-table.ts` holds the strings), `freeze.ts` is for tests.
 */
export type * from './cache.ts'
export { cached, type CachedOptions } from './declaration.ts'
export { createSharedCache, type SharedCacheOptions } from './shared-cache.ts'
