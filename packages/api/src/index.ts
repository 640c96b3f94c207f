/**
 * Every kind that Windlass reads or writes.
 *
 * A kind is declared once, in the file named after it (`hypershift/node-pool.ts`), in the words of `schema/`. From that come the
 * TypeScript type of its objects, its CRD in `deploy/crds/`, its printer columns and what `kubectl explain` says about it.
 * `NodePool` is both the declaration (`client.get(NodePool, …)`) and the type of an object.
 *
 * - `kind.ts`: what a declaration is. `crd.ts`, `structural.ts`, `yaml.ts`: from there to a file.
 * - `kubernetes/`: the built-in kinds; they need no schema.
 * - one folder per API group; those of machines hold the same names twice, hence `capi.Machine` and `machineApi.Machine`.
 * - `fixtures/` (`@windlass/api/fixtures`): whole, valid objects for tests.
 */
export * as capi from './cluster-api/index.ts'
export * from './config/index.ts'
export { crdName, toCrd } from './crd.ts'
export * from './hypershift/index.ts'
export * from './infrastructure/index.ts'
export * from './insights/index.ts'
export type { Immutable, Json, JsonObject } from './json.ts'
export { ageColumn, column, conditionColumn, defineKind } from './kind.ts'
export type { Kind, ObjectOf, PrinterColumn, Resource, Scale } from './kind.ts'
export { allKinds } from './kinds.ts'
export * from './kubernetes/index.ts'
export * as machineApi from './machine-api/index.ts'
export * from './machineconfig/index.ts'
export type { KubernetesObject, ObjectMeta, OwnerReference } from './meta/object-meta.ts'
export * from './monitoring/index.ts'
export * from './route/index.ts'
export * from './upgrades/index.ts'
export * from './windlass/index.ts'
export { toYaml } from './yaml.ts'
