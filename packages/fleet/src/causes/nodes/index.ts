/**
 * What can be wrong with a node, and with emptying it.
 *
 * - `node.ts`: a table of what its kubelet and its machine config daemon say. `notes.ts`: what that daemon writes on it.
 * - `drain.ts`: from a node that is being drained to the Pod that stays and the budget that keeps it.
 */
export { drainTroubles } from './drain.ts'
export { nodeTroubles } from './node.ts'
export { cordonedSince, notesOn } from './notes.ts'
