import type { FleetView } from '@windlass/fleet'
import type { Context } from '../context.ts'
import { BadNews, ExitStatus } from '../failures.ts'
import { paintFor } from './colours.ts'
import { fleetLines, type FleetWishes, selected } from './fleet/index.ts'
import { complainOfMembers, type FleetFlags, type OpenFleet, withFleet } from './fleet-access.ts'
import type { WatchFlags } from './options.ts'
import type { WideOutputFormat } from './output-formats.ts'
import { rendered } from './rendering.ts'
import { show } from './watching.ts'

export interface FleetRequest extends FleetFlags, FleetWishes, WatchFlags {
  readonly output: WideOutputFormat
}

/** What `windlass fleet` does. Ends with status 1 when no member could be reached. */
export async function showFleet(context: Context, request: FleetRequest): Promise<void> {
  const view = await withFleet(context, request, (open) => {
    const read = async (): Promise<FleetView> => selected(open.fleet.view(), request, (id) => open.fleet.labels(id))
    return show(context, request, { read, text: (view) => textOf(context, request, view, open) })
  })
  const lost = complainOfMembers(context, view)
  if (lost === view.members.length) throw new BadNews(ExitStatus.failure)
}

function textOf({ output }: Context, request: FleetRequest, view: FleetView, { now }: OpenFleet): string {
  return rendered(request.output, view, (isWide) => fleetLines(view, { now: now(), isWide, paint: paintFor(output) }))
}
