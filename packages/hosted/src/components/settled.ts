import type { HostedControlPlane, KubernetesObject } from '@windlass/api'
import { isFailed } from './apply.ts'
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
 *
 * The status of an object is nothing that its plan follows from, and it is what changes most: so objects are compared part by part. Caches keep the
 * parts that an update did not touch.
 */
interface Settled {
  readonly inputs: readonly unknown[]
  readonly plan: ApplyPlan
}

/** By the spec of the control plane, with which all of it is forgotten, and by component. */
const settled = new WeakMap<HostedControlPlane['spec'], Map<string, Settled>>()

/** The plan of an earlier pass that had nothing to do and still holds, about the workload as it is now. */
export function recallSettled(component: Component, observed: Observed): ApplyPlan | undefined {
  const known = settled.get(observed.hcp.spec)?.get(component.name)
  if (known === undefined) return undefined
  const live = observed.namespace.find(workloadKindOf(component), component.name)
  if (live === undefined) return undefined
  const inputs = inputsOf(component, observed, live)
  const isSame = known.inputs.length === inputs.length && inputs.every((input, index) => input === known.inputs[index])
  if (!isSame) return undefined
  const { workload } = known.plan
  return workload?.do === 'leave' && workload.live === live ? known.plan : { ...known.plan, workload: { do: 'leave', live } }
}

/** Remembers a plan that has nothing to do; returns the plan that it was given. */
export function rememberSettled(observed: Observed, plan: ApplyPlan): ApplyPlan {
  const { manifests, kubeconfigs, workload, component } = plan
  if (manifests.length > 0 || kubeconfigs.length > 0 || workload?.do !== 'leave') return plan
  // It was left only to be told of, and goes next.
  if (workload.live.kind === 'Job' && isFailed(workload.live)) return plan
  const { spec } = observed.hcp
  const known = settled.get(spec) ?? new Map<string, Settled>()
  settled.set(spec, known.set(component.name, { inputs: inputsOf(component, observed, workload.live), plan }))
  return plan
}

/** Everything that a plan follows from, besides the spec of the control plane. */
function inputsOf(component: Component, observed: Observed, live: Workload): readonly unknown[] {
  const { hcp, release, namespace } = observed
  const inputs: unknown[] = [
    component,
    hcp.metadata.annotations,
    hcp.metadata.uid,
    isGuestAvailable(hcp),
    release,
    // Jobs that have failed are made anew.
    live.kind === 'Job' && isFailed(live),
    ...Object.values(mountedHashes(component, observed)),
  ]
  addParts(inputs, live)
  for (const { kind, name } of manifestsOf(component)) {
    if (namespace.serves(kind)) addParts(inputs, namespace.find(kind, name))
    else inputs.push('unserved')
  }
  return inputs
}

/** All of an object but its status and what servers write into its metadata. */
function addParts(inputs: unknown[], object: KubernetesObject | undefined): void {
  if (object === undefined) {
    inputs.push('absent')
    return
  }
  const { name, uid, labels, annotations, ownerReferences, finalizers, deletionTimestamp } = object.metadata
  inputs.push(name, uid, labels, annotations, ownerReferences, finalizers, deletionTimestamp)
  for (const [section, value] of Object.entries(object)) if (section !== 'status' && section !== 'metadata') inputs.push(section, value)
}
