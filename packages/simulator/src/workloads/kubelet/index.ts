/**
 * Kubelets, all of them at once: Pods that are on a node start, become ready, crash, and end.
 *
 * - `standing.ts`: how far a Pod is, read from its status. `transitions.ts`: what comes next, a table. `advance.ts`: how far it has come by now.
 * - `status.ts`: the same told in a status. `decide.ts`: puts them together. `controller.ts`: what it looks at.
 *
 * A kubelet here remembers nothing: everything follows from what the API has, so that one that was killed goes on where it was. Times in the API have whole
 * seconds, so what takes less than one may as well take none.
 */
export { kubeletController } from './controller.ts'
