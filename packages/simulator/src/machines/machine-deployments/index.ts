/**
 * MachineDeployments: machines that are replaced step by step when their template changes.
 *
 * - `decide.ts`: one look at one; start reading there. `revisions.ts`: its MachineSets. `rolling-step.ts`: how large they should be, within `bounds.ts`.
 * - `controller.ts`: what it looks at.
 */
export { machineDeployments } from './controller.ts'
export { templateHashOf } from './revisions.ts'
