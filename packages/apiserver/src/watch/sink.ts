/** Where the events of one watch go. */
export interface WatchSink {
  /** False when the client does not keep up and `drained` should be awaited before more is sent. */
  write(chunk: Buffer): boolean
  /** Bytes that were written and not taken yet. */
  buffered(): number
  /** Resolves when the client has caught up, or is gone. */
  drained(): Promise<void>
  end(): void
}
