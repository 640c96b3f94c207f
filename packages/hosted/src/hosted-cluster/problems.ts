import type { PlannedOperation } from './operations.ts'

/** What went wrong in a pass. */
export interface Problem {
  /** The operation, or the gate, that it went wrong in. */
  readonly operation: string
  readonly isCritical: boolean
  readonly message: string
}

/** Problems of operations, in order. */
export function problemsOf(operations: readonly PlannedOperation[]): readonly Problem[] {
  return operations.flatMap(({ name, class: kind, problems }) =>
    problems.map((message) => ({ operation: name, isCritical: kind === 'critical', message })),
  )
}

/**
 * The error that a pass ends with; undefined when it went well. Beside a critical one the others are left out: people should mend that one first, and
 * then see.
 */
export function aggregate(problems: readonly Problem[], blocked: readonly string[]): string | undefined {
  if (problems.length === 0) return undefined
  const critical = problems.filter(({ isCritical }) => isCritical)
  if (critical.length === 0) return listed(problems)
  const rest = blocked.length === 0 ? '' : `; blocked operations: [${blocked.toSorted().join(', ')}]`
  return `critical error: ${listed(critical)}${rest}`
}

function listed(problems: readonly Problem[]): string {
  const messages = [...new Set(problems.map(({ message }) => message))]
  return messages.length === 1 ? messages.join('') : `[${messages.join(', ')}]`
}
