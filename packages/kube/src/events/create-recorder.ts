import type { Event } from '@windlass/api'
import { type Clock, Delays, type Random } from '@windlass/core'
import type { Draft } from '../client/client.ts'
import type { Log } from '../log.ts'
import type { Runnable } from '../manager/runnable.ts'
import { untilAborted } from '../manager/until-aborted.ts'
import { microTime } from '../micro-time.ts'
import { Recent } from '../plan/recent.ts'
import { LinkedAbort } from '../transport/abort.ts'
import { cut, cutNote, eventName, identityOf, longestWord, namespaceFor, referenceTo } from './describe.ts'
import { ObjectLimits } from './object-limits.ts'
import { type EventClient, Outbox } from './outbox.ts'
import type { EventRecorder, Occurrence } from './recorder.ts'
import { Series } from './series.ts'

export interface EventRecorderOptions {
  readonly client: EventClient
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Who reports, as a qualified name: `windlass.dev/control-plane-version`. */
  readonly controller: string
  /** Which process of it: the host's name, or that of the pod. */
  readonly instance: string
  /** How long events may take that are left when it is stopped, in milliseconds; 5,000 unless told. */
  readonly farewell?: number
}

/** How many events there were since the start. */
export interface EventCounts {
  readonly sent: number
  /** Too many about one object, or too many at once for the server. */
  readonly dropped: number
  /** Refused by the server, or not answered again and again. */
  readonly failed: number
}

/** An event recorder and what sends its events. They wait until it runs. */
export interface BackgroundRecorder extends EventRecorder, Runnable {
  readonly counts: EventCounts
  /** Reports under another controller's name. */
  as(controller: string): EventRecorder
  /** Resolves when everything that was recorded is sent or given up, repetitions included. Only while it runs. */
  flush(): Promise<void>
}

/** What happens again later than this is a new event. */
const seriesWindow = 360_000
const rememberedSeries = 4096
const betweenComplaints = 60_000

/**
 * Records events in the background (events.k8s.io/v1).
 *
 * What happens again to the same object, for the same reason and in the same words, is one event with a count. The server is told of the
 * first at once, of repetitions now and then.
 */
export function createEventRecorder(options: EventRecorderOptions): BackgroundRecorder {
  return new Recorder(options)
}

class Recorder implements BackgroundRecorder {
  readonly name = 'events'
  readonly needsLeadership = false
  readonly #options: EventRecorderOptions
  readonly #series = new Recent<Series>(rememberedSeries)
  readonly #limits = new ObjectLimits()
  readonly #outbox: Outbox
  /** Known to the server, with repetitions that it will hear of later. */
  readonly #repeated: Delays<Series>
  #sent = 0
  #dropped = 0
  #failed = 0
  #complainedAt = Number.NEGATIVE_INFINITY
  #isOver = false

  constructor(options: EventRecorderOptions) {
    this.#options = options
    this.#outbox = new Outbox({ ...options, onSent: (series, isDelivered) => this.#settle(series, isDelivered) })
    this.#repeated = new Delays(options.clock, (series) => this.#outbox.add(series))
  }

  get counts(): EventCounts {
    return { sent: this.#sent, dropped: this.#dropped, failed: this.#failed }
  }

  record(occurrence: Occurrence): void {
    this.#record(occurrence, this.#options.controller)
  }

  as(controller: string): EventRecorder {
    return { record: (occurrence) => this.#record(occurrence, controller) }
  }

  /** Sends until the signal is aborted, then what is left, for a while. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, farewell = 5000 } = this.#options
    const sending = new LinkedAbort()
    this.#outbox.open(sending.signal)
    await untilAborted(signal)
    const enough = new LinkedAbort()
    await Promise.race([this.flush(), clock.sleep(farewell, enough.signal).catch(() => {})])
    enough.abort(new Error('everything is sent'))
    sending.abort(new Error('there is no time left to send events'))
    this.#isOver = true
    this.#repeated.close()
  }

  async flush(): Promise<void> {
    do {
      for (const series of this.#repeated.entries().slice()) {
        this.#repeated.remove(series)
        this.#outbox.add(series)
      }
      await this.#outbox.idle()
    } while (this.#repeated.size > 0)
  }

  #record(occurrence: Occurrence, controller: string): void {
    if (this.#isOver) return
    const { clock, random } = this.#options
    const { regarding, related, type, reason } = occurrence
    const action = occurrence.action ?? controller
    const note = cutNote(occurrence.note)
    const object = identityOf(regarding)
    const key = [object, related === undefined ? '' : identityOf(related), controller, type, reason, action, note].join('\n')
    const [now, monotonic] = [clock.now(), clock.monotonic()]
    const known = this.#series.get(key)
    if (known !== undefined && monotonic - known.lastSeen < seriesWindow) {
      known.again(now, monotonic)
      this.#repeat(known)
      return
    }
    if (this.#outbox.isFull || !this.#limits.take(object, monotonic)) {
      this.#drop(occurrence)
      return
    }
    const event: Draft<Event> = {
      metadata: { namespace: namespaceFor(regarding), name: eventName(regarding, random) },
      eventTime: microTime(now),
      reportingController: controller,
      reportingInstance: cut(this.#options.instance, longestWord),
      action: cut(action, longestWord),
      reason: cut(reason, longestWord),
      regarding: referenceTo(regarding),
      ...(related === undefined ? {} : { related: referenceTo(related) }),
      note,
      type,
    }
    const series = new Series(key, event, now, monotonic)
    this.#series.set(key, series)
    this.#outbox.add(series)
  }

  /** One that is on its way is looked at again when it has arrived. */
  #repeat(series: Series): void {
    if (!this.#outbox.has(series) && series.place < 0) this.#repeated.add(series)
  }

  #settle(series: Series, isDelivered: boolean): void {
    if (isDelivered) {
      this.#sent++
      if (series.hasNews) this.#repeat(series)
      return
    }
    this.#failed++
    // Repetitions of what the server never heard of would be lost: the next one is a new event.
    if (!series.isKnown) this.#series.delete(series.key)
  }

  #drop({ regarding: { kind, metadata }, reason }: Occurrence): void {
    const now = this.#options.clock.monotonic()
    this.#dropped++
    if (now - this.#complainedAt < betweenComplaints) return
    this.#complainedAt = now
    const why = this.#outbox.isFull ? 'the server does not take them fast enough' : 'there are too many about this object'
    this.#options.log.warn(
      { kind, namespace: metadata.namespace, name: metadata.name, reason, dropped: this.#dropped },
      `drops events: ${why}`,
    )
  }
}
