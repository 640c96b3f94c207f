import { isGuestAvailable } from './control-plane.ts'
import type { Component } from './component.ts'
import { manifestsOf } from './manifests.ts'
import type { Observed } from './observed.ts'
import type { ApplyPlan } from './plan.ts'
import { mountedHashes } from './volumes.ts'
import { workloadKindOf } from './workload.ts'
import type { Workload } from './workload.ts'

/**
 * Nearly every pass over nearly every component finds that there is nothing to do; with thousands of control planes, to build all manifests anew only to
 * see that is most of the work. Objects are immutable, so a plan that had nothing to do is right as long as everything that it followed from is the
 * very same.
 */
interface Settled {
  readonly inputs: readonly unknown[]
  readonly plan: ApplyPlan
}

/** By live workload: it is forgotten with it. */
const settled = new WeakMap<Workload, Settled>()

/** The plan of an earlier pass that had nothing to do and still holds. */
export function recallSettled(component: Component, observed: Observed): ApplyPlan | undefined {
  const live = observed.namespace.find(workloadKindOf(component), component.name)
  const known = live === undefined ? undefined : settled.get(live)
  if (known === undefined) return undefined
  const inputs = inputsOf(component, observed)
  const isSame = known.inputs.length === inputs.length && inputs.every((input, index) => input === known.inputs[index])
  return isSame ? known.plan : undefined
}

/** Remembers a plan that has nothing to do; returns the plan that it was given. */
export function rememberSettled(observed: Observed, plan: ApplyPlan): ApplyPlan {
  const { manifests, kubeconfigs, workload, component } = plan
  if (manifests.length === 0 && kubeconfigs.length === 0 && workload?.do === 'leave')
    settled.set(workload.live, { inputs: inputsOf(component, observed), plan })
  return plan
}

/** Everything that a plan follows from, besides the live workload. */
function inputsOf(component: Component, observed: Observed): readonly unknown[] {
  const { hcp, release, namespace } = observed
  return [
    hcp.spec,
    hcp.metadata.annotations,
    hcp.metadata.uid,
    isGuestAvailable(hcp),
    release,
    ...Object.values(mountedHashes(component, observed)),
    ...manifestsOf(component).map(({ kind, name }) => (namespace.serves(kind) ? namespace.find(kind, name) : 'unserved')),
  ]
}
