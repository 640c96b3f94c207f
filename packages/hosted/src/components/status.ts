import type { ControlPlaneComponent } from '@windlass/api'
import { setConditions } from '@windlass/core'
import type { Instant } from '@windlass/core'
import { equalJson } from '@windlass/kube'
import { validReason, workloadStatus } from './workload-status.ts'
import type { Judgement } from './workload-status.ts'
import type { Workload } from './workload.ts'

export type ComponentStatus = NonNullable<ControlPlaneComponent['status']>
export type ComponentResource = NonNullable<ComponentStatus['resources']>[number]

/**
 * The workload as the API server returned it when it was applied, or as it was observed where nothing was applied. Or why there is none: the
 * reason is the API's word.
 */
export type WorkloadRead = Workload | { readonly reason: string | undefined; readonly message: string }

/** Everything that the status of a component follows from. */
export interface Seen {
  /** Dependencies that are not there yet, sorted. */
  readonly unavailable: readonly string[]
  /** What went wrong when it was applied. */
  readonly error: Error | undefined
  readonly workload: WorkloadRead
  /** What keeps its operands back. */
  readonly operandProblems: readonly string[]
  readonly resources: readonly ComponentResource[]
  /** Of the release that the components should run. */
  readonly version: string
  /** Of the HostedControlPlane. */
  readonly generation: number | undefined
}

/** Longer ones are refused, and errors can be long. */
const longestMessage = 32_768

/**
 * The status of a component, from what was seen of it. The one that it has already, by reference, when nothing changed.
 *
 * The version follows only a rollout that is complete: until then it says what was rolled out last.
 */
export function componentStatus(current: ComponentStatus | undefined, seen: Seen, now: Instant): ComponentStatus {
  const available = availability(seen.workload)
  const rolledOut = rollout(seen)
  const conditions = setConditions(current?.conditions, [condition('Available', available), condition('RolloutComplete', rolledOut)], now)
  const version = rolledOut.status === 'True' ? seen.version : current?.version
  const next: ComponentStatus = {
    ...current,
    conditions,
    ...(version === undefined ? {} : { version }),
    resources: equalJson(current?.resources, seen.resources) && current?.resources !== undefined ? current.resources : seen.resources,
    ...(seen.generation === undefined || seen.generation < 1 ? {} : { observedGeneration: seen.generation }),
  }
  return current !== undefined && equalJson(current, next) ? current : next
}

function condition(type: 'Available' | 'RolloutComplete', { status, reason, message }: Judgement) {
  return { type, status, reason, message: message.slice(0, longestMessage) }
}

export function availability(workload: WorkloadRead): Judgement {
  return 'kind' in workload ? workloadStatus(workload).available : unread(workload)
}

/** The first row that applies. */
export function rollout({ unavailable, error, workload, operandProblems }: Seen): Judgement {
  if (unavailable.length > 0) return no('WaitingForDependencies', `Waiting for Dependencies: ${unavailable.join(', ')}`)
  if (error !== undefined) return no('ReconciliationError', error.message)
  if (!('kind' in workload)) return unread(workload)
  const { rolledOut } = workloadStatus(workload)
  if (rolledOut.status === 'True' && operandProblems.length > 0) return no('WaitingForOperands', operandProblems.join('; '))
  return rolledOut
}

function unread({ reason, message }: Exclude<WorkloadRead, Workload>): Judgement {
  return no(validReason(reason, 'Unknown'), message)
}

function no(reason: string, message: string): Judgement {
  return { status: 'False', reason, message }
}
