import { HostedCluster, NodePool } from '@windlass/api'
import { defaultSkewSource, parseVersion, type SkewPolicy } from '@windlass/core'
import type { Context } from '../context.ts'
import { BadNews, ExitStatus, Failure } from '../failures.ts'
import { withClient } from './cluster-access.ts'
import { clusterName, findHostedCluster } from './hosted-clusters.ts'
import type { ClusterFlags } from './options.ts'
import type { OutputFormat } from './output-formats.ts'
import { rendered } from './rendering.ts'
import { isBadSkew, skewLines, type SkewQuestion, skewOf } from './skew/index.ts'
import { clusterSource, type Source } from './source.ts'

export interface SkewRequest extends ClusterFlags {
  /** All of them without a name. */
  readonly cluster?: string
  readonly namespace?: string
  readonly to?: string
  readonly policy: SkewPolicy
  readonly output: OutputFormat
}

/** What `windlass skew` does. Ends with bad news when nodes are where they may not be, or cannot get to where they should. */
export async function showSkew(context: Context, request: SkewRequest): Promise<void> {
  const { cluster, to, policy, output } = request
  const question: SkewQuestion = { policy, source: defaultSkewSource, ...(to === undefined ? {} : { target: versionOf(to) }) }
  const views = await withClient(context, request, async (client) => {
    const source = clusterSource(client, () => context.clock.now())
    const clusters =
      cluster === undefined
        ? await allIn(source, request.namespace)
        : [await findHostedCluster(source, clusterName(cluster, request.namespace))]
    const pools = await source.list(NodePool, placeOf(cluster === undefined ? request.namespace : clusters[0]?.metadata.namespace))
    return clusters.map((each) => skewOf(each, pools.filter(isOf(each)), question))
  })
  const [only] = views
  const value = cluster === undefined || only === undefined ? { clusters: views } : only
  context.output.print(rendered(output, value, () => views.flatMap((view, index) => [...(index === 0 ? [] : ['']), ...skewLines(view)])))
  if (views.some(isBadSkew)) throw new BadNews(ExitStatus.usage)
}

function versionOf(text: string) {
  try {
    return parseVersion(text)
  } catch {
    throw new Failure(`"${text}" is no version: write it as in 4.20.8`)
  }
}

async function allIn(source: Source, namespace: string | undefined): Promise<readonly HostedCluster[]> {
  const found = await source.list(HostedCluster, placeOf(namespace))
  if (found.length > 0) return found
  const place = namespace === undefined ? '' : ` in the namespace ${namespace}`
  throw new Failure(`there are no hosted clusters${place}: choose another cluster with --kubeconfig or --context`)
}

function placeOf(namespace: string | undefined): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace }
}

function isOf({ metadata }: HostedCluster): (pool: NodePool) => boolean {
  return (pool) => pool.metadata.namespace === metadata.namespace && pool.spec.clusterName === metadata.name
}
