import type { KubernetesObject } from '@windlass/api'
import { type Clock, formatTime, type Instant, type Random } from '@windlass/core'
import { type CacheChange, type Client, isForbidden, isUnknownKind, LinkedAbort, type Log } from '@windlass/kube'
import type { MemberView } from '../contract/index.ts'
import { Alarm } from './alarm.ts'
import { Feeds } from './feeds.ts'
import { type AnyKind, type Side, sides, tellingKinds } from './kinds.ts'
import { nameOf, unreachableBecause, unreadableBecause } from './problem.ts'
import type { MemberSource } from './source.ts'

export interface MemberOptions {
  readonly source: MemberSource
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly freezes: boolean
  readonly onChange: (of: AnyKind, change: CacheChange<KubernetesObject>) => void
  /** It is in another state, or says something else about it. */
  readonly onState: () => void
  /** A side has been read for the first time. */
  readonly onFilled: (side: Side) => void
}

type State = MemberView['state']

/** How long after an answer it is looked at what the caches make of it. */
const lookAfter = 20
/** How long something may be wrong before it is said: connections break and are made again all the time. */
const patience = 1000
/** The same while it answers other questions. */
const longPatience = 60_000
/** A side that is not there, or a kind that may not be read, may be another time. */
const probeEvery = 60_000
/** How long an answer to the first question may take. */
const answerWithin = 15_000
const backOff = { first: 1000, longest: 30_000 }

/** A Kubernetes API, from connecting to it until it is left. It never gives up. */
export class Member {
  readonly name: string
  readonly #options: MemberOptions
  readonly #alarm: Alarm
  readonly #filled = new Set<Side>()
  /** Kinds that may not be read. */
  readonly #unreadable = new Set<AnyKind>()
  #feeds: Feeds | undefined
  #state: State = 'Connecting'
  #since: Instant
  #message: string | undefined
  #lastSynced: Instant | undefined
  #troubledSince: number | undefined
  /** What was not known when it was last said. */
  #toldUnread = ''

  constructor(options: MemberOptions) {
    this.#options = options
    this.name = options.source.name
    this.#alarm = new Alarm(options.clock)
    this.#since = options.clock.now()
  }

  /** What is known of it; undefined before it has answered. */
  get feeds(): Feeds | undefined {
    return this.#feeds
  }

  get state(): State {
    return this.#state
  }

  /** Whether all of a side has been read at least once. */
  hasFilled(side: Side): boolean {
    return this.#filled.has(side)
  }

  /** At which moment things were as they are known: now, or when it was last heard of. */
  get asOf(): Instant {
    const now = this.#options.clock.now()
    return this.#state === 'Synced' ? now : (this.#lastSynced ?? now)
  }

