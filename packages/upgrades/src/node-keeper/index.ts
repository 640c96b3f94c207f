/** Looks after each worker node while it is upgraded: `decide.ts`. */
export { decideNode, isKept, type NodeDecision, type NodeView } from './decide.ts'
