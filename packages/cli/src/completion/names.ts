import { ClusterVersion, HostedCluster, type KubernetesObject, NodePool, type Resource } from '@windlass/api'
import type { Clock } from '@windlass/core'
import { type Client, loadKubeconfig, silentLog } from '@windlass/kube'
import { membersOf } from '../dashboard/members.ts'
import { flagsIn } from './line.ts'
import { type Place, spelled } from './spelling.ts'
import type { Asked } from './tree.ts'

/** Somebody waits with a finger on the key. */
const patience = 2000
/** More than anybody reads. */
const most = 2000

/** The names that may stand in a place, as the clusters have them right now; none when they do not answer at once, or for whatever reason. */
export async function namesFor(what: Asked, words: readonly string[], clock: Clock): Promise<readonly string[]> {
  const ending = new AbortController()
  const cancel = clock.after(patience, () => ending.abort(new Error('it takes too long')))
  try {
    if (what === 'contexts') return await contextsIn(words, clock)
    return await namesIn(what === 'clusters' ? HostedCluster : NodePool, words, clock, ending.signal)
  } catch {
    return []
  } finally {
    cancel()
  }
}

async function contextsIn(words: readonly string[], clock: Clock): Promise<readonly string[]> {
  const { kubeconfig: file } = flagsIn(words)
  const { contexts } = await loadKubeconfig({ clock, ...(file === undefined ? {} : { file }) })
  return contexts.map(({ name }) => name)
}

async function namesIn(kind: Resource, words: readonly string[], clock: Clock, signal: AbortSignal): Promise<readonly string[]> {
  const members = await membersOf(flagsIn(words), { clock, log: silentLog })
  // Some shells give the name of the program too.
  const asksForClassic = kind === HostedCluster && words.slice(0, 2).some((word) => takesClassic.has(word))
  const found = await Promise.all(
    members.map(async ({ source }) => {
      const client = await source.connect()
      try {
        const [objects, classic] = await Promise.all([
          listed(client.list(kind, { signal })),
          asksForClassic ? hasVersion(client, signal) : false,
        ])
        return [...objects.map(({ metadata }) => placeOf(source.name, metadata)), ...(classic ? [{ member: source.name }] : [])]
      } catch {
        return []
      } finally {
        await client.close()
      }
    }),
  )
  return spelled(found.flat(), words.at(-1) ?? '')
}

/** Commands that take the name of a classic cluster too. */
const takesClassic: ReadonlySet<string> = new Set(['why', 'events'])

async function hasVersion(client: Client, signal: AbortSignal): Promise<boolean> {
  return (await client.find(ClusterVersion, { name: 'version' }, { signal }).catch(() => undefined)) !== undefined
}

function placeOf(member: string, { namespace = '', name = '' }: KubernetesObject['metadata']): Place {
  return { member, namespace, name }
}

async function listed(objects: AsyncIterable<KubernetesObject>): Promise<readonly KubernetesObject[]> {
  const found: KubernetesObject[] = []
  for await (const object of objects) {
    found.push(object)
    if (found.length >= most) break
  }
  return found
}
