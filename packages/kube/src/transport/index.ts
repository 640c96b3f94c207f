/**
 * The ways to a Kubernetes API.
 *
 * - `transport.ts`: what a way is. `connection-problem.ts`: why there was no answer, in words.
 * - `https.ts`: over the network. `credentials.ts` says who asks, `connections.ts` opens sockets, `exchange.ts` is one request on one of them.
 * - `in-process.ts`: a function call, for simulation and tests; `in-process-body.ts` reads what it answers.
 * - `chunk-queue.ts`, `abort.ts`: what both need for streams and for aborts.
 */
export { abortReason, LinkedAbort, orAborted } from './abort.ts'
export { closedCode } from './connection-problem.ts'
export { anonymous, fixedCredentials, type Credentials, type Identity } from './credentials.ts'
export { HttpsTransport, type TransportOptions } from './https.ts'
export { inProcessTransport, type Handle, type InProcessOptions, type InProcessUser } from './in-process.ts'
export { ConnectionError, type Transport, type TransportRequest, type TransportResponse, type TransportStream } from './transport.ts'
