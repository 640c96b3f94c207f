import { type Clock, formatTime } from '@windlass/core'
import type { Log } from '@windlass/kube'
import type { ClusterId, ClusterRow, FleetChange, FleetFigures, MemberView } from '../contract/index.ts'

/** The least time from one notice to the next, in milliseconds. */
const noticeEvery = 50

/** The fleet as it is when a notice goes out. */
export interface Present {
  readonly figures: FleetFigures
  readonly members: () => readonly MemberView[]
  readonly row: (id: ClusterId) => ClusterRow | undefined
}

/** Who wants to hear of changes, and what they have not been told yet. Whatever happens in between, they hear once every 50 ms at most. */
export class Notices {
  readonly #options: { readonly clock: Clock; readonly log: Log }
  readonly #listeners = new Set<(change: FleetChange) => void>()
  readonly #followers = new Map<ClusterId, Set<() => void>>()
  /** Rows that have become others. */
  readonly #changed = new Set<ClusterId>()
  /** Clusters that something has happened to, even if their rows say the same as before. */
  readonly #stirred = new Set<ClusterId>()
  #figures: FleetFigures
  #haveMembersChanged = false
  #last = Number.NEGATIVE_INFINITY

  constructor(options: { readonly clock: Clock; readonly log: Log }, figures: FleetFigures) {
    this.#options = options
    this.#figures = figures
  }

  subscribe(listener: (change: FleetChange) => void): () => void {
    // A listener may come twice, and leave once.
    const own = (change: FleetChange): void => listener(change)
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  follow(id: ClusterId, listener: () => void): () => void {
    const own = (): void => listener()
    const others = this.#followers.get(id) ?? new Set()
    this.#followers.set(id, others.add(own))
    return () => {
      others.delete(own)
      if (others.size === 0 && this.#followers.get(id) === others) this.#followers.delete(id)
    }
  }

  changed(id: ClusterId): void {
    this.#changed.add(id)
  }

  stirred(id: ClusterId): void {
    if (this.#followers.has(id)) this.#stirred.add(id)
  }

  membersChanged(): void {
    this.#haveMembersChanged = true
  }

  /** When the next notice is due, on the monotonic clock; undefined when there is nothing to say. */
  get due(): number | undefined {
    if (this.#changed.size === 0 && this.#stirred.size === 0 && !this.#haveMembersChanged) return undefined
    return this.#last + noticeEvery
  }

  give({ figures, members, row }: Present): void {
    const { clock } = this.#options
    this.#last = clock.monotonic()
    const changed = [...this.#changed].toSorted()
    const stirred = [...this.#stirred]
    const change: FleetChange = {
      time: formatTime(clock.now()),
      clusters: changed.flatMap((id) => row(id) ?? []),
      removed: changed.filter((id) => row(id) === undefined),
      ...(figures === this.#figures ? {} : { figures }),
      ...(this.#haveMembersChanged ? { members: members() } : {}),
    }
    const isNews = changed.length > 0 || this.#haveMembersChanged
    this.#figures = figures
    this.#haveMembersChanged = false
    this.#changed.clear()
    this.#stirred.clear()
    if (isNews) for (const listener of this.#listeners) this.#call(() => listener(change))
    for (const id of stirred) for (const follower of this.#followers.get(id) ?? []) this.#call(follower)
  }

  /** Whoever listens must not be able to stop the fleet. */
  #call(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      this.#options.log.error({ err: error }, 'a listener of the fleet failed: it has missed this change')
    }
  }
}
