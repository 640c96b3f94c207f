/** How far the nodes of a hosted cluster are from its control plane: `skew.ts` is the value, `lines.ts` the same for people. */
export { skewLines } from './lines.ts'
export { isBadSkew, type PlanView, type SkewQuestion, skewOf, type SkewView } from './skew.ts'
