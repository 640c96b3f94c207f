import type { JsonObject } from '../../json.ts'
import type { ResourceAttributes } from '../attributes.ts'
import type { User } from '../user.ts'
import { RbacAuthorizer } from './authorizer.ts'
import { bootstrapRbac } from './bootstrap.ts'
import type { RbacKind } from './objects.ts'

/** Whole, valid objects for tests. */

const apiVersion = 'rbac.authorization.k8s.io/v1'
const apiGroup = 'rbac.authorization.k8s.io'

export const namespace = 'r-au'

export function aUser(name: string, ...groups: string[]): User {
  return { name, uid: `${name}-uid`, groups: [...groups, 'system:authenticated'], extra: {} }
}

export const dev = aUser('dev')
export const bob = aUser('bob')
export const alice = aUser('alice', 'devs', 'ops')
export const admin: User = { name: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'], extra: {} }

export function aRole(name: string, ...rules: JsonObject[]): JsonObject {
  return { apiVersion, kind: 'Role', metadata: { name, namespace }, rules }
}

export function aClusterRole(name: string, ...rules: JsonObject[]): JsonObject {
  return { apiVersion, kind: 'ClusterRole', metadata: { name }, rules }
}

export const user = (name: string): JsonObject => ({ kind: 'User', apiGroup, name })
export const group = (name: string): JsonObject => ({ kind: 'Group', apiGroup, name })

export function aRoleBinding(name: string, role: string, ...subjects: JsonObject[]): JsonObject {
  const [kind = '', roleName = ''] = role.split('/')
  return { apiVersion, kind: 'RoleBinding', metadata: { name, namespace }, subjects, roleRef: { apiGroup, kind, name: roleName } }
}

export function aClusterRoleBinding(name: string, role: string, ...subjects: JsonObject[]): JsonObject {
  const roleRef = { apiGroup, kind: 'ClusterRole', name: role }
  return { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, subjects, roleRef }
}

/** A new cluster's authorizer, with more objects. */
export function anAuthorizer(...objects: JsonObject[]): RbacAuthorizer {
  const authorizer = new RbacAuthorizer()
  for (const object of [...bootstrapRbac(), ...objects]) authorizer.set(kindOf(object), object)
  return authorizer
}

export function kindOf({ kind }: JsonObject): RbacKind {
  if (kind === 'Role' || kind === 'ClusterRole' || kind === 'RoleBinding' || kind === 'ClusterRoleBinding') return kind
  throw new Error(`no RBAC kind: ${JSON.stringify(kind)}`)
}

/** `get configmaps/one`, `list widgets.test.windlass.dev`, `get pods/a/status`: in the namespace unless another one is given. */
export function request(text: string, inNamespace = namespace): ResourceAttributes {
  const [verb = '', what = ''] = text.split(' ')
  const [kind = '', name = '', subresource = ''] = what.split('/')
  const [resource = '', ...groups] = kind.split('.')
  return { verb, group: groups.join('.'), version: 'v1', resource, subresource, name, namespace: inNamespace }
}
