import type { ReconcileContext } from '@windlass/kube'
import type { Component, Pass } from '../components/index.ts'
import { isOnlyConflicts } from '../management/index.ts'
import type { PlannedOperation } from './operations.ts'
import { problemsOf } from './problems.ts'
import type { Problem } from './problems.ts'

/** What came of the operations of a pass. */
export interface Executed {
  /** Those that could be seen before, and those that the API server told of. */
  readonly problems: readonly Problem[]
  /** Names of operations that were left out because something critical failed before. */
  readonly blocked: readonly string[]
  /** Something was not as it was seen any more: another look is needed, and no error is to be told. */
  readonly hasConflicts: boolean
}

/**
 * Carries out operations, each for itself: what goes wrong in one is collected and does not keep the next from its work, unless it was critical and the
 * next is blocked by that.
 */
export async function executeOperations(
  operations: readonly PlannedOperation[],
  run: (components: readonly Component[]) => Promise<Pass>,
  { act, signal }: ReconcileContext,
): Promise<Executed> {
  const problems: Problem[] = []
  const blocked: string[] = []
  let hasConflicts = false
  let hasFailed = false
  for (const operation of operations) {
    if (operation.isBlocked || (hasFailed && operation.class === 'blocked')) {
      blocked.push(operation.name)
      continue
    }
    const isCritical = operation.class === 'critical'
    const found = [...problemsOf([operation])]
    try {
      for (const action of operation.actions) await act(action)
      const pass = operation.components.length === 0 ? undefined : await run(operation.components)
      if (pass?.error !== undefined) throw pass.error
    } catch (error) {
      signal.throwIfAborted()
      if (isOnlyConflicts(error)) hasConflicts = true
      else found.push({ operation: operation.name, isCritical, message: error instanceof Error ? error.message : String(error) })
      hasFailed ||= isCritical
    }
    hasFailed ||= isCritical && found.length > 0
    problems.push(...found)
  }
  return { problems, blocked, hasConflicts }
}
