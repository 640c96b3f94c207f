/**
 * The status bridge: what a guest says about its version, repeated on its control plane, where people and programs of the management cluster look.
 *
 * - `controller.ts`: looks at control planes. `guest-versions.ts`: follows their guests.
 * - `decide.ts`: conditions and the rest. `version-status.ts`: the history, with nulls where they are required.
 */
export { statusBridge, type StatusBridgeOptions } from './controller.ts'
export { decideStatusBridge } from './decide.ts'
export { type VersionStatus, versionStatusOf } from './version-status.ts'
