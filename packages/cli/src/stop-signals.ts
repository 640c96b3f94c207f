import type { Cancel, Clock, Instant } from '@windlass/core'

export type StopSignal = 'SIGINT' | 'SIGTERM'

/** The part of `process` that hears of signals and can end itself. */
export interface SignalSource {
  on(event: StopSignal | 'uncaughtException', listener: (what: unknown) => void): unknown
  off(event: StopSignal | 'uncaughtException', listener: (what: unknown) => void): unknown
  exit(status: number): void
}

/** 128 + the signal's number: what a shell reports for a program that the signal ended. */
const statuses: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143 }

/**
 * npm passes on to its child the Ctrl-C that the terminal has sent to both. For this long a second signal may be the first one again, so
 * the clean end gets this much time before it is cut off.
 */
const echoMilliseconds = 300

export interface StopSignals {
  /** Resolves at the first signal. */
  readonly received: Promise<StopSignal>
  /** Signals have their usual effect again. */
  ignore(): void
}

/** The first SIGINT or SIGTERM asks for a clean end; a second one ends the process at once. */
export function listenForStop(source: SignalSource, clock: Clock): StopSignals {
  const { promise: received, resolve } = Promise.withResolvers<StopSignal>()
  let first: Instant | undefined
  let cancel: Cancel | undefined
  const onSignal = (signal: StopSignal): void => {
    if (first === undefined) {
      first = clock.monotonic()
      resolve(signal)
      return
    }
    const untilCutOff = first + echoMilliseconds - clock.monotonic()
    const cutOff = (): void => source.exit(statuses[signal])
    if (untilCutOff <= 0) cutOff()
    else cancel ??= clock.after(untilCutOff, cutOff)
  }
  const onInterrupt = (): void => onSignal('SIGINT')
  const onTerminate = (): void => onSignal('SIGTERM')
  source.on('SIGINT', onInterrupt)
  source.on('SIGTERM', onTerminate)
  return {
    received,
    ignore() {
      cancel?.()
      source.off('SIGINT', onInterrupt)
      source.off('SIGTERM', onTerminate)
    },
  }
}

/** Runs something until it ends; the first signal aborts it. */
export async function untilStopped(source: SignalSource, clock: Clock, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = listenForStop(source, clock)
  const stopping = new AbortController()
  void stop.received.then((signal) => stopping.abort(new Error(`${signal} was received`)))
  try {
    await run(stopping.signal)
  } finally {
    stop.ignore()
  }
}
