import { forbidden, notFound } from '../../errors/api-error.ts'
import { equalJson, isArray, isObject, type JsonObject } from '../../json.ts'
import { quoteList } from '../refusal.ts'
import { Groups, type User } from '../user.ts'
import { joined, type RbacAuthorizer } from './authorizer.ts'
import { describeRules, missingRules } from './covers.ts'
import { identityOf, rbacGroup, roleRefOf, rulesOf } from './objects.ts'
import { everything, type PolicyRule } from './policy-rule.ts'

/** A create or an update of one of the four kinds, before it is stored. */
export interface PolicyWrite {
  readonly resource: 'roles' | 'clusterroles' | 'rolebindings' | 'clusterrolebindings'
  /** From the URL; empty for the cluster-wide kinds. */
  readonly namespace: string
  /** From the URL; empty when the object is created. */
  readonly name: string
  readonly object: JsonObject
  readonly old?: JsonObject
}

/**
 * Nobody grants what they do not have: writing a role takes its permissions (or the verb `escalate` on it), writing a binding
 * those of the role it refers to (or the verb `bind`). Throws a 403 otherwise, a 404 when the role does not exist.
 *
 * Caveat: aggregationRule collects rules from anywhere, so touching it takes every permission there is.
 */
export function assertNoEscalation(authorizer: RbacAuthorizer, user: User, write: PolicyWrite): void {
  if (user.groups.includes(Groups.masters)) return
  if (write.old !== undefined && equalJson(withoutOwnership(write.object), withoutOwnership(write.old))) return
  if (write.resource === 'roles' || write.resource === 'clusterroles') assertRole(authorizer, user, write)
  else assertBinding(authorizer, user, write)
}

function assertRole(authorizer: RbacAuthorizer, user: User, write: PolicyWrite): void {
  if (may(authorizer, user, 'escalate', write.resource, write.name, write.namespace)) return
  assertHolds(authorizer, user, write, rulesOf(write.object))
  if (!aggregates(write.object) && !(write.old !== undefined && aggregates(write.old))) return
  if (missingRules(authorizer.rulesFor(user, write.namespace).rules, fullAuthority).length > 0) {
    throw refuse(write, 'must have cluster-admin privileges to use the aggregationRule')
  }
}

function assertBinding(authorizer: RbacAuthorizer, user: User, write: PolicyWrite): void {
  const ref = roleRefOf(write.object)
  const roles = ref.kind === 'Role' ? 'roles' : 'clusterroles'
  if (may(authorizer, user, 'bind', roles, ref.name, write.namespace)) return
  const rules = authorizer.rulesOfRole(ref, write.namespace)
  if (rules === undefined) throw notFound({ group: rbacGroup, resource: roles }, ref.name)
  assertHolds(authorizer, user, write, rules)
}

function may(authorizer: RbacAuthorizer, user: User, verb: string, resource: string, name: string, namespace: string): boolean {
  return authorizer.authorize(user, { verb, group: rbacGroup, version: everything, resource, subresource: '', name, namespace }).allowed
}

function assertHolds(authorizer: RbacAuthorizer, user: User, write: PolicyWrite, wanted: readonly PolicyRule[]): void {
  const { rules, errors } = authorizer.rulesFor(user, write.namespace)
  const missing = missingRules(rules, wanted)
  if (missing.length === 0) return
  const who = `user ${JSON.stringify(user.name)} (groups=${quoteList(user.groups)})`
  const unresolved = errors.length === 0 ? '' : `; resolution errors: [${joined(errors)}]`
  throw refuse(write, `${who} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}${unresolved}`)
}

function refuse(write: PolicyWrite, why: string): Error {
  return forbidden({ group: rbacGroup, resource: write.resource }, identityOf(write.object).name, why)
}

const fullAuthority: readonly PolicyRule[] = [
  { verbs: [everything], apiGroups: [everything], resources: [everything], resourceNames: [], nonResourceURLs: [] },
  { verbs: [everything], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [everything] },
]

function aggregates({ aggregationRule }: JsonObject): boolean {
  return isObject(aggregationRule) && isArray(aggregationRule.clusterRoleSelectors) && aggregationRule.clusterRoleSelectors.length > 0
}

/** Garbage collection must be able to let go of an object that its user could not have written. */
function withoutOwnership(object: JsonObject): JsonObject {
  if (!isObject(object.metadata)) return object
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managed, ...metadata } = object.metadata
  return { ...object, metadata }
}
