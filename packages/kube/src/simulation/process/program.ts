import type { Clock, Random } from '@windlass/core'
import type { Client } from '../../client/index.ts'
import type { Log } from '../../log.ts'

/** What a program has of the world: nothing else. */
export interface ProcessContext {
  /** `operator-1`. */
  readonly name: string
  /** How often it was started before. */
  readonly life: number
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Aborted when the process is asked to stop. A crash does not ask. */
  readonly signal: AbortSignal
  /** A client for the logical cluster that a kubeconfig names. */
  readonly connect: (kubeconfig: string) => Client
}

/** Runs until its signal is aborted. When it ends before, or throws, another life begins some time later. */
export type Program = (process: ProcessContext) => Promise<void>
