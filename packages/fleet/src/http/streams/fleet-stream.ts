import type { FleetChange, FleetView } from '../../contract/index.ts'
import { changeText, fleetText } from '../fleet-text.ts'
import type { Sight } from '../sign-in/sight.ts'
import { seenChange, seenFleet } from '../seen.ts'
import type { EventStream } from './event-stream.ts'
import type { FleetFeed, NumberedChange } from './fleet-feed.ts'

export interface FleetStreamParts {
  readonly view: () => FleetView
  readonly feed: FleetFeed
  readonly sight: Sight
  /** The last change that the reader knows, if any. */
  readonly since: string | undefined
}

/** Sends the fleet, then what changes; to somebody who has been here, only what has changed since. */
export function sendFleet(stream: EventStream, { view, feed, sight, since }: FleetStreamParts): void {
  const send = ({ id, change, text }: NumberedChange): void => {
    const seen = sight.isEverything ? text() : textSeen(change, view, sight)
    if (seen !== undefined) stream.send('change', seen, numberFor(id, sight))
  }
  const known = since === undefined ? undefined : numberIn(since, sight)
  const missed = known === undefined ? undefined : feed.since(known)
  if (missed === undefined) stream.send('fleet', fleetText(seenFleet(view(), sight)), numberFor(feed.id, sight))
  else for (const change of missed) send(change)
  stream.onClose(feed.subscribe(send))
}

/** The number of a change, as somebody is told it: whoever sees something else by now has to start anew. */
export function numberFor(id: string, { key }: Sight): string {
  return key === '' ? id : `${id}.${key}`
}

function numberIn(text: string, { key }: Sight): string | undefined {
  const [epoch = '', number = '', told = ''] = text.split('.')
  return told === key ? `${epoch}.${number}` : undefined
}

function textSeen(change: FleetChange, view: () => FleetView, sight: Sight): string | undefined {
  const seen = seenChange(change, view, sight)
  return seen === undefined ? undefined : changeText(seen)
}
