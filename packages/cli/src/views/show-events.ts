import { formatTime } from '@windlass/core'
import type { EventView } from '@windlass/fleet'
import type { Context } from '../context.ts'
import { listenForStop } from '../stop-signals.ts'
import { type Paint, paintFor } from './colours.ts'
import { eventHeading, eventLine, eventTable } from './events/index.ts'
import { findRow } from './fleet/index.ts'
import { complainOfMembers, type FleetFlags, type OpenFleet, withFleet } from './fleet-access.ts'
import type { WideOutputFormat } from './output-formats.ts'
import { rendered } from './rendering.ts'

export interface EventsRequest extends FleetFlags {
  /** All of them without it. */
  readonly cluster?: string
  readonly namespace?: string
  /** How far back, in milliseconds. */
  readonly since?: number
  readonly follow?: true
  readonly output: WideOutputFormat
}

/** What `windlass events` does. */
export async function showEvents(context: Context, request: EventsRequest): Promise<void> {
  await withFleet(context, request, async (open) => {
    complainOfMembers(context, open.fleet.view())
    const question = {
      ...(request.since === undefined ? {} : { since: formatTime(open.now() - request.since) }),
      ...(request.cluster === undefined ? {} : { cluster: findRow(open.fleet.view(), request.cluster, request.namespace).id }),
    }
    if (request.follow === true) await follow(context, request, open, question)
    else await once(context, request, open, question)
  })
}

type Question = Omit<NonNullable<Parameters<OpenFleet['fleet']['events']>[0]>, 'follow'>

async function once({ output }: Context, request: EventsRequest, { fleet }: OpenFleet, question: Question): Promise<void> {
  const events: EventView[] = []
  for await (const event of fleet.events(question)) events.push(event)
  const lines = (isWide: boolean): readonly string[] =>
    events.length === 0 ? ['Nothing has been told.'] : eventTable(events, { isWide, ...layoutOf(output, fleet) })
  output.print(rendered(request.output, { events }, lines))
}

/** Line by line, until Ctrl-C: for programs an object in each, or a document. */
async function follow(
  { output, clock, process }: Context,
  { output: format }: EventsRequest,
  { fleet }: OpenFleet,
  question: Question,
): Promise<void> {
  const stop = listenForStop(process, clock)
  const stopping = new AbortController()
  void stop.received.then(() => stopping.abort(new Error('Ctrl-C')))
  const isForPeople = format === 'table' || format === 'wide'
  const isWide = format === 'wide'
  if (isForPeople) output.print(eventHeading({ isWide }))
  try {
    for await (const event of fleet.events({ ...question, follow: stopping.signal })) {
      if (isForPeople) output.print(eventLine(event, { isWide, ...layoutOf(output, fleet) }))
      else if (format === 'json') output.print(JSON.stringify(event))
      else output.print(`---\n${rendered('yaml', event, () => [])}`)
    }
  } catch (error) {
    if (!stopping.signal.aborted) throw error
  } finally {
    stop.ignore()
  }
}

function layoutOf(output: Context['output'], fleet: OpenFleet['fleet']): { readonly hasMembers: boolean; readonly paint: Paint } {
  return { hasMembers: fleet.members().length > 1, paint: paintFor(output) }
}
