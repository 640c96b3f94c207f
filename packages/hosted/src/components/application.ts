import { ControlPlaneComponent, Secret } from '@windlass/api'
import type { Job } from '@windlass/api'
import { findCondition } from '@windlass/core'
import type { Action } from '@windlass/kube'
import { actionsFor, removal } from './actions.ts'
import { decideApply, isFailed } from './apply.ts'
import type { Component } from './component.ts'
import { annotationOf } from './control-plane.ts'
import type { ControlPlane } from './control-plane.ts'
import { asError } from './errors.ts'
import { missingImagesOf } from './images.ts'
import { commonMetadata, isOwnedByControlPlane } from './manifest.ts'
import type { LiveNamespace, Manifest } from './manifest.ts'
import { manifestsOf } from './manifests.ts'
import type { Observed } from './observed.ts'
import type { ApplyPlan, KubeconfigRequest, WorkloadStep } from './plan.ts'
import { recallSettled, rememberSettled } from './settled.ts'
import type { ComponentResource } from './status.ts'
import { templateNamed } from './templates/index.ts'
import { guestKubeconfigOf } from './volumes.ts'
import { workloadKindOf, workloadOf } from './workload.ts'
import { workloadStatus } from './workload-status.ts'
import { Annotation } from './wire.ts'

/** Applies the manifests of a component, then its workload. What cannot be made is the plan's error. */
export function decideToApply(component: Component, observed: Observed): ApplyPlan {
  const settled = recallSettled(component, observed)
  if (settled !== undefined) return settled
  const plan = {
    step: 'apply',
    component,
    resources: appliedResources(component, observed),
    missingImages: missingImagesOf(component, observed),
  } as const
  try {
    return rememberSettled(observed, {
      ...plan,
      error: undefined,
      manifests: manifestsOf(component).flatMap((manifest) => decideManifest(manifest, component, observed)),
      kubeconfigs: kubeconfigsOf(component, observed),
      workload: decideWorkload(component, observed),
    })
  } catch (error) {
    return { ...plan, error: asError(error), manifests: [], kubeconfigs: [], workload: undefined }
  }
}

function decideManifest(manifest: Manifest, component: Component, observed: Observed): readonly Action[] {
  const { hcp, namespace } = observed
  const { kind, name } = manifest
  if (manifest.isShared || !namespace.serves(kind)) return []
  const live = namespace.find(kind, name)
  if (!manifest.isWanted(hcp)) {
    const isOurs = live !== undefined && isOwnedByControlPlane(live, hcp)
    return isOurs ? removal(kind, live, `component ${component.name} does not want it`) : []
  }
  if (!isApplied(manifest, observed)) return []
  return actionsFor(kind, decideApply(manifest.build(observed, commonMetadata(component, hcp), live), live))
}

/** Objects that should be there, are ours, and made by now. Monitors are no reason to fail where nobody knows the kind. */
function isApplied({ isShared, isDue, isWanted, kind, name }: Manifest, { hcp, namespace }: Observed): boolean {
  if (isShared || !isWanted(hcp) || !namespace.serves(kind)) return false
  return isDue(hcp) || namespace.find(kind, name) !== undefined
}

function decideWorkload(component: Component, observed: Observed): WorkloadStep {
  const { hcp, namespace } = observed
  const kind = workloadKindOf(component)
  const live = namespace.find(kind, component.name)
  const decision = decideApply(workloadOf(component, observed, commonMetadata(component, hcp), live), live)
  if (decision.do === 'leave') return decision
  if (decision.do === 'await') return { do: 'await' }
  if (live?.kind === 'Job' && isFailed(live) && !isToldOf(live, component, namespace)) return { do: 'leave', live }
  const actions = actionsFor(kind, decision)
  return decision.do === 'delete' ? { do: 'delete', actions, because: decision.because } : { do: decision.do, actions }
}

/** Whether the component says why its Job failed. Only then may the Job go: with it goes the reason, and nobody would ever have read it. */
function isToldOf(failed: Job, { name }: Component, namespace: LiveNamespace): boolean {
  const told = findCondition(namespace.find(ControlPlaneComponent, name)?.status?.conditions, 'RolloutComplete')
  const { status, reason, message } = workloadStatus(failed).rolledOut
  return told?.status === status && told.reason === reason && told.message === message
}

/** Nobody signs where certificates are somebody else's business. */
function signsKubeconfigs(component: Component, { hcp }: ControlPlane): boolean {
  return templateNamed(component.template).guestAccount !== undefined && annotationOf(hcp, Annotation.disablePki) === undefined
}

function kubeconfigsOf(component: Component, controlPlane: ControlPlane): readonly KubeconfigRequest[] {
  const { guestAccount } = templateNamed(component.template)
  const secret = guestKubeconfigOf(component)
  if (guestAccount === undefined || !signsKubeconfigs(component, controlPlane) || controlPlane.facts.secrets.has(secret)) return []
  return [{ secret, namespace: guestAccount.namespace, name: guestAccount.name }]
}

/** What the status lists: every object of the component but its workload. */
export function appliedResources(component: Component, observed: Observed): readonly ComponentResource[] {
  const applied = manifestsOf(component).filter((manifest) => isApplied(manifest, observed))
  const signed = signsKubeconfigs(component, observed) ? [{ kind: Secret, name: guestKubeconfigOf(component) }] : []
  return [...applied, ...signed].map(({ kind: { kind, group }, name }) => ({ kind, group, name }))
}
