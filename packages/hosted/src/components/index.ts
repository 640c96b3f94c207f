/**
 * The components of hosted control planes: what runs, in which order, how it looks, and how far it is. Pure rules; who reads and writes is elsewhere.
 *
 * A pass looks at one component after the other (`loop.ts`). For each, `reconcile.ts` decides: remove it, wait for what it depends on, or apply its
 * manifests and its workload. The plan is carried out, and `conclude.ts` turns what became of it into the status of its ControlPlaneComponent.
 *
 * - `registry.ts`: all components as one table, in the words of `predicates.ts` and `operands.ts`; `registry-of.ts` checks it. `component.ts` is a row.
 * - `control-plane.ts`: questions that everything below asks about a HostedControlPlane. `wire.ts`: names of annotations and labels.
 * - `dependencies.ts`: who waits for whom. `dependency-graph.ts`: the same for people who look at a control plane from outside.
 * - `templates/`: what pods look like, as data. `workload.ts` builds workloads from it (`pod-template.ts`, `images.ts`, `resources.ts`, `scheduling.ts`,
 *   `volumes.ts`), `manifests.ts` everything else. `image-overrides.ts` reads what is to run in the place of images of the release.
 * - `apply.ts`: create, update, leave or delete one object. `hash.ts` tells that its desired state has changed.
 * - `status.ts`: what a ControlPlaneComponent says, from its workload (`workload-status.ts`) and its operands (`operand-status.ts`).
 */
export { decideApply, type ApplyDecision } from './apply.ts'
export type { Component, Operand, Predicate, Runner, WorkloadKind } from './component.ts'
export { concludeComponent, type Conclusion, type Outcome } from './conclude.ts'
export { controlPlaneImageOf, type ControlPlane, type ControlPlaneRelease, type Facts } from './control-plane.ts'
export { dependenciesAmong } from './dependency-graph.ts'
export { dependenciesOf, unavailableOf } from './dependencies.ts'
export { contentsHash } from './hash.ts'
export { imageOverridesOf, type ImageOverrides } from './image-overrides.ts'
export { type Hands, type Pass, reconcileComponents } from './loop.ts'
export type { LiveNamespace, ManifestObject } from './manifest.ts'
export { manifestsOf } from './manifests.ts'
export { payloadImages } from './payload-images.ts'
export type { ApplyPlan, ComponentPlan, KubeconfigRequest, WorkloadStep } from './plan.ts'
export type { Observed } from './observed.ts'
export { decideComponent } from './reconcile.ts'
export { componentsOf, formerEtcdShards, registry } from './registry.ts'
export { type Registry, RegistryError, registryOf } from './registry-of.ts'
export { Annotation, Label } from './wire.ts'
export { isDeploymentReady, workloadStatus } from './workload-status.ts'
export { workloadKindOf, type Workload } from './workload.ts'
