import type { Change } from '@windlass/apiserver'
import { invariants } from '../../packages/hosted/src/testing/invariants.ts'
import { server } from '../../packages/kube/src/simulation/actor.ts'
import { violationBy } from '../../packages/kube/src/simulation/invariant.ts'
import { StoredState, Write } from '../../packages/kube/src/simulation/record/index.ts'

/**
 * What must hold after every write, whatever goes wrong, looked for in a record of what was written: by the rules that simulations of hosted clusters go
 * by. Gives the violations in words.
 */
export function violationsIn(changes: readonly Change[]): readonly string[] {
  const state = new StoredState()
  return changes.flatMap((change) => {
    // Who wrote it, and when, nobody knows here, and no rule asks.
    const write = new Write(change, server, 0, state.apply(change))
    const violation = violationBy(write, state, invariants)
    return violation === undefined ? [] : [`${write.revision} ${write.key}: not ${violation.invariant.name}: ${violation.problem}`]
  })
}
