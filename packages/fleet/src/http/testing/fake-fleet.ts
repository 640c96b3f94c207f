import type { ClusterId, ClusterRow, ClusterView, FleetChange } from '../../contract/index.ts'
import type { Fleet } from '../../model/fleet.ts'
import { aFleet, noon } from '../../fixtures/index.ts'

export interface FakeFleet extends Fleet {
  /** Another row in the place of that with the same id, and everybody is told. */
  put(row: ClusterRow): void
  remove(id: ClusterId): void
  /** Nothing is known of it yet. */
  isConnecting: boolean
  readonly followers: () => number
}

/** A fleet that is what a test says. */
export function fakeFleet(rows: readonly ClusterRow[]): FakeFleet {
  let known = new Map(rows.map((row) => [row.id, row]))
  const listeners = new Set<(change: FleetChange) => void>()
  const followers = new Map<() => void, ClusterId>()
  const view = () => aFleet([...known.values()])
  const tell = (id: ClusterId, change: Pick<FleetChange, 'clusters' | 'removed'>): void => {
    for (const listener of listeners) listener({ time: noon, ...change, figures: view().figures })
    for (const [listener, followed] of followers) if (followed === id) listener()
  }
  const fleet: FakeFleet = {
    name: 'fleet',
    needsLeadership: false,
    isConnecting: false,
    followers: () => followers.size + listeners.size,
    put(row) {
      known = new Map([...known, [row.id, row]])
      tell(row.id, { clusters: [row], removed: [] })
    },
    remove(id) {
      known = new Map([...known].filter(([each]) => each !== id))
      tell(id, { clusters: [], removed: [id] })
    },
    run: () => Promise.resolve(),
    ready: () => Promise.resolve(),
    view,
    members: () => view().members.map((member) => (fleet.isConnecting ? ({ ...member, state: 'Connecting' } as const) : member)),
    row: (id) => known.get(id),
    cluster: (id) => Promise.resolve(viewOf(known.get(id))),
    exposure(fixedIn) {
      if (fixedIn.includes('nonsense')) throw Object.assign(new Error('"nonsense" is no version'), { name: 'InvalidFixError' })
      const side = { state: 'Vulnerable', evidence: '4.20.1 runs', versions: ['4.20.1'] } as const
      const clusters = [...known.keys()].map(
        (id) => ({ id, state: 'Vulnerable', controlPlane: side, dataPlane: side, isCurrent: true }) as const,
      )
      return { time: noon, fixedIn, counts: { Fixed: 0, Pending: 0, Vulnerable: clusters.length, Unknown: 0 }, clusters }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    follow(id, listener) {
      followers.set(listener, id)
      return () => void followers.delete(listener)
    },
    labels: () => ({}),
    evidence: () => undefined,
    async *events() {},
  }
  return fleet
}

function viewOf(row: ClusterRow | undefined): ClusterView | undefined {
  if (row === undefined) return undefined
  const nothing = {
    labels: {},
    controlPlaneHistory: [],
    dataPlaneHistory: [],
    components: [],
    pools: [],
    conditions: [],
    insights: [],
    events: [],
  }
  return { time: noon, row, ...nothing }
}
