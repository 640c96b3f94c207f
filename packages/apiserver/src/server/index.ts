/**
 * What a request means. `ApiServer.handle` is the whole server as a function: a request in, an answer out, no sockets.
 *
 * - `server.ts`: puts the parts together; identifies, authorizes, limits, answers. `request.ts`: requests and answers as values.
 * - `path.ts`, `route.ts`: which resource and which verb a URL and a method are. `timeout.ts`, `limiter.ts`: what is too much.
 * - `resources.ts` picks among `resource-reads.ts`, `resource-writes.ts` and `subresources.ts`; `resource-call.ts` is what they share.
 * - `body.ts`: from bytes to objects. `answer.ts`: back again, as objects, lists or Tables; `scale-table.ts` for `/scale`.
 * - `documents.ts`: discovery, OpenAPI and version. `health.ts`, `metrics.ts` (over `metric-registry.ts`): how it is doing.
 * - `bootstrap.ts`: what a cluster has before anybody uses it.
 *
 * `recovery.test.ts` kills servers in the middle of everything they do over several writes.
 */
export type { ApiRequest, ApiResponse } from './request.ts'
export { ApiServer } from './server.ts'
export type { ApiServerOptions } from './server.ts'
