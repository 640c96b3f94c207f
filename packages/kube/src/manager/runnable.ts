/** Something that runs as long as the process does. */
export interface Runnable {
  readonly name: string
  /** Runs only while this process leads, where leadership is asked for. */
  readonly needsLeadership: boolean
  /** Runs until the signal is aborted, then finishes what it has begun and resolves. Rejects when it cannot go on: everything stops then. */
  run(signal: AbortSignal): Promise<void>
  /** The part of it that runs only while this process leads, of something that itself runs always. A manager runs both. */
  readonly elected?: Runnable
}
