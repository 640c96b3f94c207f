import type { JsonObject } from '../../json.ts'
import { objectAt, objectList, text } from '../fields.ts'
import { serviceAccountUser } from '../user.ts'
import { parseRules, type PolicyRule } from './policy-rule.ts'

/** The four kinds that say who may do what. */
export type RbacKind = 'Role' | 'ClusterRole' | 'RoleBinding' | 'ClusterRoleBinding'

export const rbacGroup = 'rbac.authorization.k8s.io'

export interface RoleRef {
  readonly kind: string
  readonly name: string
}

/** Whom a binding names. ServiceAccounts are users by a name of their own. */
export interface Subject {
  readonly kind: 'User' | 'Group'
  readonly name: string
  /** As reasons name the subject: `ServiceAccount "s/default"`. */
  readonly description: string
}

export interface Binding {
  readonly namespace: string
  readonly name: string
  readonly roleRef: RoleRef
  readonly subjects: readonly Subject[]
  /** `RoleBinding "b/default" of Role "r"`. */
  readonly description: string
}

/** Parsed once per object, however many logical clusters share it. */
const parsedRules = new WeakMap<JsonObject, readonly PolicyRule[]>()

export function rulesOf(role: JsonObject): readonly PolicyRule[] {
  const known = parsedRules.get(role)
  if (known !== undefined) return known
  const rules = parseRules(role.rules)
  parsedRules.set(role, rules)
  return rules
}

const parsedBindings = new WeakMap<JsonObject, Binding>()

export function bindingOf(kind: 'RoleBinding' | 'ClusterRoleBinding', object: JsonObject): Binding {
  const known = parsedBindings.get(object)
  if (known !== undefined) return known
  const { namespace, name } = identityOf(object)
  const roleRef = roleRefOf(object)
  const qualified = kind === 'RoleBinding' ? `${name}/${namespace}` : name
  const binding: Binding = {
    namespace,
    name,
    roleRef,
    subjects: objectList(object.subjects).flatMap((each) => subjectOf(each, namespace)),
    description: `${kind} ${JSON.stringify(qualified)} of ${roleRef.kind} ${JSON.stringify(roleRef.name)}`,
  }
  parsedBindings.set(object, binding)
  return binding
}

export function identityOf(object: JsonObject): { namespace: string; name: string } {
  const metadata = objectAt(object, 'metadata')
  return { namespace: text(metadata?.namespace), name: text(metadata?.name) }
}

export function roleRefOf(binding: JsonObject): RoleRef {
  const ref = objectAt(binding, 'roleRef')
  return { kind: text(ref?.kind), name: text(ref?.name) }
}

/** A ServiceAccount without a namespace is one of the binding's; a cluster-wide binding has none to offer. */
function subjectOf(subject: JsonObject, bindingNamespace: string): readonly Subject[] {
  const name = text(subject.name)
  if (subject.kind === 'User' || subject.kind === 'Group') {
    return [{ kind: subject.kind, name, description: `${subject.kind} ${JSON.stringify(name)}` }]
  }
  const namespace = text(subject.namespace) || bindingNamespace
  if (subject.kind !== 'ServiceAccount' || namespace === '') return []
  const description = `ServiceAccount ${JSON.stringify(`${name}/${namespace}`)}`
  return [{ kind: 'User', name: serviceAccountUser(namespace, name), description }]
}
