/**
 * The API in OpenAPI: what `kubectl explain` shows and what clients validate by.
 *
 * - `openapi.ts` answers the requests; `v3.ts` writes one document per group version, `v2.ts` one for all, for old clients, and
 *   `v2-protobuf.ts` (with `protobuf-writer.ts`) the same in the only format that they ask for.
 * - A document has paths (`operations.ts`, `parameters.ts`) and component schemas (`components.ts`, `shared-components.ts`), all named
 *   by `names.ts`.
 */
export { clusterOfHash, OpenApi } from './openapi.ts'
export type { OpenApiAnswer } from './openapi.ts'
export { describeAsV2 } from './v2.ts'
export { describeGroupVersion } from './v3.ts'
export type { OpenApiDocument } from './v3.ts'
