import { ControlPlaneComponent } from '@windlass/api'
import type { HostedControlPlane } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { create, status } from '@windlass/kube'
import type { Action } from '@windlass/kube'
import type { Component } from './component.ts'
import { namespaceOf } from './control-plane.ts'
import { operandProblems } from './operand-status.ts'
import type { ApplyPlan, ComponentPlan, WaitPlan } from './plan.ts'
import type { Observed } from './observed.ts'
import { componentStatus } from './status.ts'
import type { WorkloadRead } from './status.ts'
import { workloadKindOf } from './workload.ts'
import type { Workload } from './workload.ts'

/** What became of a plan. */
export interface Outcome {
  /** The workload as the API server returned it. A cache may still show an older one that was complete. */
  readonly workload?: Workload
  /** What went wrong; later steps were not taken. */
  readonly error?: Error
}

export interface Conclusion {
  /** Writes of the ControlPlaneComponent; none when nothing changed. */
  readonly actions: readonly Action[]
  /** The pass is to be tried again because of it. */
  readonly error: Error | undefined
}

/** Turns what became of a plan into the status of the component, and into the error that the pass ends with. */
export function concludeComponent(plan: ComponentPlan, outcome: Outcome, observed: Observed, now: Instant): Conclusion {
  switch (plan.step) {
    case 'fail':
      return { actions: [], error: plan.error }
    case 'remove':
      return { actions: [], error: outcome.error }
    case 'wait':
      return { actions: statusActions(plan, outcome, observed, now), error: undefined }
    case 'apply': {
      const error = plan.error ?? outcome.error
      return { actions: statusActions(plan, { ...outcome, ...(error === undefined ? {} : { error }) }, observed, now), error }
    }
    default:
      return plan satisfies never
  }
}

function statusActions(plan: WaitPlan | ApplyPlan, outcome: Outcome, observed: Observed, now: Instant): readonly Action[] {
  const { component, resources } = plan
  const { hcp, release, namespace } = observed
  const current = namespace.find(ControlPlaneComponent, component.name)
  const next = componentStatus(
    current?.status,
    {
      unavailable: plan.step === 'wait' ? plan.unavailable : [],
      error: outcome.error,
      workload: readWorkload(plan, outcome, observed),
      operandProblems: operandProblems(component, observed, namespace),
      resources,
      version: release.version,
      generation: hcp.metadata.generation,
    },
    now,
  )
  if (current !== undefined && next === current.status) return []
  const object = current ?? emptyComponent(component, hcp)
  const reason = `this is what was seen of ${component.name}`
  return [
    ...(current === undefined ? [create(ControlPlaneComponent, object, `component ${component.name} has none yet`)] : []),
    // What was judged from an old look must not stand where somebody has written a newer one.
    status(ControlPlaneComponent, object, next, reason, { ifUnchanged: current !== undefined }),
  ]
}

function emptyComponent({ name }: Component, hcp: HostedControlPlane): ControlPlaneComponent {
  const { apiVersion, kind } = ControlPlaneComponent
  return { apiVersion, kind, metadata: { name, namespace: namespaceOf(hcp) }, spec: {} }
}

/** What the status is judged from: never from a state that is older than what this pass wrote. */
function readWorkload(plan: WaitPlan | ApplyPlan, outcome: Outcome, { namespace }: Observed): WorkloadRead {
  const kind = workloadKindOf(plan.component)
  const { name } = plan.component
  if (outcome.workload !== undefined) return outcome.workload
  if (plan.step === 'apply' && plan.workload !== undefined && outcome.error === undefined) {
    const { workload } = plan
    if (workload.do === 'leave') return workload.live
    if (workload.do === 'await')
      return { reason: 'NotFound', message: `${kind.kind} ${name} is being deleted; it is made anew once it is gone` }
    if (workload.do === 'delete')
      return { reason: 'NotFound', message: `${kind.kind} ${name} was deleted because ${workload.because}; the next pass makes it anew` }
    return { reason: 'Unknown', message: `${kind.kind} ${name} was written, and what became of it was not read back` }
  }
  return (
    namespace.find(kind, name) ?? {
      reason: 'NotFound',
      message: `${kind.plural}${kind.group === '' ? '' : `.${kind.group}`} "${name}" not found`,
    }
  )
}
