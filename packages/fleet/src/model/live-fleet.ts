import type { KubernetesObject } from '@windlass/api'
import {
  type Cancel,
  type Clock,
  type Duration,
  formatTime,
  type Random,
  type SkewPolicy,
  type SkewSource,
  systemRandom,
} from '@windlass/core'
import { type CacheChange, type Log, orAborted } from '@windlass/kube'
import { classicExposure, exposureView, hostedExposure, parseFixes, usualYardstick, type Yardstick } from '../answers/index.ts'
import type { ClusterId, ClusterRow, ClusterView, EventView, ExposureView, FleetChange, FleetView, MemberView } from '../contract/index.ts'
import { type AnyKind, Member, type MemberSource } from '../members/index.ts'
import { clusterView } from './cluster-view.ts'
import { streamEvents } from './event-stream.ts'
import type { EventsQuestion, Fleet } from './fleet.ts'
import { MemberClusters } from './member-clusters.ts'
import { Notices } from './notices.ts'
import type { ClusterObjects } from './objects.ts'
import { Rows } from './rows.ts'

export interface FleetOptions {
  readonly members: readonly MemberSource[]
  readonly clock: Clock
  readonly log: Log
  /** The system's unless told; simulations give a seeded one. */
  readonly random?: Random
  /** How long an update may take before it has stalled; 60 minutes unless told. */
  readonly threshold?: Duration
  readonly policy?: SkewPolicy
  readonly source?: SkewSource
  /** Makes changing a cached object an error. For tests. */
  readonly freezes?: boolean
}

/**
 * A fleet of some members; it lives while it is run.
 *
 * Errors: throws when two members have one name, or one has a name with a slash.
 */
export function createFleet(options: FleetOptions): Fleet {
  return new LiveFleet(options)
}

/** Rows that are worked out in one go: the event loop has other things to do. */
const most = 256

/**
 * A change marks its cluster. The row of a marked cluster is worked out at the next turn, once, however much has happened to it; or sooner, when somebody asks.
 */
class LiveFleet implements Fleet {
  readonly name = 'fleet'
  readonly needsLeadership = false
  readonly #options: FleetOptions
  readonly #yardstick: Yardstick
  readonly #members: readonly MemberClusters[]
  readonly #rows: Rows
  readonly #notices: Notices
  readonly #marked = new Map<ClusterId, MemberClusters>()
  readonly #waiting = new Set<() => void>()
  #turn: { readonly at: number; readonly cancel: Cancel } | undefined
  #isRunning = false

  constructor(options: FleetOptions) {
    const { threshold = usualYardstick.threshold, policy = usualYardstick.skew.policy, source = usualYardstick.skew.source } = options
    assertNames(options.members)
    this.#options = options
    this.#yardstick = { threshold, skew: { policy, source } }
    this.#rows = new Rows(this.#yardstick)
    this.#notices = new Notices(options, this.#rows.figures)
    this.#members = options.members.map((member) => this.#join(member))
  }

  #join(source: MemberSource): MemberClusters {
    const { clock, log, random = systemRandom, freezes = false } = this.#options
    const member = new Member({
      source,
      clock,
      random,
      freezes,
      log: log.child({ member: source.name }),
      onChange: (of, change) => this.#take(clusters, of, change),
      onFilled: (side) => this.#mark(clusters.all(side), clusters),
      onState: () => {
        this.#notices.membersChanged()
        this.#mark([...clusters.all('Hosted'), ...clusters.all('Classic')], clusters)
      },
    })
    const clusters = new MemberClusters(member)
    return clusters
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#isRunning = true
    this.#plan()
    try {
      await Promise.all(this.#members.map(({ member }) => member.run(signal)))
    } finally {
      this.#isRunning = false
      this.#turn?.cancel()
      this.#turn = undefined
    }
  }

