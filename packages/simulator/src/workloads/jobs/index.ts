/**
 * Jobs: Pods that run until the work is done.
 *
 * - `ledger.ts`: Pods that have ended, and may be gone. `counts.ts`: what has become of all of them. `outcome.ts`: whether that is the end. `decide.ts`: what to do, and the status. `controller.ts`: what it looks at.
 *
 * Left out: indexes, policies about failures and success, and the finalizers by which real clusters count Pods that vanish before anybody has seen that they ended.
 */
export { jobController } from './controller.ts'
