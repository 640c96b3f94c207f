import { type HostedCluster, NodePool, Secret } from '@windlass/api'
import { defaultSkewSource, type SkewPolicy, systemRandom } from '@windlass/core'
import { checkNewPool, lookUpRelease, releaseForNewPool } from '@windlass/hosted'
import { type Client, isAlreadyExists } from '@windlass/kube'
import type { Context } from '../context.ts'
import { Failure } from '../failures.ts'
import { releasesOf } from '../operator/controllers.ts'
import { clusterName, clusterSource, findHostedCluster, withClient } from '../views/index.ts'
import type { ClusterFlags } from '../views/options.ts'
import { poolDraft, type PoolWishes } from './draft.ts'

export interface CreateRequest extends ClusterFlags, PoolWishes {
  /** NAME or NAMESPACE/NAME. */
  readonly cluster: string
  readonly namespace?: string
  /** An image; what the cluster has completed unless told. */
  readonly release?: string
  readonly followCluster?: true
  /** Another pool that the machines are to look like. */
  readonly like?: string
  readonly strict?: true
  readonly policy: SkewPolicy
  readonly releaseCatalogue?: string
}

/** A registry that has not answered by then is one that cannot be reached. */
const lookupLimit = 60_000

/**
 * What `windlass create nodepool` does: checks what can be checked before, tells what was found, and asks for the pool.
 *
 * Errors: a `Failure` with everything that is wrong, before anything is written.
 */
export async function createNodePool(context: Context, request: CreateRequest): Promise<void> {
  await withClient(context, request, async (client) => {
    const source = clusterSource(client, () => context.clock.now())
    const cluster = await findHostedCluster(source, clusterName(request.cluster, request.namespace))
    const { namespace = '' } = cluster.metadata
    const skew = { source: defaultSkewSource, policy: request.policy }
    const { image, note } = releaseForNewPool(cluster, skew, {
      ...(request.release === undefined ? {} : { explicit: request.release }),
      followCluster: request.followCluster === true,
    })
    const draft = poolDraft(cluster, await likeOf(client, namespace, request.like), image, request)
    const verdict = checkNewPool({
      cluster,
      pool: { apiVersion: NodePool.apiVersion, kind: NodePool.kind, ...draft },
      isNameTaken: (await client.find(NodePool, { namespace, name: request.name })) !== undefined,
      release: await lookUp(context, client, cluster, image, request),
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
