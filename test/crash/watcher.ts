import assert from 'node:assert/strict'
import { openWatch, type OpenWatch, type WatchEvent } from '../support/watch.ts'
import type { Credentials } from '../support/windlass.ts'
import type { Change } from './ledger.ts'
import { collection } from './writer.ts'

/** Watches through all crashes, each time from the last revision it saw, and keeps everything it was told. */
export class Watcher {
  readonly #seen = new Map<string, Change[]>()
  readonly #waiting: { readonly revision: number; readonly resolve: () => void }[] = []
  #last: number
  #open: OpenWatch | undefined
  #failure: Error | undefined

  constructor(revision: number) {
    this.#last = revision
  }

  get last(): number {
    return this.#last
  }

  seen(name: string): readonly Change[] {
    return this.#seen.get(name) ?? []
  }

  names(): readonly string[] {
    return [...this.#seen.keys()]
  }

  async resume(server: Credentials): Promise<void> {
    this.#open = await openWatch(server, `${collection}?watch=true&resourceVersion=${this.#last}`, (event) => this.#note(event))
  }

  /** Resolves when the watch has shown `revision`; rejects when it ends before that. */
  async reach(revision: number): Promise<void> {
    const reached = new Promise<void>((resolve) => {
      if (this.#last >= revision) resolve()
      else this.#waiting.push({ revision, resolve })
    })
    const over = this.#open?.ended.then(() => {
      throw this.#failure ?? new Error(`the watch ended at revision ${this.#last}, before ${revision}`)
    })
    await Promise.race([reached, ...(over === undefined ? [] : [over])])
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Resolves when the killed server's stream is read to its end. */
  async ended(): Promise<void> {
    await this.#open?.ended
    if (this.#failure !== undefined) throw this.#failure
  }

  close(): void {
    this.#open?.close()
  }

  #note({ type, object }: WatchEvent): void {
    try {
      assert.ok(type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED', `${type}: ${JSON.stringify(object)}`)
      const { metadata, data } = object as { metadata: { name: string; resourceVersion: string }; data: { value: string } }
      const revision = Number(metadata.resourceVersion)
      assert.ok(revision > this.#last, `the watch showed revision ${revision} after ${this.#last}`)
      this.#last = revision
      const changes = this.#seen.get(metadata.name) ?? []
      this.#seen.set(metadata.name, changes)
      changes.push({ type, value: data.value })
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error))
    }
    for (const waiter of this.#waiting.splice(0)) {
      if (this.#last >= waiter.revision) waiter.resolve()
      else this.#waiting.push(waiter)
    }
  }
}
