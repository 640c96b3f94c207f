import { type Change, resourcePrefix } from '@windlass/apiserver'
import type { KubernetesObject, Resource } from '@windlass/api'
import { type StateReader, StoredState } from '../../packages/kube/src/simulation/record/index.ts'
import { client } from '../support/client.ts'
import { openWatch, type OpenWatch, type WatchEvent } from '../support/watch.ts'
import type { Credentials } from '../support/windlass.ts'

/** The cluster that is always there. */
const root = 'root'
const types = { ADDED: 'created', MODIFIED: 'modified', DELETED: 'deleted' } as const

/** Sees everything that is written to objects of some kinds, from the moment it was started. */
export class Recorder {
  readonly #changes: Change[] = []
  readonly #state = new StoredState()
  readonly #watches: OpenWatch[] = []
  readonly #waiting = new Set<() => void>()
  #problem: Error | undefined
  #isOver = false

  static async start(server: Credentials, kinds: readonly Resource[]): Promise<Recorder> {
    const recorder = new Recorder()
    const api = client(server)
    try {
      for (const kind of kinds) await recorder.#follow(server, api, kind)
    } finally {
      api.close()
    }
    return recorder
  }

  /** What was last heard of. Kinds are heard of independently: one may be behind another by an instant. */
  get state(): StateReader {
    return this.#state
  }

  /** How many changes were seen so far. */
  get size(): number {
    return this.#changes.length
  }

  /** Everything so far in the order in which it was written: revisions count for all kinds. */
  changes(): readonly Change[] {
    return this.#changes.toSorted((a, b) => a.revision - b.revision)
  }

  /** Resolves when something holds of the state; rejects when it takes too long, with what people want to see then. */
  async until(what: string, holds: () => boolean, explain: () => string = () => '', milliseconds = 120_000): Promise<void> {
    const deadline = performance.now() + milliseconds
    while (!holds()) {
      if (this.#problem !== undefined) throw this.#problem
      const left = deadline - performance.now()
      if (left <= 0) throw new Error(`waited ${milliseconds} ms in vain for ${what}\n${explain()}`)
      await this.#next(left)
    }
  }

  /**
   * Asserts something about everything that was written. Kinds are heard of independently, so that what was written before something that was heard of may
   * be heard of after it: an assertion that does not hold yet is tried again with whatever comes, for a while.
   */
  async assert(assertion: (changes: readonly Change[]) => void, milliseconds = 10_000): Promise<void> {
    const deadline = performance.now() + milliseconds
    for (;;) {
      try {
        return assertion(this.changes())
      } catch (error) {
        const left = deadline - performance.now()
        if (left <= 0) throw error
        await this.#next(left)
      }
    }
  }

  /** Also sees what is written to objects of a kind in a logical cluster, from now on. */
  async follow(server: Credentials, kind: Resource, cluster: string): Promise<void> {
    const api = client(server)
    try {
      await this.#follow(server, api, kind, cluster)
    } finally {
      api.close()
    }
  }

  close(): void {
    this.#isOver = true
    for (const watch of this.#watches) watch.close()
  }

  async #follow(server: Credentials, api: ReturnType<typeof client>, kind: Resource, cluster = root): Promise<void> {
    const place = cluster === root ? '' : `/clusters/${cluster}`
    const path = `${place}${kind.group === '' ? '/api' : `/apis/${kind.group}`}/${kind.version}/${kind.plural}`
    const { items, metadata } = (await api.get(path)) as unknown as {
      readonly items: readonly KubernetesObject[]
      readonly metadata: { readonly resourceVersion: string }
    }
    // Lists leave out what all their items have in common.
    for (const item of items) this.#take(kind, cluster, 'ADDED', { ...item, apiVersion: kind.apiVersion, kind: kind.kind })
    const query = `?watch=true&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=3600`
    const watch = await openWatch(server, `${path}${query}`, (event) => this.#hear(kind, cluster, event))
    void this.#notice(kind, watch)
    this.#watches.push(watch)
  }

  /** Without it the record would have a gap. */
  async #notice({ plural }: Resource, watch: OpenWatch): Promise<void> {
    await watch.ended
    if (this.#isOver) return
    this.#problem = new Error(`the watch of ${plural} has ended`)
    this.#wake()
  }

  #hear(kind: Resource, cluster: string, { type, object }: WatchEvent): void {
    if (type === 'BOOKMARK') return
    if (type === 'ERROR') this.#problem = new Error(`the watch of ${kind.plural} failed: ${JSON.stringify(object)}`)
    else this.#take(kind, cluster, type, object as unknown as KubernetesObject)
    this.#wake()
  }

  #take({ group, plural: resource }: Resource, cluster: string, type: keyof typeof types, object: KubernetesObject): void {
    const { namespace = '', name = '', resourceVersion = '' } = object.metadata
    const key = `${resourcePrefix(cluster, group, resource)}${namespace || '~'}/${name}`
    const change: Change = { revision: Number(resourceVersion), key, type: types[type], bytes: Buffer.from(JSON.stringify(object)) }
    this.#changes.push(change)
    this.#state.apply(change)
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }

  #next(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      this.#waiting.add(wake)
    })
  }
}
