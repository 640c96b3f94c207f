import { ControlPlaneComponent, Secret } from '@windlass/api'
import type { Resource } from '@windlass/api'
import { removal } from './actions.ts'
import { appliedResources, decideToApply } from './application.ts'
import type { Component } from './component.ts'
import { dependenciesOf, unavailableOf } from './dependencies.ts'
import { asError } from './errors.ts'
import { manifestsOf } from './manifests.ts'
import type { Observed } from './observed.ts'
import type { ComponentPlan, RemovePlan } from './plan.ts'
import { templateNamed } from './templates/index.ts'
import { guestKubeconfigOf } from './volumes.ts'
import { workloadKindOf } from './workload.ts'

/**
 * What to do about one component: remove it, wait for others, or apply it. Never throws; a problem is part of the plan.
 *
 * What became of an apply is judged afterwards, by `concludeComponent`.
 */
export function decideComponent(component: Component, observed: Observed): ComponentPlan {
  const { hcp, facts, registry, components, release } = observed
  let isEnabled: boolean
  try {
    isEnabled = component.isEnabled(hcp, facts)
  } catch (error) {
    return { step: 'fail', component, error: asError(error) }
  }
  if (!isEnabled) return decideRemoval(component, observed)
  const dependencies = dependenciesOf(component, hcp, facts, registry)
  if (dependencies.length > 0 && components instanceof Error) {
    const error = new Error(`failed checking for dependencies availability: ${components.message}`, { cause: components })
    return { step: 'fail', component, error }
  }
  const unavailable = components instanceof Error ? [] : unavailableOf(dependencies, components, release.version)
  if (unavailable.length > 0) return { step: 'wait', component, unavailable, resources: appliedResources(component, observed) }
  return decideToApply(component, observed)
}

function decideRemoval(component: Component, { namespace }: Observed): RemovePlan {
  const reason = `component ${component.name} does not run in this control plane`
  const own = manifestsOf(component).filter(({ isShared, kind }) => !isShared && namespace.serves(kind))
  const account = templateNamed(component.template).guestAccount === undefined ? [] : [{ kind: Secret, name: guestKubeconfigOf(component) }]
  const all: readonly { readonly kind: Resource; readonly name: string }[] = [
    { kind: workloadKindOf(component), name: component.name },
    ...own,
    ...account,
    { kind: ControlPlaneComponent, name: component.name },
  ]
  return { step: 'remove', component, actions: all.flatMap(({ kind, name }) => removal(kind, namespace.find(kind, name), reason)) }
}
