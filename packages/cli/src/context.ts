import type { Clock } from '@windlass/core'
import type { Output } from './output.ts'
import type { SignalSource } from './stop-signals.ts'

/** What a command has of the world around it. Tests give it another one. */
export interface Context {
  readonly output: Output
  readonly clock: Clock
  readonly process: SignalSource
  /** Asks the person at the terminal, who answers yes or not; undefined when nobody is there. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined
}
