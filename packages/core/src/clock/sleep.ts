import type { Cancel } from './clock.ts'

/** `Clock.sleep` in terms of `Clock.after`, so that every clock treats aborts alike: no timer and no listener is left behind. */
export function sleepUsing(
  after: (milliseconds: number, fire: () => void) => Cancel,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(reasonOf(signal))
      return
    }
    const cancel = after(milliseconds, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    function abort(): void {
      cancel()
      reject(reasonOf(signal))
    }
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** A signal may be aborted with any value; a rejection that is not an Error loses its stack and its message on the way up. */
function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new Error(`aborted: ${String(reason)}`)
}
