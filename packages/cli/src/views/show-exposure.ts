import type { ExposureView, FleetView } from '@windlass/fleet'
import type { Context } from '../context.ts'
import { BadNews, ExitStatus, Failure } from '../failures.ts'
import { paintFor } from './colours.ts'
import { exposureLines } from './exposure/index.ts'
import { complainOfMembers, type FleetFlags, isWhole, type OpenFleet, withFleet } from './fleet-access.ts'
import { type FleetWishes, selected } from './fleet/index.ts'
import type { WatchFlags } from './options.ts'
import type { WideOutputFormat } from './output-formats.ts'
import { rendered } from './rendering.ts'
import { show } from './watching.ts'

export interface ExposureRequest extends FleetFlags, WatchFlags, Pick<FleetWishes, 'namespace' | 'selector'> {
  readonly fixedIn: readonly string[]
  readonly summary?: true
  readonly output: WideOutputFormat
}

/** What the exit status is when a cluster is vulnerable. */
const vulnerable = 3

interface Seen {
  readonly exposure: ExposureView
  readonly members: FleetView['members']
}

/**
 * What `windlass exposure` does. Ends with 3 when a cluster is vulnerable; with 1 when none is known to be and not every member could be asked, or not about
 * everything: who is not asked is not safe.
 */
export async function showExposure(context: Context, request: ExposureRequest): Promise<void> {
  const { exposure, members } = await withFleet(context, request, (open) => {
    const read = async (): Promise<Seen> => ({ exposure: exposureIn(open, request), members: open.fleet.members() })
    return show(context, request, { read, text: (seen) => textOf(context, request, seen) })
  })
  complainOfMembers(context, { members })
  if (exposure.counts.Vulnerable > 0) throw new BadNews(vulnerable)
  if (!members.every(isWhole)) throw new BadNews(ExitStatus.failure)
}

function exposureIn({ fleet }: OpenFleet, { fixedIn, namespace, selector }: ExposureRequest): ExposureView {
  const view = exposureOf(fleet, fixedIn)
  if (namespace === undefined && selector === undefined) return view
  const wishes = { ...(namespace === undefined ? {} : { namespace }), ...(selector === undefined ? {} : { selector }) }
  const asked = new Set(selected(fleet.view(), wishes, (id) => fleet.labels(id)).clusters.map(({ id }) => id))
  const clusters = view.clusters.filter(({ id }) => asked.has(id))
  const counts = { Fixed: 0, Pending: 0, Vulnerable: 0, Unknown: 0 }
  for (const { state } of clusters) counts[state]++
  return { ...view, clusters, counts }
}

function exposureOf(fleet: OpenFleet['fleet'], fixedIn: readonly string[]): ExposureView {
  try {
    return fleet.exposure(fixedIn)
  } catch (error) {
    if (error instanceof Error && error.name === 'InvalidFixError') throw new Failure(`--fixed-in: ${error.message}`, { cause: error })
    throw error
  }
}

function textOf({ output }: Context, { output: format, summary }: ExposureRequest, { exposure, members }: Seen): string {
  const layout = { isSummary: summary === true, hasMembers: members.length > 1, paint: paintFor(output) }
  const { clusters: _, ...counts } = exposure
  return rendered(format, summary === true ? counts : exposure, (isWide) => exposureLines(exposure, { ...layout, isWide }))
}
