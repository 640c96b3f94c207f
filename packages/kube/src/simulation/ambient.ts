import { AsyncLocalStorage } from 'node:async_hooks'
import type { FaultKind } from './faults/faults.ts'
import type { Origin } from './reproduction.ts'

/** Changes to every simulation that runs inside: how one is run again, a little differently, by code that only knows how to run it. */
export interface Override {
  readonly without: ReadonlySet<FaultKind>
  /** Where it all began. */
  readonly origin: Origin | undefined
}

const overrides = new AsyncLocalStorage<Override>()
const none: Override = { without: new Set(), origin: undefined }

export function overriding<T>(override: Override, run: () => T): T {
  return overrides.run(override, run)
}

export function currentOverride(): Override {
  return overrides.getStore() ?? none
}
