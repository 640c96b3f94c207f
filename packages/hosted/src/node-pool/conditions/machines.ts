import type { capi } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { machinesOf, type Seen } from '../seen.ts'
import { aggregate, type MachineProblem } from './aggregate.ts'
import { asExpectedReason, fails, holds, type Outcome, unknown, withError } from './outcome.ts'

const fine = 'All is well'

export function allMachinesReady(seen: Seen): Outcome {
  return judged(seen, 'ready', readinessProblem)
}

export function allNodesHealthy(seen: Seen): Outcome {
  return judged(seen, 'healthy', healthProblem)
}

function judged(seen: Seen, word: string, problemOf: (machine: capi.Machine) => MachineProblem | undefined): Outcome {
  const { machines: listed, pool, key } = seen
  if (listed.is === 'failed') return unknown('FailedToGet', listed.problem, withError(`NodePool ${key}: ${listed.problem}`))
  const machines = machinesOf(seen)
  if (machines.length === 0) {
    const isEmpty = pool.spec.autoScaling === undefined && (pool.spec.replicas ?? 0) === 0
    return isEmpty ? fails(asExpectedReason, 'NodePool set to no replicas') : fails('NotFound', 'No Machines are created')
  }
  const problems = machines.flatMap((machine) => problemOf(machine) ?? [])
  if (problems.length === 0) return holds(fine)
  const { reason, message } = aggregate(problems, machines.length, word)
  return fails(reason, message)
}

/** A summary of how far a machine is, which says less than its parts. */
const progress = /^\d+ of \d+ completed$/

/** What the provider says comes first: the condition of the machine only repeats that something is not ready. */
function readinessProblem({ metadata: { name = '' }, status }: capi.Machine): MachineProblem | undefined {
  const ready = findCondition(status?.conditions, 'Ready')
  if (ready?.status === 'True') return undefined
  if (ready === undefined) return { machine: name, reason: 'WaitingForInfrastructure', message: '' }
  const infrastructure = findCondition(status?.conditions, 'InfrastructureReady')
  const isTelling = infrastructure !== undefined && infrastructure.status !== 'True' && !progress.test(infrastructure.message ?? '')
  const { reason = '', message = '' } = isTelling ? infrastructure : ready
  return { machine: name, reason, message: progress.test(message) ? '' : message }
}

function healthProblem({ metadata: { name = '' }, status }: capi.Machine): MachineProblem | undefined {
  const healthy = findCondition(status?.conditions, 'NodeHealthy')
  if (healthy?.status === 'True') return undefined
  return { machine: name, reason: healthy?.reason ?? 'WaitingForNodeRef', message: healthy?.message ?? '' }
}
