import { isForbidden, isUnauthorized } from '@windlass/kube'
import { Problem } from '../problem.ts'
import type { Credential, Door } from './door.ts'
import { nameOf, type Rights, rightsOf } from './reviews.ts'
import { everything, type Sight, sightOf } from './sight.ts'

/** Somebody who is known. */
export interface Person {
  readonly user: string
  readonly sight: Sight
  /** What each member has said. Kept where it cannot be asked again. */
  readonly rights: ReadonlyMap<string, Rights>
}

/** What a member says of somebody. */
type Verdict =
  | { readonly is: 'known'; readonly user: string | undefined; readonly rights: Rights }
  | { readonly is: 'unknown' }
  | { readonly is: 'silent'; readonly why: string }

/** How long a member may take to say who somebody is. One that takes longer is asked again a minute later. */
export const patience = 5000

/**
 * Asks every member who somebody is and what they may see. `before` is what members said the last time: one that does not answer now is taken at that word.
 *
 * # Errors
 *
 * `Problem`: 401 when nobody knows them, 403 when they may see nothing, 503 when that could not be found out.
 */
export async function identify(doors: readonly Door[], credential: Credential, signal: AbortSignal, before?: Person): Promise<Person> {
  if (credential.by === 'link') return { user: await anyName(doors, credential, signal), sight: everything, rights: new Map() }
  const verdicts = await Promise.all(doors.map(async (door) => [door.name, await ask(door, credential, signal)] as const))
  const user = verdicts.map(([, verdict]) => (verdict.is === 'known' ? verdict.user : undefined)).find((name) => name !== undefined)
  const rights = new Map<string, Rights>()
  for (const [name, verdict] of verdicts) {
    const said = verdict.is === 'known' ? verdict.rights : verdict.is === 'silent' ? before?.rights.get(name) : undefined
    if (said !== undefined) rights.set(name, said)
  }
  const fallback = credential.by === 'certificate' ? credential.user : (before?.user ?? 'a token without a name')
  const person: Person = { user: user ?? fallback, sight: sightOf(rights), rights }
  if ([...rights.values()].some(({ hosted, classic }) => hosted || classic)) return person
  throw refusal(verdicts, credential, person.user)
}

/** What the member that answers first calls whoever has the kubeconfig. Only a name: nobody has to wait for members that do not answer. */
async function anyName(doors: readonly Door[], credential: Credential, signal: AbortSignal): Promise<string> {
  const nameAt = async (door: Door): Promise<string> => {
    const client = await door.open(credential)
    try {
      return (await nameOf(client, signal)) ?? Promise.reject(new Error(`${door.name} does not say`))
    } finally {
      await client.close()
    }
  }
  return Promise.any(doors.map(nameAt)).catch(() => 'whoever started it')
}

async function ask(door: Door, credential: Credential, signal: AbortSignal): Promise<Verdict> {
  try {
    const client = await door.open(credential)
    try {
      return { is: 'known', user: await nameOf(client, signal), rights: await rightsOf(client, signal) }
    } finally {
      await client.close()
    }
  } catch (error) {
    if (isUnauthorized(error)) return { is: 'unknown' }
    const why = error instanceof Error ? error.message : String(error)
    // A server that may not ask in the name of others is told so with a 403, and so is who asks.
    return { is: 'silent', why: isForbidden(error) ? `it does not let this server ask in your name (${why})` : why }
  }
}

function refusal(verdicts: readonly (readonly [string, Verdict])[], { by }: Credential, user: string): Problem {
  const named = (is: Verdict['is']): readonly string[] => verdicts.filter(([, verdict]) => verdict.is === is).map(([name]) => name)
  const known = named('known')
  if (known.length > 0) {
    const message = `${user} may neither list hostedclusters.hypershift.openshift.io nor get clusterversions.config.openshift.io in ${known.join(', ')}: ask who looks after it for a role that allows one of them.`
    return new Problem(403, message)
  }
  const silent = verdicts.flatMap(([name, verdict]) => (verdict.is === 'silent' ? [`${name}: ${verdict.why}`] : []))
  if (silent.length > 0) return new Problem(503, `It cannot be found out who you are. ${silent.join('; ')}`, { 'retry-after': '5' })
  const what = by === 'token' ? 'token' : 'certificate'
  return new Problem(401, `The ${what} is not known to ${named('unknown').join(', ')}: it has expired, or is of another cluster.`)
}
