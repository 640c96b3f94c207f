import type { Resource } from '@windlass/api'
import type { StateReader } from './record/state.ts'
import type { Write } from './record/write.ts'

/** Something that must be so after every single write, whatever goes wrong meanwhile. */
export interface Invariant {
  /** Finishes the sentence "it must hold that …". */
  readonly name: string
  /** Only writes of this kind are looked at; all without it. */
  readonly of?: Resource
  /** True, or what is wrong. `state` is what the server holds right after the write. */
  readonly holds: (write: Write, state: StateReader) => true | string
}

export interface Violation {
  readonly invariant: Invariant
  readonly write: Write
  readonly problem: string
}

/** The first invariant that does not hold after the write. One that throws does not hold. */
export function violationBy(write: Write, state: StateReader, invariants: readonly Invariant[]): Violation | undefined {
  for (const invariant of invariants) {
    if (invariant.of !== undefined && !write.isOf(invariant.of)) continue
    const result = evaluate(invariant, write, state)
    if (result !== true) return { invariant, write, problem: result }
  }
  return undefined
}

function evaluate({ holds }: Invariant, write: Write, state: StateReader): true | string {
  try {
    return holds(write, state)
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
}
