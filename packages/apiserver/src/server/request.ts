import type { ClientCertificate, User } from '../auth/index.ts'
import type { WatchSink } from '../watch/sink.ts'

/** A request as the core sees it, wherever it came from: a socket, or a function call in the same process. */
export interface ApiRequest {
  readonly method: string
  /** Path with its query, still encoded: `/api/v1/pods?limit=500`. */
  readonly url: string
  /** Names in lower case; repeated headers joined as HTTP does. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Names and values in turn, as they came: only here are repeated headers apart. */
  readonly rawHeaders?: readonly string[]
  readonly body?: Buffer
  /** Who the TLS layer says is asking. */
  readonly certificate?: ClientCertificate
  /** Set by callers in the same process that vouch for who is asking; sockets never do. */
  readonly user?: User
  /** Aborted when the client goes away. */
  readonly signal?: AbortSignal
}

export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** A whole body, or one that is made while it is sent; of that, each piece belongs to whoever takes it. */
  readonly body?: Buffer | Iterable<Buffer>
  /** Set with a body that is made while it is sent: to be called when it was sent, or will not be. */
  readonly release?: () => void
  /** Set instead of a body: writes events until the watch ends. */
  readonly watch?: (sink: WatchSink, signal: AbortSignal) => Promise<void>
}
