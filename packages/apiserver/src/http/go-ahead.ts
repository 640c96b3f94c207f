import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Incoming, Outgoing } from './exchange.ts'

/** Methods whose bodies nobody reads. */
export const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Answers `Expect: 100-continue`: clients with much to send ask first.
 *
 * Node would do it, but on a connection whose last answer is not entirely out it sends "100 Continue" behind the headers of the answer that it should announce,
 * and the client reads it as the beginning of the body.
 */
export class GoAheads {
  /** The newest answer of each HTTP/1.1 connection. */
  readonly #newest = new WeakMap<IncomingMessage['socket'], ServerResponse>()

  /** For every request, in the order in which they came. */
  note(incoming: Incoming, outgoing: Outgoing): void {
    if (isOverHttp1(outgoing)) this.#newest.set(incoming.socket, outgoing)
  }

  /**
   * For a request that asks, before `note`.
   *
   * An answer that leaves without the word before it ends its connection, for nobody knows whether a body will follow.
   */
  give(incoming: Incoming, outgoing: Outgoing): void {
    const previous = isOverHttp1(outgoing) && outgoing.socket === null ? this.#newest.get(incoming.socket) : undefined
    if (previous === undefined) outgoing.writeContinue()
    else if (!bodiless.has(incoming.method ?? 'GET')) previous.once('finish', () => giveLate(outgoing))
  }
}

const isOverHttp1 = (outgoing: Outgoing): outgoing is ServerResponse => !('stream' in outgoing)

/** Clients need not wait for it: who has its answer already needs no permission. */
function giveLate(outgoing: Outgoing): void {
  if (!outgoing.headersSent) outgoing.writeContinue()
}
