/**
 * How far the versions of nodes may be from those of their control plane.
 *
 * - `policy.ts`: the named policies. There is one for everything, and every answer says by which it was judged.
 * - `range.ts`: from the active versions to the versions that nodes may have.
 * - `verdict.ts`: one version against a range.
 */
export { allowedSkew, defaultSkewPolicy, parseSkewPolicy, SkewPolicy, UnknownSkewPolicyError } from './policy.ts'
export { skewRange } from './range.ts'
export type { SkewRange, VersionWindow } from './range.ts'
export { explainSkew, judgeSkew } from './verdict.ts'
export type { SkewAnswer, SkewVerdict } from './verdict.ts'
