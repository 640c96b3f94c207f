/**
 * How we know that our CRDs fit upstream's; used by tests only.
 *
 * - `wire-compatibility.test.ts` compares the schemas (`differences.ts`) with upstream's (`upstream.ts`) and lists every deliberate
 *   difference.
 * - `fixtures.test.ts` checks the fixtures against both (`closed-schema.ts`). What controllers make is checked beside them, in the same way.
 */
export { schemaChecker } from './closed-schema.ts'
export { differences } from './differences.ts'
export { noUpstream, upstreamOf } from './upstream.ts'
export type { UpstreamKind } from './upstream.ts'
