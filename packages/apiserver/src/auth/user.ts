import type { JsonObject, MutableObject } from '../json.ts'

/** Who asks. Made by an authenticator, or by impersonation. */
export interface User {
  readonly name: string
  /** Empty when the credential carries none. */
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

/** Groups and users that mean something to the server itself. */
export const Groups = {
  /** Passes every check. */
  masters: 'system:masters',
  authenticated: 'system:authenticated',
  unauthenticated: 'system:unauthenticated',
  serviceAccounts: 'system:serviceaccounts',
} as const

/** Keys of `extra` that say by which credential a user came in. */
export const ExtraKeys = {
  credentialId: 'authentication.kubernetes.io/credential-id',
  podName: 'authentication.kubernetes.io/pod-name',
  podUid: 'authentication.kubernetes.io/pod-uid',
  nodeName: 'authentication.kubernetes.io/node-name',
  nodeUid: 'authentication.kubernetes.io/node-uid',
} as const

/** A request without credentials. RBAC lets it see health and version, no more. */
export const anonymous: User = { name: 'system:anonymous', uid: '', groups: [Groups.unauthenticated], extra: {} }

/** Everybody who showed a valid credential is in `system:authenticated`, behind the groups of the credential itself. */
export function authenticated(user: User): User {
  const isPlaced = user.groups.includes(Groups.authenticated) || user.groups.includes(Groups.unauthenticated)
  return isPlaced ? user : { ...user, groups: [...user.groups, Groups.authenticated] }
}

/** The `userInfo` of reviews, admission and audit: what is empty is left out. */
export function userInfo(user: User): JsonObject {
  const info: MutableObject = {}
  if (user.name !== '') info.username = user.name
  if (user.uid !== '') info.uid = user.uid
  if (user.groups.length > 0) info.groups = user.groups
  const keys = Object.keys(user.extra)
  if (keys.length > 0) info.extra = Object.fromEntries(keys.sort().map((key) => [key, user.extra[key] ?? []]))
  return info
}

const serviceAccountPrefix = 'system:serviceaccount:'
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const namespacePattern = new RegExp(`^${label}$`)
const namePattern = new RegExp(`^${label}(\\.${label})*$`)

export function serviceAccountUser(namespace: string, name: string): string {
  return `${serviceAccountPrefix}${namespace}:${name}`
}

/** Groups that a ServiceAccount is in by its name alone. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return [Groups.serviceAccounts, `${Groups.serviceAccounts}:${namespace}`]
}

/** The ServiceAccount behind a user name; undefined when the name only looks similar. */
export function parseServiceAccountUser(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(serviceAccountPrefix)) return undefined
  const [namespace = '', name = '', ...rest] = user.slice(serviceAccountPrefix.length).split(':')
  if (rest.length > 0 || namespace.length > 63 || name.length > 253) return undefined
  return namespacePattern.test(namespace) && namePattern.test(name) ? { namespace, name } : undefined
}
