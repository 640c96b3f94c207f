/**
 * StatefulSets: Pods with numbers.
 *
 * - `replicas.ts`: which Pod is in which place. `step.ts`: what happens next, in which order. `decide.ts`: that as a plan, and the status.
 *   `controller.ts`: what it looks at. `claims.ts`: the volumes that each Pod has of its own.
 *
 * Left out: ControllerRevisions, so that a Pod below the partition that is made anew is of the present template; the PersistentVolumeClaims that those volumes name; and
 * `maxUnavailable`, which is no part of Kubernetes unless one asks for it.
 */
export { statefulSetController } from './controller.ts'
