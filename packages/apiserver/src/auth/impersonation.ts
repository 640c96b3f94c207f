import { internalError } from '../errors/api-error.ts'
import type { Authorize, ResourceAttributes } from './attributes.ts'
import { assertAllowed } from './refusal.ts'
import { anonymous, Groups, parseServiceAccountUser, serviceAccountGroups, type User } from './user.ts'

/** Whom a request wants to act as. */
export interface Impersonation {
  readonly user: string
  readonly groups: readonly string[]
  readonly uid: string
  readonly extra: Readonly<Record<string, readonly string[]>>
}

const prefix = 'impersonate-'
const extraPrefix = 'impersonate-extra-'

/**
 * Reads the `Impersonate-…` headers from Node's `rawHeaders` (names and values in turn), because repeated headers are separate
 * values: joined by commas, two groups could not be told from one. Undefined when there are none.
 */
export function readImpersonation(rawHeaders: readonly string[]): Impersonation | undefined {
  let user = ''
  let uid = ''
  const groups: string[] = []
  const extra = new Map<string, string[]>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] ?? ''
    // Checked by length and first letter before lower-casing: this runs for every header of every request.
    if (raw.length <= prefix.length || (raw[0] !== 'i' && raw[0] !== 'I')) continue
    const name = raw.toLowerCase()
    const value = rawHeaders[index + 1] ?? ''
    if (name === 'impersonate-user') user ||= value
    else if (name === 'impersonate-uid') uid ||= value
    else if (name === 'impersonate-group') groups.push(value)
    else if (name.startsWith(extraPrefix)) {
      const key = unescapeKey(name.slice(extraPrefix.length))
      const values = extra.get(key)
      if (values === undefined) extra.set(key, [value])
      else values.push(value)
    }
  }
  if (user === '' && uid === '' && groups.length === 0 && extra.size === 0) return undefined
  return { user, uid, groups, extra: Object.fromEntries(extra) }
}

/** Header names cannot hold every character: keys come percent-encoded. One that is not well formed is taken as it is. */
function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/**
 * The user that the request acts as from now on. Throws a 403 unless `user` may impersonate each thing that is asked for, and a
 * 500 when groups, uid or extra are asked for without a user.
 */
export function impersonate(user: User, wanted: Impersonation, authorize: Authorize): User {
  if (wanted.user === '') throw internalError(`requested ${describe(wanted)} without impersonating a user`)
  const account = parseServiceAccountUser(wanted.user)
  const identity =
    account === undefined ? coreResource('users', wanted.user) : coreResource('serviceaccounts', account.name, account.namespace)
  const checks = [
    identity,
    ...wanted.groups.map((group) => coreResource('groups', group)),
    ...Object.entries(wanted.extra).flatMap(([key, values]) => values.map((value) => authenticationResource('userextras', value, key))),
    ...(wanted.uid === '' ? [] : [authenticationResource('uids', wanted.uid)]),
  ]
  for (const check of checks) assertAllowed(authorize, user, check)

  const ownGroups = account === undefined ? [] : serviceAccountGroups(account.namespace)
  const groups = wanted.groups.length === 0 ? ownGroups : wanted.groups
  return { name: wanted.user, uid: wanted.uid, groups: withAudience(wanted.user, groups), extra: wanted.extra }
}

/** Everybody is in one of two groups; which one follows from the name unless the request says so itself. */
function withAudience(name: string, groups: readonly string[]): readonly string[] {
  if (name === anonymous.name) return groups.includes(Groups.unauthenticated) ? groups : [...groups, Groups.unauthenticated]
  const isPlaced = groups.includes(Groups.authenticated) || groups.includes(Groups.unauthenticated)
  return isPlaced ? groups : [...groups, Groups.authenticated]
}

function coreResource(resource: string, name: string, namespace = ''): ResourceAttributes {
  return { verb: 'impersonate', group: '', version: 'v1', resource, subresource: '', name, namespace }
}

function authenticationResource(resource: string, name: string, subresource = ''): ResourceAttributes {
  return { verb: 'impersonate', group: 'authentication.k8s.io', version: 'v1', resource, subresource, name, namespace: '' }
}

function describe({ groups, extra, uid }: Impersonation): string {
  const parts = [
    ...groups.map((group) => `group ${JSON.stringify(group)}`),
    ...Object.entries(extra).flatMap(([key, values]) => values.map((value) => `extra ${key}=${JSON.stringify(value)}`)),
    ...(uid === '' ? [] : [`uid ${JSON.stringify(uid)}`]),
  ]
  return `[${parts.join(' ')}]`
}
