import type { Context } from '../context.ts'
import { BadNews } from '../failures.ts'
import { paintFor } from './colours.ts'
import { withClient } from './cluster-access.ts'
import { folderSource } from './folder-source.ts'
import { clusterName } from './hosted-clusters.ts'
import type { ClusterFlags } from './options.ts'
import type { OutputFormat } from './output-formats.ts'
import { rendered } from './rendering.ts'
import { clusterSource, type Source } from './source.ts'
import {
  type Details,
  hostedStatus,
  type Layout,
  needsAttention,
  progressBar,
  readStandalone,
  standaloneStatus,
  statusLines,
  type StatusView,
} from './status/index.ts'
import { watch } from './watching.ts'

export interface StatusRequest extends ClusterFlags {
  /** A hosted cluster; without it, the cluster itself. */
  readonly cluster?: string
  readonly namespace?: string
  readonly details: Details
  readonly output: OutputFormat
  readonly watch?: true
  /** Every how many milliseconds a watched view is drawn anew. */
  readonly interval: number
  /** Objects from files instead of a cluster. */
  readonly from?: string
  /** The moment at which those are looked at. */
  readonly at?: number
}

/** What the exit status is when somebody should look. */
const attention = 2

/** What `windlass status` does. */
export async function showStatus(context: Context, request: StatusRequest): Promise<void> {
  const { from } = request
  const last =
    from === undefined
      ? await withClient(context, request, (client) => show(context, request, () => clusterSource(client, () => context.clock.now())))
      : await show(context, request, () => folderSource(from, request.at))
  if (needsAttention(last)) throw new BadNews(attention)
}

/** Gives the view that was shown last. */
function show(context: Context, request: StatusRequest, open: () => Source): Promise<StatusView> {
  return request.watch === true ? watchStatus(context, request, open) : once(context, request, open())
}

async function once({ output }: Context, request: StatusRequest, source: Source): Promise<StatusView> {
  const view = await read(request, source)
  output.print(
    rendered(request.output, view, () => statusLines(view, { details: request.details, now: source.now(), paint: paintFor(output) })),
  )
  return view
}

async function read({ cluster, namespace }: StatusRequest, source: Source): Promise<StatusView> {
  if (cluster === undefined) return standaloneStatus(await readStandalone(source), source.now())
  const { readHosted } = await import('./status/hosted/reading.ts')
  return hostedStatus(await readHosted(source, clusterName(cluster, namespace)), source.now())
}

/** Until Ctrl-C. */
function watchStatus(context: Context, request: StatusRequest, open: () => Source): Promise<StatusView> {
  const look = { paint: paintFor(context.output), ...(context.output.terminal === undefined ? {} : { bar: progressBar }) }
  let source: Source | undefined
  return watch(context, {
    interval: request.interval,
    read: () => read(request, (source = open())),
    lines: (view) => watchedLines(view, request, { now: source?.now() ?? context.clock.now(), ...look }),
  })
}

function watchedLines(view: StatusView, { output, details }: StatusRequest, layout: Omit<Layout, 'details'>): readonly string[] {
  return rendered(output, view, () => statusLines(view, { details, ...layout })).split('\n')
}
