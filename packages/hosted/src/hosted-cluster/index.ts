/**
 * Hosted clusters, from creation through upgrades to deletion.
 *
 * `controller.ts` reads, looks up releases and writes; `watches.ts` says when, and `execution.ts` carries operations out, each for itself. The rest is pure.
 *
 * `decide.ts` is one pass: complete the cluster (`defaults.ts`), judge it (`seen.ts`), say so (`status.ts`), and go on if nothing stands in the way
 * (`pause.ts`, `gates.ts`): `operations.ts`. Or take it down: `deletion.ts`.
 *
 * - `observed.ts`: what a pass looks at; `snapshot.ts`: objects as they were read. `wire.ts`: names of annotations and the like.
 * - Judging: `validation.ts` (`networks.ts`, `ip.ts`), `support.ts`, `proxy.ts`, `release-validation.ts`, `upgrade-gate.ts`, `progressing.ts`, `version.ts`,
 *   `auto-node.ts`. `conditions.ts` is the table of all conditions.
 * - Making: `namespace.ts`, `control-plane.ts` (`control-plane-spec.ts`, `control-plane-metadata.ts`), `copies.ts` and `copies-back.ts` (`copying.ts`,
 *   `configuration-references.ts`, `signing-key.ts`), `credentials.ts`, `cluster-api.ts`, `infrastructure.ts`, `rbac.ts`, `network-policies.ts`. `outcome.ts` is what an
 *   operation comes to, `problems.ts` what a pass ends with.
 * - Going: `leftovers.ts`, `grace-period.ts`.
 * - Words that the neighbouring folders share: `verdict.ts`, `lookup.ts`, `pause.ts`, `wire.ts`.
 */
export { hostedCluster, type HostedClusterOptions } from './controller.ts'
export { isUnreported } from './copied-conditions.ts'
export { referencesOf } from './copies.ts'
export { concluded, decideHostedCluster, type HostedClusterPlan } from './decide.ts'
export { drawIdentifiers, type Identifiers, infraIDFor } from './identifiers.ts'
export { failed, found, type Lookup } from './lookup.ts'
export { clusterKeyOf, controlPlaneNamespaceOf } from './namespace-name.ts'
export type { ManagementCluster, ObservedHostedCluster, OperatorImage } from './observed.ts'
export type { OperationClass, PlannedOperation } from './operations.ts'
export { type Pause, pauseOf } from './pause.ts'
export type { Problem } from './problems.ts'
export { controlPlaneImageOf, pullspecsOf } from './release-images.ts'
export type { ListSelection, Snapshot } from './snapshot.ts'
export { upgradeGate, type UpgradeRequest, type UpgradeVerdict } from './upgrade-gate.ts'
export type { Verdict } from './verdict.ts'
