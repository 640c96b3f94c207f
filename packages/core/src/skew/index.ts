/**
 * How far the versions of nodes may be from those of their control plane.
 *
 * - `policy.ts`: the named policies. There is one for everything, and every answer says by which it was judged.
 * - `reference.ts`: which version of a hosted cluster nodes are held against, by the history that is trusted (`SkewSource`).
 * - `range.ts`: from the active versions to the versions that nodes may have.
 * - `verdict.ts`: one version against a range.
 * - `moves.ts`: the order in which a control plane and its nodes get to a version.
 */
export { leftBehind, planMoves } from './moves.ts'
export type { Move, MovePlan, MoveRequest, NodeGroup } from './moves.ts'
export { allowedSkew, defaultSkewPolicy, parseSkewPolicy, SkewPolicy, UnknownSkewPolicyError } from './policy.ts'
export { skewRange } from './range.ts'
export type { SkewRange, VersionWindow } from './range.ts'
export {
  activeVersionsOf,
  completedVersion,
  defaultSkewSource,
  parseSkewSource,
  referenceVersion,
  SkewSource,
  trustedReport,
  UnknownSkewSourceError,
} from './reference.ts'
export type { VersionReport, VersionReports } from './reference.ts'
export { explainSkew, judgeSkew } from './verdict.ts'
export type { SkewAnswer, SkewVerdict } from './verdict.ts'
