/** Looks after each worker node while it is upgraded: `decide.ts` what to do about one, `controller.ts` when, and with what. */
export { nodeKeeper } from './controller.ts'
export { decideNode, isKept, isToBeHelped, type NodeDecision, type NodeView } from './decide.ts'
