import type { EventView } from '@windlass/fleet/contract'
import type { JSX } from 'preact'
import { ageOf, momentOf } from '../../src/words/index.ts'
import { now } from '../clock.ts'
import { Empty, Panel } from '../parts/panel.tsx'

/** What happened, newest first. */
export function Events({ events }: { readonly events: readonly EventView[] }): JSX.Element {
  return (
    <Panel title="Events" aside={<span>{events.length === 0 ? '' : `the last ${events.length}`}</span>}>
      {events.length === 0 ? (
        <Empty title="Nothing happened lately" />
      ) : (
        <div class="scroll events" tabindex={0} role="region" aria-label="Events, newest first">
          <ol>
            {events.map((event) => (
              <li
                key={`${event.time}${event.object.kind}${event.object.name}${event.reason}${event.message}`}
                class={event.type === 'Warning' ? 'event warning' : 'event'}
              >
                <time dateTime={event.time} title={momentOf(event.time, { seconds: true })} class="dim nowrap">
                  {ageOf(event.time, now.value)}
                </time>
                <div>
                  <p>
                    <strong class={event.type === 'Warning' ? 'tone-warn' : undefined}>{event.reason}</strong>{' '}
                    <span class="dim">
                      {event.object.kind} {event.object.name}
                      {event.count > 1 ? ` · ${event.count} times` : ''}
                    </span>
                  </p>
                  <p>{event.message}</p>
                </div>
              </li>
            ))}
          </ol>
        </div>
      )}
    </Panel>
  )
}
