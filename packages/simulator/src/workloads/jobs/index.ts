/**
 * Jobs: Pods that run until the work is done.
 *
 * - `counts.ts`: what has become of the Pods. `outcome.ts`: whether that is the end. `decide.ts`: what to do, and the status. `controller.ts`: what it looks at.
 *
 * Left out: indexes, policies about failures and success, and the finalizers by which real clusters count Pods that vanish too soon.
 */
export { jobController } from './controller.ts'
