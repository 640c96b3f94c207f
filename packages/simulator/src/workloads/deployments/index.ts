/**
 * Deployments: from one template to the next without interruption, by way of ReplicaSets.
 *
 * - `decide.ts`: the next step, or how far it is. `controller.ts`: what it looks at.
 * - `bounds.ts`: how many Pods there may be and must be. `rolling-update.ts`: a step within them. `scaling.ts`: when somebody changes the number.
 * - `revisions.ts`: which ReplicaSet is of which template. `status.ts`, `conditions.ts`: what the status says.
 *
 * Left out: ReplicaSets that nobody controls are not adopted, and the number of the revision is on ReplicaSets only, which is where
 * `kubectl rollout history` and `undo` look for it.
 */
export { deploymentController } from './controller.ts'
