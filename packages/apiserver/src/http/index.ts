/**
 * Sockets around `ApiServer.handle`: turns requests into values and answers into bytes, and knows nothing of their meaning.
 *
 * - `listener.ts`: the port; TLS, HTTP/1.1 and HTTP/2 by ALPN, and the end of it all.
 * - `exchange.ts`: one request and its answer: body limits, compression, streams that go no faster than the client reads.
 * - `go-ahead.ts`: the word that a client waits for before it sends a large body.
 * - `turns.ts`: how many writes are worked on before the loop looks at the disk again.
 * - `websocket.ts`: watches for browsers, over frames (`websocket-frames.ts`).
 */
export type { Api } from './exchange.ts'
export { listen } from './listener.ts'
export type { Listener, ListenOptions, TlsOptions } from './listener.ts'
