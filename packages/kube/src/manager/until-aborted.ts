import { abortReason } from '../transport/abort.ts'

/** Resolves when the signal is aborted, with the reason. */
export function untilAborted(signal: AbortSignal): Promise<Error> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(abortReason(signal))
    else signal.addEventListener('abort', () => resolve(abortReason(signal)), { once: true })
  })
}
