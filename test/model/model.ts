import type { Item } from './item.ts'
import type { WatchInbox } from './watch-inbox.ts'

/** One change of one object; `after` is missing when it is gone. */
export interface Change {
  readonly revision: number
  readonly before?: Item
  readonly after?: Item
}

/** Which objects a list or a watch is about. */
export interface Selection {
  readonly namespace?: string
  readonly tier?: string
}

export interface Event {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly item: Item
}

/** A watch that somebody has open, and what it must have shown before anything else. */
export interface Watch {
  readonly selection: Selection
  readonly first: readonly Event[]
  /** It shows everything behind this. */
  readonly from: number
  readonly inbox: WatchInbox
}

/** A list that was begun and has more pages. */
export interface Paging {
  readonly token: string
  /** The moment that all its pages show. */
  readonly revision: number
  /** Where the next page begins: behind this one. */
  readonly last: string
  readonly limit: number
}

export function keyOf({ namespace, name }: Pick<Item, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`
}

/**
 * What the server is supposed to be: the objects that there are, and everything that ever happened to them. It knows nothing of bytes,
 * logs, tails or caches.
 */
export class Model {
  readonly items = new Map<string, Item>()
  readonly changes: Change[] = []
  readonly pagings: Paging[] = []
  readonly watches: Watch[] = []
  /** Where the world began. */
  readonly start: number
  /** What happened up to here is forgotten. */
  compacted = 0

  constructor(start: number) {
    this.start = start
  }

  /** Something was done to an object, and the server says with which revision. */
  commit(key: string, after: Item | undefined, revision: number): void {
    const before = this.items.get(key)
    this.changes.push({ revision, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) })
    if (after === undefined) this.items.delete(key)
    else this.items.set(key, after)
  }

  /** The objects as they were, in the order of lists. */
  at(revision: number, selection: Selection = {}): readonly Item[] {
    const items = new Map<string, Item>()
    for (const { before, after, revision: when } of this.changes) {
      if (when > revision) break
      if (after !== undefined) items.set(keyOf(after), after)
      else if (before !== undefined) items.delete(keyOf(before))
    }
    return [...items.values()].filter((item) => isIn(selection, item)).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  }

  /** What a watch from `revision` must show, once and in this order. */
  events(revision: number, selection: Selection): readonly Event[] {
    return this.changes.filter((change) => change.revision > revision).flatMap((change) => eventsOf(change, selection))
  }

  canReadAt(revision: number): boolean {
    return revision >= this.compacted
  }
}

function isIn({ namespace, tier }: Selection, item: Item): boolean {
  return (namespace === undefined || item.namespace === namespace) && (tier === undefined || item.values.tier === tier)
}

/** Coming into the selection is being added to it, leaving it is being deleted: with the last state that was in it. */
function eventsOf({ before, after, revision }: Change, selection: Selection): readonly Event[] {
  const wasIn = before !== undefined && isIn(selection, before)
  const isNow = after !== undefined && isIn(selection, after)
  if (isNow) return [{ type: wasIn ? 'MODIFIED' : 'ADDED', item: after }]
  return wasIn ? [{ type: 'DELETED', item: { ...before, revision } }] : []
}
