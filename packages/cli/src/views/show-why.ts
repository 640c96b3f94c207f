import { systemRandom } from '@windlass/core'
import { explain, type WhyView } from '@windlass/fleet'
import { connector } from '@windlass/kube'
import type { Context } from '../context.ts'
import { Failure } from '../failures.ts'
import { version } from '../version.ts'
import { paintFor } from './colours.ts'
import { findRow, nameOf } from './fleet/index.ts'
import { complainOfMembers, type FleetFlags, type OpenFleet, withFleet } from './fleet-access.ts'
import type { WatchFlags } from './options.ts'
import type { WideOutputFormat } from './output-formats.ts'
import { rendered } from './rendering.ts'
import { show } from './watching.ts'
import { whyLines } from './why/index.ts'

export interface WhyRequest extends FleetFlags, WatchFlags {
  readonly cluster: string
  readonly namespace?: string
  readonly output: WideOutputFormat
}

interface Seen {
  readonly why: WhyView
  readonly name: string
}

/** What `windlass why` does. */
export async function showWhy(context: Context, request: WhyRequest): Promise<void> {
  await withFleet(context, request, async (open) => {
    complainOfMembers(context, open.fleet.view())
    await show(context, request, {
      read: () => whyIn(context, open, request),
      text: ({ why, name }) =>
        rendered(request.output, why, (isWide) => whyLines(why, { now: open.now(), name, isWide, paint: paintFor(context.output) })),
    })
  })
}

async function whyIn({ clock }: Context, { fleet, now }: OpenFleet, { cluster, namespace, stalledAfter }: WhyRequest): Promise<Seen> {
  const row = findRow(fleet.view(), cluster, namespace)
  const evidence = fleet.evidence(row.id)
  if (evidence === undefined) throw new Failure(`there is no cluster ${row.id} any more`)
  const connect = connector({ clock, random: systemRandom, userAgent: `windlass/${version}`, fieldManager: 'windlass' })
  const still = { ...pick(clock), now }
  const threshold = stalledAfter === undefined ? {} : { threshold: stalledAfter }
  return { why: await explain(evidence, { clock: still, connect, ...threshold }), name: nameOf(row) }
}

/** The rest of a clock whose time is that of the files. */
function pick(clock: Context['clock']): Omit<Context['clock'], 'now'> {
  return {
    monotonic: () => clock.monotonic(),
    after: (milliseconds, fire) => clock.after(milliseconds, fire),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
  }
}
