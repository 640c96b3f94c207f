import { capi } from '@windlass/api'
import { findCondition, type Instant, parseTime, setCondition, tryParseDuration } from '@windlass/core'
import { done, type Plan, plan, remove, requeueAfter, status, wait } from '@windlass/kube'
import { amountOf } from '../../workloads/counts.ts'
import { type CapiCondition, ill, isWell, well } from '../conditions.ts'
import { isPaused } from '../wire.ts'

export interface Observed {
  readonly check: capi.MachineHealthCheck
  /** Those that it watches. */
  readonly machines: readonly capi.Machine[]
  /** Whether a machine may be replaced at all: not one of a template that is being left behind. */
  readonly isCurrent: (machine: capi.Machine) => boolean
}

/**
 * Deletes machines whose node has not been well for too long, as long as not too many are.
 *
 * What is surprising: machines that have not started yet count among those that are not well.
 */
export function decide({ check, machines, isCurrent }: Observed, now: Instant): Plan {
  if (check.metadata.deletionTimestamp !== undefined) return done
  if (isPaused(check)) return wait('its pause to end')
  const total = machines.length
  const healthy = machines.filter((machine) => isWell(machine, 'NodeHealthy')).length
  const most = amountOf(check.spec.maxUnhealthy ?? '100%', total, 'down')
  const sick = total - healthy
  const isAllowed = sick <= most
  const candidates = machines.filter((machine) => machine.metadata.deletionTimestamp === undefined && isCurrent(machine))
  const moments = candidates.map((machine) => ({ machine, at: deadlineOf(check, machine) }))
  const due = isAllowed ? moments.filter(({ at }) => at <= now).map(({ machine }) => machine) : []
  const next = Math.min(Number.POSITIVE_INFINITY, ...moments.map(({ at }) => at).filter((at) => at > now))
  const problem = `Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy (total: ${total}, unhealthy: ${sick}, maxUnhealthy: ${String(check.spec.maxUnhealthy ?? '100%')})`
  const said = isAllowed ? well('RemediationAllowed') : ill('RemediationAllowed', 'TooManyUnhealthy', problem, 'Warning')
  return plan(
    status(
      capi.MachineHealthCheck,
      check,
      {
        expectedMachines: total,
        currentHealthy: healthy,
        remediationsAllowed: Math.max(0, most - sick),
        observedGeneration: check.metadata.generation ?? 0,
        targets: machines.map(({ metadata }) => metadata.name ?? ''),
        conditions: setCondition<CapiCondition>(check.status?.conditions, said, now),
      },
      'its machines have changed',
      { ifUnchanged: true },
    ),
    ...due.map((machine) => remove(capi.Machine, machine, 'its node has not been well for too long')),
    requeueAfter(next - now),
  )
}

/** When a machine has been unwell for too long; never, if it is well. */
function deadlineOf({ spec }: capi.MachineHealthCheck, machine: capi.Machine): Instant {
  const healthy = findCondition(machine.status?.conditions, 'NodeHealthy')
  if (healthy?.status === 'True') return Number.POSITIVE_INFINITY
  if (machine.status?.nodeRef === undefined) {
    const patience = tryParseDuration(spec.nodeStartupTimeout ?? '10m') ?? 600_000
    const born = parseTime(machine.metadata.creationTimestamp)
    return patience === 0 || born === undefined ? Number.POSITIVE_INFINITY : born + patience
  }
  const since = parseTime(healthy?.lastTransitionTime)
  const limits = (spec.unhealthyConditions ?? [])
    .filter(({ type, status: state }) => type === 'Ready' && state === healthy?.status)
    .map(({ timeout }) => tryParseDuration(timeout) ?? 0)
  // A node that is gone does not come back.
  if (healthy?.reason === 'NodeNotFound') return since ?? 0
  return since === undefined ? Number.POSITIVE_INFINITY : since + Math.min(Number.POSITIVE_INFINITY, ...limits)
}
