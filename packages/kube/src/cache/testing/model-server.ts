import { seededRandom } from '@windlass/core'
import type { WatchEvent } from '../../client/client.ts'
import { aWidget, type Widget } from './widgets.ts'

/** One thing that happened, before and after. */
interface Happening {
  readonly revision: number
  readonly before: Widget | undefined
  readonly after: Widget | undefined
}

/** Says which objects a client wants to see. */
export type Selects = (object: Widget) => boolean

/** The part of an API server that caches depend on, in a few lines: revisions, states, and what a watch says about each change. */
export class ModelServer {
  readonly #history: Happening[] = []
  #state: ReadonlyMap<string, Widget> = new Map()
  #revision = 10
  #lives = 0

  get revision(): number {
    return this.#revision
  }

  get(name: string): Widget | undefined {
    return this.#state.get(name)
  }

  /** Creates it, or changes it if it is there. */
  write(name: string, color: string): Widget {
    const before = this.#state.get(name)
    const uid = before?.metadata.uid ?? seededRandom(`life ${this.#lives++}`).uuid()
    const object = aWidget(name, this.#revision + 1, { color }, { uid })
    this.#happen(name, before, object)
    return object
  }

  /** False when there was nothing to delete. */
  delete(name: string): boolean {
    const before = this.#state.get(name)
    if (before === undefined) return false
    this.#happen(name, before, undefined)
    return true
  }

  /** The present state of what is selected. */
  list(selects: Selects): readonly Widget[] {
    return [...this.#state.values()].filter(selects)
  }

  /** What a watch from a revision brings. */
  events(after: number, selects: Selects): readonly WatchEvent<Widget>[] {
    return this.#history.flatMap((happening): readonly WatchEvent<Widget>[] => {
      const { revision, before, after: object } = happening
      if (revision <= after) return []
      const wasIn = before !== undefined && selects(before)
      if (object !== undefined && selects(object)) return [{ type: wasIn ? 'MODIFIED' : 'ADDED', object }]
      if (!wasIn) return []
      return [{ type: 'DELETED', object: { ...before, metadata: { ...before.metadata, resourceVersion: String(revision) } } }]
    })
  }

  #happen(name: string, before: Widget | undefined, after: Widget | undefined): void {
    this.#revision++
    const state = new Map(this.#state)
    if (after === undefined) state.delete(name)
    else state.set(name, after)
    this.#state = state
    this.#history.push({ revision: this.#revision, before, after })
  }
}