  async ready(signal?: AbortSignal): Promise<void> {
    const isReady = (): boolean => this.#marked.size === 0 && this.#members.every(({ member }) => member.state !== 'Connecting')
    while (!isReady()) await orAborted(new Promise<void>((resolve) => this.#waiting.add(resolve)), signal)
  }

  view(): FleetView {
    this.#settle()
    return { time: this.#time(), members: this.members(), figures: this.#rows.figures, clusters: this.#rows.inOrder() }
  }

  row(id: ClusterId): ClusterRow | undefined {
    this.#settle(id)
    return this.#rows.get(id)
  }

  async cluster(id: ClusterId): Promise<ClusterView | undefined> {
    const row = this.row(id)
    const clusters = this.#rows.ownerOf(id)
    return row === undefined || clusters === undefined ? undefined : clusterView(row, clusters, this.#yardstick, this.#options)
  }

  exposure(fixedIn: readonly string[]): ExposureView {
    const advisory = parseFixes(fixedIn)
    this.#settle()
    const answers = this.#rows.inOrder().flatMap(({ id, isCurrent }) => {
      const clusters = this.#rows.ownerOf(id)
      const hosted = clusters?.hostedWithPools(id)
      if (hosted !== undefined) return [hostedExposure(id, hosted, isCurrent, advisory)]
      const classic = clusters?.classic(id)
      return classic === undefined ? [] : [classicExposure(id, classic, isCurrent, advisory)]
    })
    return exposureView(this.#time(), fixedIn, answers)
  }

  members(): readonly MemberView[] {
    return this.#members.map((clusters) => clusters.member.view(this.#rows.countOf(clusters)))
  }

  subscribe(listener: (change: FleetChange) => void): () => void {
    return this.#notices.subscribe(listener)
  }

  follow(id: ClusterId, listener: () => void): () => void {
    return this.#notices.follow(id, listener)
  }

  labels(id: ClusterId): Readonly<Record<string, string>> {
    const objects = this.evidence(id)
    const object = objects?.kind === 'Hosted' ? objects.hostedCluster : objects?.clusterVersion
    return object?.metadata.labels ?? {}
  }

  evidence(id: ClusterId): ClusterObjects | undefined {
    this.#settle(id)
    return this.#rows.ownerOf(id)?.objects(id)
  }

  events(question: EventsQuestion = {}): AsyncIterable<EventView> {
    return streamEvents(this.#members, question, this.#options)
  }

  #take(clusters: MemberClusters, of: AnyKind, change: CacheChange<KubernetesObject>): void {
    this.#mark(clusters.touchedBy(of, change), clusters)
  }

  #mark(ids: readonly ClusterId[], clusters: MemberClusters): void {
    for (const id of ids) this.#marked.set(id, clusters)
    this.#plan()
  }

  /** Works out what is marked: all of it, or one cluster. */
  #settle(id?: ClusterId): void {
    this.#markDue()
    if (id === undefined) {
      for (const [marked, clusters] of this.#marked) this.#workOut(marked, clusters)
      return
    }
    const clusters = this.#marked.get(id)
    if (clusters !== undefined) this.#workOut(id, clusters)
  }

  #workOut(id: ClusterId, clusters: MemberClusters): void {
    this.#marked.delete(id)
    const outcome = this.#rows.workOut(id, clusters)
    this.#notices.stirred(id)
    if (outcome === 'same') return
    this.#notices.changed(id)
    if (outcome !== 'changed') this.#notices.membersChanged()
  }

  #markDue(): void {
    for (const id of this.#rows.takeDue(this.#options.clock.now())) {
      const clusters = this.#rows.ownerOf(id)
      if (clusters !== undefined) this.#marked.set(id, clusters)
    }
  }

  /** One timer for everything: rows to work out, the next notice, the next row that changes by time alone. */
  #plan(): void {
    if (!this.#isRunning) return
    const { clock } = this.#options
    const now = clock.monotonic()
    const never = Number.POSITIVE_INFINITY
    const { nextDue } = this.#rows
    const soonest = Math.max(
      now,
      Math.min(
        this.#marked.size > 0 ? now : never,
        this.#notices.due ?? never,
        nextDue === undefined ? never : now + (nextDue - clock.now()),
      ),
    )
    if (this.#turn !== undefined && this.#turn.at <= soonest) return
    this.#turn?.cancel()
    this.#turn = soonest === never ? undefined : { at: soonest, cancel: clock.after(soonest - now, () => this.#takeTurn()) }
  }

  #takeTurn(): void {
    this.#turn = undefined
    this.#markDue()
    let left = most
    for (const [id, clusters] of this.#marked) {
      if (left-- === 0) break
      this.#workOut(id, clusters)
    }
    const { due } = this.#notices
    if (due !== undefined && due <= this.#options.clock.monotonic()) {
      this.#notices.give({ figures: this.#rows.figures, members: () => this.members(), row: (id) => this.#rows.get(id) })
    }
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
    this.#plan()
  }

  #time(): string {
    return formatTime(this.#options.clock.now())
  }
}

function assertNames(members: readonly MemberSource[]): void {
  const seen = new Set<string>()
  for (const { name } of members) {
    if (name === '' || name.includes('/'))
      throw new TypeError(`"${name}" cannot be the name of a member: ids of clusters are made with it and a slash`)
    if (seen.has(name)) throw new TypeError(`two members of the fleet are called ${name}: ids of clusters must be unique`)
    seen.add(name)
  }
}
