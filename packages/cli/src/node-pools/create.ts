import { HostedCluster, NodePool, Secret } from '@windlass/api'
import { systemRandom } from '@windlass/core'
import { checkNewPool, lookUpRelease, releaseForNewPool } from '@windlass/hosted'
import { type Client, isAlreadyExists } from '@windlass/kube'
import type { Context } from '../context.ts'
import { Failure } from '../failures.ts'
import { releasesOf } from '../operator/controllers.ts'
import { clusterName, clusterSource, findHostedCluster, withClient } from '../views/index.ts'
import type { ClusterFlags, SkewFlags } from '../views/options.ts'
import { type Owner, poolDraft, type PoolWishes } from './draft.ts'

export interface CreateRequest extends ClusterFlags, PoolWishes, SkewFlags {
  /** NAME or NAMESPACE/NAME. */
  readonly cluster: string
  readonly namespace?: string
  /** An image; what the cluster has completed unless told. */
  readonly release?: string
  readonly followCluster?: true
  /** Another pool that the machines are to look like. */
  readonly like?: string
  readonly strict?: true
  readonly releaseCatalogue?: string
}

/** A registry that has not answered by then is one that cannot be reached. */
const lookupLimit = 60_000

/**
 * What `windlass create nodepool` does: checks what can be checked before, tells what was found, and asks for the pool. A cluster that is not there yet is no
 * obstacle to people who say where it will be and what nodes are to run: the pool starts by itself when the cluster appears.
 *
 * Errors: a `Failure` with everything that is wrong, before anything is written.
 */
export async function createNodePool(context: Context, request: CreateRequest): Promise<void> {
  await withClient(context, request, async (client) => {
    const place = await placeOf(context, client, request)
    const { cluster, namespace } = place
    const skew = { source: request.source, policy: request.policy }
    const { image, note } =
      place.cluster === undefined
        ? { image: place.release, note: undefined }
        : releaseForNewPool(place.cluster, skew, {
            ...(request.release === undefined ? {} : { explicit: request.release }),
            followCluster: request.followCluster === true,
          })
    const owner: Owner = { namespace, clusterName: place.name, platform: cluster?.spec.platform.type }
    const draft = poolDraft(owner, await likeOf(client, namespace, request.like), image, request)
    const verdict = checkNewPool({
      cluster,
      pool: { apiVersion: NodePool.apiVersion, kind: NodePool.kind, ...draft },
      isNameTaken: (await client.find(NodePool, { namespace, name: request.name })) !== undefined,
      release: cluster === undefined ? undefined : await lookUp(context, client, cluster, image, request),
      skew,
      isStrict: request.strict === true,
    })
    for (const warning of [...(note === undefined ? [] : [note]), ...verdict.warnings]) context.output.complain(`windlass: ${warning}`)
    if (verdict.errors.length > 0) throw new Failure(`NodePool ${namespace}/${request.name} is not created: ${verdict.errors.join('; ')}`)
    await client.create(NodePool, draft).catch((error: unknown) => {
      throw isAlreadyExists(error) ? new Failure(`NodePool ${namespace}/${request.name} already exists: choose another name`) : error
    })
    context.output.print(`nodepool ${namespace}/${request.name} created: ${request.replicas} nodes of ${image}`)
  })
}

type Place = { readonly namespace: string; readonly name: string } & (
  | { readonly cluster: HostedCluster }
  /** It is not there yet. */
  | { readonly cluster: undefined; readonly release: string }
)

/** Where the pool is to be. A cluster that is not there must be named in full, with the release of its nodes: otherwise the name may be a slip. */
async function placeOf({ clock }: Context, client: Client, { cluster: text, namespace: chosen, release }: CreateRequest): Promise<Place> {
  const wanted = clusterName(text, chosen)
  const { namespace, name } = wanted
  if (namespace !== undefined && release !== undefined) {
    const found = await client.find(HostedCluster, { namespace, name })
    if (found === undefined) return { namespace, name, cluster: undefined, release }
  }
  const source = clusterSource(client, () => clock.now())
  const cluster = await findHostedCluster(source, wanted)
  return { namespace: cluster.metadata.namespace ?? '', name, cluster }
}

async function likeOf(client: Client, namespace: string, name: string | undefined): Promise<NodePool | undefined> {
  if (name === undefined) return undefined
  const found = await client.find(NodePool, { namespace, name })
  if (found === undefined) throw new Failure(`there is no NodePool ${namespace}/${name} that machines could look like`)
  return found
}

/** What is known of the release; or why nothing is. */
async function lookUp({ clock }: Context, client: Client, cluster: HostedCluster, pullspec: string, { releaseCatalogue }: CreateRequest) {
  const { metadata, spec } = cluster
  const releases = await releasesOf({ clock, random: systemRandom, ...(releaseCatalogue === undefined ? {} : { releaseCatalogue }) })
  const pullSecret = await client.find(Secret, { namespace: metadata.namespace ?? '', name: spec.pullSecret.name ?? '' })
  const asking = new AbortController()
  const asked = lookUpRelease(releases, { pullspec, pullSecret, mirrors: spec.imageContentSources, signal: asking.signal })
  const late = clock.sleep(lookupLimit, asking.signal).then(
    () => undefined,
    () => undefined,
  )
  try {
    return await Promise.race([asked, late])
  } finally {
    asking.abort(new Error('it was answered, or it has taken too long'))
    await asked.catch(() => undefined)
  }
}
