import { type Event, Event as Events } from '@windlass/api'
import { type Clock, parseTime } from '@windlass/core'
import { type Client, LinkedAbort, type Log } from '@windlass/kube'
import { eventView, oldestFirst } from '../answers/events.ts'
import type { EventView } from '../contract/index.ts'
import type { EventsQuestion } from './fleet.ts'
import { Inbox } from './inbox.ts'
import type { MemberClusters } from './member-clusters.ts'

interface StreamOptions {
  readonly clock: Clock
  readonly log: Log
}

/** How long a member is left alone that cannot be asked. */
const pause = 2000

/**
 * Events of all members: what is known, oldest first, and from then on what happens, as it comes.
 *
 * Nothing of it is kept by the fleet: events are many, and hardly anybody asks. A member that cannot be asked is asked again while the stream is followed, and left out
 * otherwise.
 */
export async function* streamEvents(
  members: readonly MemberClusters[],
  question: EventsQuestion,
  options: StreamOptions,
): AsyncGenerator<EventView, void, undefined> {
  const life = new LinkedAbort(question.follow)
  const reporters = members.map((clusters) => new Reporter(clusters, question, options))
  try {
    const known = await Promise.all(reporters.map((reporter) => reporter.list(life.signal)))
    yield* known.flat().toSorted(oldestFirst)
    if (question.follow === undefined) return
    const inbox = new Inbox<EventView>()
    for (const reporter of reporters) void reporter.follow((event) => inbox.put(event), life.signal)
    yield* inbox.read(life.signal)
  } finally {
    life.abort(new Error('nobody reads the events any more'))
  }
}

/** The events of one member. */
class Reporter {
  readonly #clusters: MemberClusters
  readonly #question: EventsQuestion
  readonly #options: StreamOptions
  /** States of events that were told of. Replaced at every list, so that it forgets what the server has forgotten. */
  #told = new Map<string, string>()
  #version: string | undefined

  constructor(clusters: MemberClusters, question: EventsQuestion, options: StreamOptions) {
    this.#clusters = clusters
    this.#question = question
    this.#options = options
  }

  /** What is new since the last list; nothing when it cannot be asked. */
  async list(signal: AbortSignal): Promise<readonly EventView[]> {
    const client = this.#client
    if (client === undefined) return []
    const told = new Map<string, string>()
    const found: EventView[] = []
    try {
      for await (const { items, resourceVersion } of client.pages(Events, { signal })) {
        for (const event of items) {
          found.push(...this.#news(event))
          told.set(event.metadata.uid ?? '', event.metadata.resourceVersion ?? '')
        }
        this.#version = resourceVersion
      }
    } catch (error) {
      this.#version = undefined
      this.#complain(error, signal)
      return found
    }
    this.#told = told
    return found.toSorted(oldestFirst)
  }

  /** Tells of what happens until the signal is aborted. Never rejects. */
  async follow(tell: (event: EventView) => void, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    while (!signal.aborted) {
      if (this.#version === undefined) for (const event of await this.list(signal)) tell(event)
      if (this.#version !== undefined) await this.#watch(this.#version, tell, signal)
      this.#version = undefined
      await clock.sleep(pause, signal).catch(() => {})
    }
  }

  async #watch(resourceVersion: string, tell: (event: EventView) => void, signal: AbortSignal): Promise<void> {
    const client = this.#client
    if (client === undefined) return
    try {
      const watch = await client.watch(Events, { resourceVersion, omitsManagedFields: true, signal })
      for await (const changes of watch) {
        for (const { type, object } of changes) {
          if (type === 'BOOKMARK') continue
          if (type === 'DELETED') this.#told.delete(object.metadata.uid ?? '')
          else for (const event of this.#news(object)) tell(event)
        }
      }
    } catch (error) {
      this.#complain(error, signal)
    }
  }

  get #client(): Client | undefined {
    const { member } = this.#clusters
    return member.state === 'Unreachable' ? undefined : member.feeds?.client
  }

  /** The event, if it is about a cluster that is asked about and was not told before. */
  #news(event: Event): readonly EventView[] {
    const { uid = '', resourceVersion = '' } = event.metadata
    if (this.#told.get(uid) === resourceVersion) return []
    this.#told.set(uid, resourceVersion)
    const place = this.#clusters.placeOf(event.regarding)
    if (place === undefined || (this.#question.cluster !== undefined && place.id !== this.#question.cluster)) return []
    const view = eventView(event, place.id, place.side)
    const since = parseTime(this.#question.since)
    return since !== undefined && (parseTime(view.time) ?? 0) < since ? [] : [view]
  }

  #complain(error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) this.#options.log.warn({ err: error, member: this.#clusters.member.name }, 'cannot read its events for now')
  }
}
