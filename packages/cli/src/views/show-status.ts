import type { Context } from '../context.ts'
import { BadNews } from '../failures.ts'
import { listenForStop } from '../stop-signals.ts'
import { withClient } from './cluster-access.ts'
import { folderSource } from './folder-source.ts'
import { clusterName } from './hosted-clusters.ts'
import type { ClusterFlags } from './options.ts'
import type { OutputFormat } from './output-formats.ts'
import { rendered } from './rendering.ts'
import { scrollingScreen, terminalScreen } from './screen.ts'
import { clusterSource, type Source } from './source.ts'
import {
  type Details,
  hostedStatus,
  needsAttention,
  progressBar,
  readInsights,
  readLearned,
  standaloneStatus,
  statusLines,
  type StatusView,
} from './status/index.ts'

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
  return request.watch === true ? watch(context, request, open) : once(context, request, open())
}

async function once({ output }: Context, request: StatusRequest, source: Source): Promise<StatusView> {
  const view = await read(request, source)
  output.print(rendered(request.output, view, () => statusLines(view, { details: request.details, now: source.now() })))
  return view
}

async function read({ cluster, namespace }: StatusRequest, source: Source): Promise<StatusView> {
  if (cluster === undefined) {
    const insights = await readInsights(source)
    return standaloneStatus(insights, source.now(), await readLearned(source, insights))
  }
  const { readHosted } = await import('./status/hosted/reading.ts')
  return hostedStatus(await readHosted(source, clusterName(cluster, namespace)), source.now())
}

/** Until Ctrl-C. What cannot be read at first ends it; later on, a server may come back. */
async function watch(context: Context, request: StatusRequest, open: () => Source): Promise<StatusView> {
  const { output, clock, process } = context
  const { terminal } = output
  const write = (text: string): void => output.print(text)
  const screen = terminal === undefined ? scrollingScreen(write) : terminalScreen(write, () => output.terminal ?? terminal)
  const bar = terminal === undefined ? {} : { bar: progressBar }
  const stop = listenForStop(process, clock)
  const stopping = new AbortController()
  void stop.received.then(() => stopping.abort())
  try {
    let view: StatusView | undefined
    for (;;) {
      try {
        const source = open()
        view = await read(request, source)
        screen.draw(watchedLines(view, request, { now: source.now(), ...bar }))
      } catch (error) {
        if (view === undefined) throw error
        screen.draw([`The cluster could not be read: ${error instanceof Error ? error.message : String(error)}`])
      }
      if (await isOver(clock.sleep(request.interval, stopping.signal))) return view
    }
  } finally {
    stop.ignore()
  }
}

/** A sleep that was cut short was the last. */
function isOver(sleep: Promise<void>): Promise<boolean> {
  return sleep.then(
    () => false,
    () => true,
  )
}

function watchedLines(
  view: StatusView,
  { output, details }: StatusRequest,
  layout: { readonly now: number; readonly bar?: (percent: number) => string },
): readonly string[] {
  return rendered(output, view, () => statusLines(view, { details, ...layout })).split('\n')
}
