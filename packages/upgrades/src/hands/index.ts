/**
 * The hands of the controllers: what finds out what decisions ask for, and carries out what they decide. Nothing is decided here.
 *
 * - `look.ts`: how each fact is found out. `load-config.ts`: the configuration. `all-of.ts`: whole lists.
 * - `perform.ts`: how each effect is carried out. `notify.ts`, `tell-ocm.ts`: telling somebody something, once.
 * - `stored-upgrade.ts`: the UpgradeConfig while several write it.
 */
export { allOf } from './all-of.ts'
export { loadConfig } from './load-config.ts'
export { clusterVersionRef, lookAt, type Looking } from './look.ts'
export type { Notifying } from './notify.ts'
export { performer } from './perform.ts'
export { StoredUpgrade, Superseded } from './stored-upgrade.ts'