  /** Why not all objects of a kind are known; undefined when they are, and for a kind that it does not have: of that there are none. */
  unreadBecause(of: AnyKind): string | undefined {
    if (this.#unreadable.has(of)) return unreadableBecause([of], this.name)
    return this.#feeds?.isFilling(of) === true ? `${nameOf(of)} are still being read` : undefined
  }

  view(clusters: number): MemberView {
    const lastSynced = this.#state === 'Synced' ? this.#options.clock.now() : this.#lastSynced
    const unreadable = [...this.#unreadable]
    const message = this.#message ?? (unreadable.length === 0 ? undefined : unreadableBecause(unreadable, this.name))
    return {
      name: this.name,
      state: this.#state,
      since: formatTime(this.#since),
      ...(message === undefined ? {} : { message }),
      ...(unreadable.some((of) => tellingKinds.has(of)) ? { isPartial: true } : {}),
      ...(lastSynced === undefined ? {} : { lastSynced: formatTime(lastSynced) }),
      clusters,
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, source, log } = this.#options
    let delay: number = backOff.first
    while (!signal.aborted) {
      let client: Client | undefined
      try {
        client = await source.connect()
        const feeds = new Feeds({ ...this.#options, client, onAnswer: () => this.#alarm.ring(lookAfter) })
        await this.#probe(client, feeds, signal)
        this.#feeds = feeds
        await this.#watchOver(client, feeds, signal)
        await feeds.stopped()
      } catch (error) {
        if (!signal.aborted) {
          log.warn({ err: error, member: this.name }, 'the member cannot be reached; will try again')
          this.#become('Unreachable', unreachableBecause(error, this.name))
          await clock.sleep(delay, signal).catch(() => {})
          delay = Math.min(2 * delay, backOff.longest)
        }
      } finally {
        if (source.closes !== false) await client?.close().catch(() => {})
      }
    }
  }

  /** Finds out which kinds it has, and follows those that are not followed yet. Throws when it does not answer; then nothing has begun. */
  async #probe(client: Client, feeds: Feeds, signal: AbortSignal): Promise<void> {
    const found: AnyKind[] = []
    for (const [first, ...others] of Object.values(sides)) {
      if (!feeds.has(first) && !(await this.#isReadable(client, first, signal))) continue
      const missing = [first, ...others].filter((of) => !feeds.has(of))
      const readable = await Promise.all(missing.map(async (of) => of === first || (await this.#isReadable(client, of, signal))))
      found.push(...missing.filter((_, index) => readable[index] === true))
    }
    for (const of of found) feeds.start(of, signal)
  }

  async #isReadable(client: Client, of: AnyKind, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options
    const patient = new LinkedAbort(signal)
    const cancel = clock.after(answerWithin, () => patient.abort(new Error(`it has not answered within ${answerWithin / 1000} s`)))
    try {
      for await (const _ of client.pages(of.kind, { pageSize: 1, signal: patient.signal })) break
      this.#unreadable.delete(of)
      return true
    } catch (error) {
      if (isForbidden(error)) this.#unreadable.add(of)
      else if (isUnknownKind(error)) this.#unreadable.delete(of)
      else throw error
      return false
    } finally {
      cancel()
      patient.release()
    }
  }

  async #watchOver(client: Client, feeds: Feeds, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    const alarm = this.#alarm
    let probed = clock.monotonic()
    while (!signal.aborted) {
      await this.#look(client, feeds, signal)
      this.#tellUnread()
      const isWaiting = this.#troubledSince !== undefined && this.#state !== 'Unreachable'
      alarm.ring(isWaiting ? patience : probed + probeEvery - clock.monotonic())
      await alarm.wait(signal)
      if (signal.aborted || clock.monotonic() - probed < probeEvery) continue
      probed = clock.monotonic()
      // What it did not have, it may have by now. That it does not answer is seen elsewhere.
      if (this.#state !== 'Unreachable') await this.#probe(client, feeds, signal).catch(() => {})
    }
  }

  async #look(client: Client, feeds: Feeds, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    this.#announce(feeds)
    const [problem] = feeds.problems()
    if (problem === undefined) {
      this.#troubledSince = undefined
      if (feeds.areFilled) this.#become('Synced', this.#nothingHere(feeds))
      return
    }
    this.#troubledSince ??= clock.monotonic()
    if (this.#state === 'Unreachable' || (this.#state === 'Synced' && clock.monotonic() - this.#troubledSince < patience)) return
    // What caches say about a failure is for logs: asking once more tells what it is about.
    const message = await this.#diagnose(client, feeds, signal)
    if (signal.aborted || feeds.problems().length === 0) return
    // A server that answers is there: it does not know how to stream, or has forgotten where a watch was, and is about to be listed.
    if (message === undefined && clock.monotonic() - this.#troubledSince < longPatience) return
    this.#become('Unreachable', message ?? `${problem.name}: ${problem.message}`)
  }

  /** Why it cannot be followed; undefined when asking goes well. Kinds that it does not have any more, or does not show any more, are let go. */
  async #diagnose(client: Client, feeds: Feeds, signal: AbortSignal): Promise<string | undefined> {
    try {
      for (const { of } of feeds.problems()) {
        const isReadable = await this.#isReadable(client, of, signal)
        if (isReadable) continue
        if (Object.values(sides).every(([first]) => first !== of)) feeds.drop(of)
        else if (this.#unreadable.has(of)) return unreadableBecause([of], this.name)
        else return `${of.kind.plural}.${of.kind.group} is not served any more: install its definition again`
      }
      return undefined
    } catch (error) {
      return unreachableBecause(error, this.name)
    }
  }

  /** What may not be read, or may be by now, is in no object that changes: whoever makes answers from objects has to be told. */
  #tellUnread(): void {
    if (this.#state === 'Connecting') return
    const unread = Object.values(sides)
      .flat()
      .flatMap((of) => this.unreadBecause(of) ?? [])
      .join()
    if (unread === this.#toldUnread) return
    this.#toldUnread = unread
    this.#options.onState()
  }

  #announce(feeds: Feeds): void {
    for (const side of ['Hosted', 'Classic'] as const) {
      if (this.#filled.has(side) || !feeds.isFilled(side)) continue
      this.#filled.add(side)
      this.#options.onFilled(side)
    }
  }

  #nothingHere(feeds: Feeds): string | undefined {
    if (feeds.has(sides.Hosted[0]) || feeds.has(sides.Classic[0]) || this.#unreadable.size > 0) return undefined
    return (
      'it has neither hosted clusters (hostedclusters.hypershift.openshift.io) nor a ClusterVersion: install the definitions of HyperShift, ' +
      'or leave the context out'
    )
  }

  #become(state: State, message: string | undefined): void {
    const { clock, onState } = this.#options
    if (state === this.#state && message === this.#message) return
    const now = clock.now()
    // It was last in order before it got into trouble, which is a moment ago.
    if (this.#state === 'Synced' && state !== 'Synced')
      this.#lastSynced = now - (clock.monotonic() - (this.#troubledSince ?? clock.monotonic()))
    if (state !== this.#state) this.#since = now
    this.#state = state
    this.#message = message
    onState()
  }
}
