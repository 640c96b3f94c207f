/**
 * What a user may do.
 *
 * - `authorizer.ts` decides; `binding-index.ts` finds the bindings of a user, `policy-rule.ts` matches one rule, `objects.ts`
 *   reads the four kinds.
 * - `escalation.ts` keeps people from granting what they do not have; `covers.ts` compares sets of rules for it.
 * - `aggregation.ts` puts ClusterRoles together from others; `bootstrap.ts` holds those of a new cluster.
 */
export { aggregateRules, aggregatesFrom } from './aggregation.ts'
export { RbacAuthorizer } from './authorizer.ts'
export type { GrantedRules } from './authorizer.ts'
export { bootstrapRbac } from './bootstrap.ts'
export { assertNoEscalation } from './escalation.ts'
export type { PolicyWrite } from './escalation.ts'
export { rbacGroup } from './objects.ts'
export type { RbacKind } from './objects.ts'
export type { PolicyRule } from './policy-rule.ts'
