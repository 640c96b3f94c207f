import { equalJson } from '@windlass/kube'
import { Figures, type Yardstick } from '../answers/index.ts'
import type { ClusterId, ClusterRow, FleetFigures } from '../contract/index.ts'
import { DueTimes } from './due-times.ts'
import type { MemberClusters } from './member-clusters.ts'

interface Entry {
  readonly row: ClusterRow
  readonly clusters: MemberClusters
}

/** What became of a row: `same` says what it said before. */
export type Outcome = 'same' | 'changed' | 'added' | 'removed'

/** All rows, what is counted about them, and when which of them changes by time alone. */
export class Rows {
  readonly #yardstick: Yardstick
  readonly #entries = new Map<ClusterId, Entry>()
  readonly #figures = new Figures()
  readonly #dueTimes = new DueTimes()
  readonly #counts = new Map<MemberClusters, number>()
  #sorted: readonly ClusterId[] | undefined

  constructor(yardstick: Yardstick) {
    this.#yardstick = yardstick
  }

  get figures(): FleetFigures {
    return this.#figures.value
  }

  /** When the next row changes by time alone. */
  get nextDue(): number | undefined {
    return this.#dueTimes.next
  }

  get(id: ClusterId): ClusterRow | undefined {
    return this.#entries.get(id)?.row
  }

  ownerOf(id: ClusterId): MemberClusters | undefined {
    return this.#entries.get(id)?.clusters
  }

  countOf(clusters: MemberClusters): number {
    return this.#counts.get(clusters) ?? 0
  }

  /** By id. */
  inOrder(): readonly ClusterRow[] {
    this.#sorted ??= [...this.#entries.keys()].toSorted()
    return this.#sorted.flatMap((id) => this.#entries.get(id)?.row ?? [])
  }

  /** Takes out rows that are due by now. */
  takeDue(now: number): readonly ClusterId[] {
    return this.#dueTimes.take(now)
  }

  /** Works out the row of a cluster anew. */
  workOut(id: ClusterId, clusters: MemberClusters): Outcome {
    const old = this.#entries.get(id)
    const next = clusters.row(id, this.#yardstick)
    // While its member cannot be reached, nothing changes: it is shown as it was last known.
    this.#dueTimes.set(id, clusters.member.state === 'Synced' ? next?.changesAt : undefined)
    if (next === undefined) {
      if (old === undefined) return 'same'
      this.#entries.delete(id)
    } else {
      if (old !== undefined && equalJson(old.row, next.row)) return 'same'
      this.#entries.set(id, { row: next.row, clusters })
    }
    this.#figures.replace(old?.row, next?.row)
    if (old !== undefined && next !== undefined) return 'changed'
    this.#sorted = undefined
    this.#counts.set(clusters, this.countOf(clusters) + (next === undefined ? -1 : 1))
    return next === undefined ? 'removed' : 'added'
  }
}
