/**
 * ReplicaSets: as many Pods of one kind as somebody asked for. `decide.ts` is the rule, `preference.ts` says which Pods go first, `controller.ts`
 * what it looks at.
 *
 * Pods that nobody controls are not adopted, though their labels may fit.
 */
export { replicaSetController } from './controller.ts'
