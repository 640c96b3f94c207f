import type { Cancel, Clock } from '@windlass/core'
import { orAborted } from '@windlass/kube'

/** Wakes one who waits, at the soonest of the times that it was set to since it last rang. */
export class Alarm {
  readonly #clock: Clock
  #timer: { readonly at: number; readonly cancel: Cancel } | undefined
  #hasRung = false
  #wake: () => void = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Sets it to so many milliseconds from now, unless it rings sooner. */
  ring(after: number): void {
    const at = this.#clock.monotonic() + Math.max(0, after)
    if (this.#timer !== undefined && this.#timer.at <= at) return
    this.#timer?.cancel()
    const cancel = this.#clock.after(at - this.#clock.monotonic(), () => {
      this.#timer = undefined
      this.#hasRung = true
      this.#wake()
    })
    this.#timer = { at, cancel }
  }

  /** Resolves when it has rung since the last wait, or when the signal is aborted; then it is off. */
  async wait(signal: AbortSignal): Promise<void> {
    if (!this.#hasRung) await orAborted(new Promise<void>((resolve) => (this.#wake = resolve)), signal).catch(() => {})
    this.#hasRung = false
    if (!signal.aborted) return
    this.#timer?.cancel()
    this.#timer = undefined
  }
}
