import type { Context } from '../context.ts'
import { withClient } from './cluster-access.ts'
import { historyLines, historyOf } from './history/index.ts'
import { clusterName, findHostedCluster } from './hosted-clusters.ts'
import type { ClusterFlags } from './options.ts'
import type { WideOutputFormat } from './output-formats.ts'
import { rendered } from './rendering.ts'
import { clusterSource } from './source.ts'

export interface HistoryRequest extends ClusterFlags {
  readonly namespace?: string
  readonly output: WideOutputFormat
}

/** What `windlass history` does. */
export async function showHistory(context: Context, cluster: string, request: HistoryRequest): Promise<void> {
  const name = clusterName(cluster, request.namespace)
  const found = await withClient(context, request, (client) =>
    findHostedCluster(
      clusterSource(client, () => context.clock.now()),
      name,
    ),
  )
  const now = context.clock.now()
  const view = historyOf(found, now)
  context.output.print(rendered(request.output, view, (isWide) => historyLines(view, now, isWide)))
}
