/**
 * How the server says what it serves, so that clients need not know: `/api`, `/apis` and below.
 *
 * - `discovery.ts` is the whole for one logical cluster; `groups.ts` puts its kinds into groups and versions, `resources.ts` says
 *   what is told of each.
 * - Two ways to write it down: `legacy.ts`, one document per group version, and `aggregated.ts`, all in one (kubectl 1.26 on).
 * - `etag.ts`: names for contents, so that clients fetch a document once.
 */
export { aggregatedContentType } from './aggregated.ts'
export { Discovery } from './discovery.ts'
export type { DiscoveryDocument } from './discovery.ts'
export { contentHash, etagOf, matchesEtag } from './etag.ts'
export { compareVersions, groupVersionText, storageVersionHash } from './groups.ts'
export type { ApiGroup, GroupVersion, ReviewKind, ServedKinds, ServedType } from './groups.ts'
