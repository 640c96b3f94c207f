/** HTTP as a function. Redirects and statuses are answers like any other. */
export interface RegistryTransport {
  /**
   * Resolves when the headers are there.
   *
   * # Errors
   *
   * The signal's reason when it is aborted; any other error means that there was no answer.
   */
  send(request: RegistryRequest): Promise<RegistryAnswer>
  /** Ends connections. */
  close(): Promise<void>
}

export interface RegistryRequest {
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly url: URL
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

export interface RegistryAnswer {
  readonly status: number
  /** Names in lower case; repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** To be read once, to the end or until the reader leaves. Throws when the connection breaks. */
  readonly body: AsyncIterable<Uint8Array>
  /** Leaves the body unread, so that the connection can be used again. */
  discard(): Promise<void>
}

/** Reads a body that is meant to be small. Undefined when it is longer than `limit`. */
export async function readWhole(body: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
