import { signal } from '@preact/signals'
import type { ClusterId, ClusterRow, FleetChange, FleetFigures, FleetView, MemberView } from '@windlass/fleet/contract'
import { now, synchronise } from '../clock.ts'
import { announce } from '../parts/announcer.tsx'
import { news } from '../fleet/news.ts'
import type { Problem } from './request.ts'
import { follow, type Stream } from './stream.ts'

/** The fleet as it is known here. Rows are in a map that is changed in place: ten thousand of them are not copied for one that changed. */
export interface Fleet {
  readonly rows: ReadonlyMap<ClusterId, ClusterRow>
  readonly figures: FleetFigures
  readonly members: readonly MemberView[]
  /** The server's time of what is shown. */
  readonly time: string
}

/** Undefined until the first answer. A new object for each frame in which something changed. */
export const fleet = signal<Fleet | undefined>(undefined)
export const fleetProblem = signal<Problem | undefined>(undefined)

/** When rows changed last, by the clock of the page, for those that changed since it was opened. */
export const changedAt = new Map<ClusterId, number>()

/** What happened to rows, for whoever keeps them in an order. */
type Listener = (before: ClusterRow | undefined, after: ClusterRow | undefined) => void
const listeners = new Set<Listener>()

export function onRowChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let rows = new Map<ClusterId, ClusterRow>()
let draft: Omit<Fleet, 'rows'> | undefined
let isDue = false
/** Of the last change that is known here. */
let lastId = ''

/** Begins to follow the fleet; what is known from before is shown until the answer comes. */
export function followFleet(): Stream {
  fleetProblem.value = undefined
  return follow({
    path: () => (lastId === '' ? '/api/v1/stream' : `/api/v1/stream?since=${encodeURIComponent(lastId)}`),
    events: {
      fleet: (data, id) => {
        lastId = id
        replace(data as FleetView)
      },
      change: (data, id) => {
        lastId = id
        change(data as FleetChange)
      },
    },
    failed: (problem) => (fleetProblem.value = problem),
  })
}

/** For somebody else, who may see something else. */
export function forgetFleet(): void {
  lastId = ''
  rows = new Map()
  draft = undefined
  changedAt.clear()
  fleet.value = undefined
}

function replace({ time, members, figures, clusters }: FleetView): void {
  const before = rows
  rows = new Map(clusters.map((row) => [row.id, row]))
  draft = { time, members, figures }
  if (before.size > 0) {
    for (const row of clusters) tell(before.get(row.id), row)
    for (const [id, row] of before) if (!rows.has(id)) tell(row, undefined)
  }
  fleetProblem.value = undefined
  synchronise(time)
  publish()
}

function change({ time, clusters, removed, figures, members }: FleetChange): void {
  if (draft === undefined) return
  const important = news(rows, draft.members, { clusters, members: members ?? draft.members })
  for (const row of clusters) {
    const before = rows.get(row.id)
    rows.set(row.id, row)
    changedAt.set(row.id, now.value)
    tell(before, row)
  }
  for (const id of removed) {
    const before = rows.get(id)
    rows.delete(id)
    tell(before, undefined)
  }
  draft = { time, figures: figures ?? draft.figures, members: members ?? draft.members }
  synchronise(time)
  for (const sentence of important) announce(sentence)
  schedule()
}

function tell(before: ClusterRow | undefined, after: ClusterRow | undefined): void {
  if (before !== after) for (const listener of listeners) listener(before, after)
}

/** At most once for each frame, however many changes there are. */
function schedule(): void {
  if (isDue) return
  isDue = true
  requestAnimationFrame(publish)
}

function publish(): void {
  isDue = false
  if (draft !== undefined) fleet.value = { ...draft, rows }
}
