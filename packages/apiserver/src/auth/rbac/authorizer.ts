import type { JsonObject } from '../../json.ts'
import { isPathRequest, type Attributes, type Decision } from '../attributes.ts'
import { Groups, type User } from '../user.ts'
import { BindingIndex } from './binding-index.ts'
import { bindingOf, identityOf, rbacGroup, rulesOf, type Binding, type RbacKind, type RoleRef } from './objects.ts'
import { ruleAllows, type PolicyRule } from './policy-rule.ts'

const allowedWithoutQuestion: Decision = { allowed: true, reason: '' }
const denied: Decision = { allowed: false, reason: '' }

/** All that a user may do in a namespace and everywhere, and what was missing while it was gathered. */
export interface GrantedRules {
  readonly rules: readonly PolicyRule[]
  /** Bindings to roles that do not exist, in words. */
  readonly errors: readonly string[]
}

/**
 * Decides by Role, ClusterRole, RoleBinding and ClusterRoleBinding objects of one logical cluster. Bindings are indexed by whom
 * they name: a decision looks at the user's own, not at all of them.
 *
 * A `template` lends its cluster-wide objects: thousands of logical clusters share one set of default roles. An object of the
 * same name takes its place, a deletion hides it.
 */
export class RbacAuthorizer {
  readonly #template: RbacAuthorizer | undefined
  /** `undefined` hides the template's role. */
  readonly #clusterRoles = new Map<string, readonly PolicyRule[] | undefined>()
  readonly #clusterBindings = new BindingIndex()
  readonly #hiddenBindings = new Set<string>()
  readonly #roles = new Map<string, Map<string, readonly PolicyRule[]>>()
  readonly #bindings = new Map<string, BindingIndex>()

  constructor(template?: RbacAuthorizer) {
    this.#template = template
  }

  /** Takes an object in, or its new state. */
  set(kind: RbacKind, object: JsonObject): void {
    const { namespace, name } = identityOf(object)
    switch (kind) {
      case 'ClusterRole':
        this.#clusterRoles.set(name, rulesOf(object))
        break
      case 'ClusterRoleBinding':
        this.#clusterBindings.set(bindingOf(kind, object))
        break
      case 'Role':
        entry(this.#roles, namespace, () => new Map()).set(name, rulesOf(object))
        break
      case 'RoleBinding':
        entry(this.#bindings, namespace, () => new BindingIndex()).set(bindingOf(kind, object))
        break
    }
  }

  delete(kind: RbacKind, namespace: string, name: string): void {
    switch (kind) {
      case 'ClusterRole':
        if (this.#template === undefined) this.#clusterRoles.delete(name)
        else this.#clusterRoles.set(name, undefined)
        break
      case 'ClusterRoleBinding':
        this.#clusterBindings.delete(name)
        if (this.#template !== undefined) this.#hiddenBindings.add(name)
        break
      case 'Role':
        this.#roles.get(namespace)?.delete(name)
        if (this.#roles.get(namespace)?.size === 0) this.#roles.delete(namespace)
        break
      case 'RoleBinding':
        this.#bindings.get(namespace)?.delete(name)
        if (this.#bindings.get(namespace)?.size === 0) this.#bindings.delete(namespace)
        break
    }
  }

  /** May they? An arrow, so that it can be handed around as the `Authorize` that it is. */
  readonly authorize = (user: User, attributes: Attributes): Decision => {
    if (user.groups.includes(Groups.masters)) return allowedWithoutQuestion
    const namespace = isPathRequest(attributes) ? '' : attributes.namespace
    let decision = denied
    const errors = new Set<string>()
    this.#someBinding(user, namespace, (binding) => {
      const rules = this.rulesOfRole(binding.roleRef, binding.namespace)
      if (rules === undefined) errors.add(missingRole(binding.roleRef))
      else if (rules.some((rule) => ruleAllows(rule, attributes))) decision = allowedBy(binding, user)
      return decision.allowed
    })
    return decision.allowed || errors.size === 0 ? decision : { allowed: false, reason: `RBAC: ${joined([...errors])}` }
  }

  /** Every rule that applies to the user in the namespace, the cluster-wide ones first. */
  rulesFor(user: User, namespace: string): GrantedRules {
    const seen = new Set<Binding>()
    const rules: PolicyRule[] = []
    const errors = new Set<string>()
    this.#someBinding(user, namespace, (binding) => {
      if (seen.has(binding)) return false
      seen.add(binding)
      const granted = this.rulesOfRole(binding.roleRef, binding.namespace)
      if (granted === undefined) errors.add(missingRole(binding.roleRef))
      else rules.push(...granted)
      return false
    })
    return { rules, errors: [...errors] }
  }

  /** The rules of the role that a binding in `namespace` (empty: cluster-wide) refers to; undefined when there is none. */
  rulesOfRole(ref: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    if (ref.kind === 'Role') return this.#roles.get(namespace)?.get(ref.name)
    if (ref.kind !== 'ClusterRole') return undefined
    return this.#clusterRoles.has(ref.name) ? this.#clusterRoles.get(ref.name) : this.#template?.rulesOfRole(ref, '')
  }

  #someBinding(user: User, namespace: string, visit: (binding: Binding) => boolean): boolean {
    if (this.#someClusterBinding(user, visit)) return true
    return namespace !== '' && (this.#bindings.get(namespace)?.some(user, visit) ?? false)
  }

  #someClusterBinding(user: User, visit: (binding: Binding) => boolean): boolean {
    if (this.#clusterBindings.some(user, visit)) return true
    if (this.#template === undefined) return false
    return this.#template.#someClusterBinding(user, (binding) => !this.#replaces(binding.name) && visit(binding))
  }

  #replaces(bindingName: string): boolean {
    return this.#hiddenBindings.has(bindingName) || this.#clusterBindings.has(bindingName)
  }
}

function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** `RBAC: allowed by RoleBinding "b/default" of Role "r" to User "jane"`. */
function allowedBy(binding: Binding, user: User): Decision {
  const subject = binding.subjects.find(({ kind, name }) => (kind === 'User' ? name === user.name : user.groups.includes(name)))
  return { allowed: true, reason: `RBAC: allowed by ${binding.description} to ${subject?.description ?? ''}` }
}

function missingRole(ref: RoleRef): string {
  return `${ref.kind.toLowerCase()}.${rbacGroup} ${JSON.stringify(ref.name)} not found`
}

/** Several errors as one: `[a, b]`; a single one stands alone. */
export function joined(errors: readonly string[]): string {
  return errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`
}
