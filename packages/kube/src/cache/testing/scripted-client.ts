import type { KubernetesObject, Resource } from '@windlass/api'
import type { Clock } from '@windlass/core'
import type { Client, ListOptions, Page, Watch, WatchEvent, WatchOptions } from '../../client/client.ts'
import { orAborted } from '../../transport/abort.ts'

/** One request that a cache has sent. */
export interface Asked {
  readonly verb: 'list' | 'watch'
  readonly kind: string
  readonly options: Omit<ListOptions, 'signal'> & Omit<WatchOptions, 'signal' | 'resourceVersionMatch'>
  /** On the monotonic clock. */
  readonly at: number
}

/** What the next request gets. An error is thrown; pages may end with one. */
export type Answer = Error | ScriptedWatch | readonly (Page<KubernetesObject> | Error)[]

/** A server that does what a test says: each request takes the next answer, and without one it waits for ever. */
export class ScriptedClient implements Pick<Client, 'pages' | 'watch'> {
  readonly asked: Asked[] = []
  readonly #answers: Answer[] = []
  readonly #clock: Clock

  constructor(clock: Clock, ...answers: readonly Answer[]) {
    this.#clock = clock
    this.#answers.push(...answers)
  }

  /** Requests in short: `watch 5`, `list 0 limit 500`. */
  get summary(): readonly string[] {
    return this.asked.map(({ verb, options }) =>
      [
        options.sendInitialEvents === true ? 'stream' : verb,
        options.resourceVersion ?? 'newest',
        ...(options.pageSize === undefined ? [] : [`limit ${options.pageSize}`]),
      ].join(' '),
    )
  }

  answer(...answers: readonly Answer[]): void {
    this.#answers.push(...answers)
  }

  async *pages<T extends KubernetesObject>(kind: Resource<T>, options: ListOptions = {}): AsyncIterable<Page<T>> {
    const answer = await this.#next('list', kind, options)
    if (answer instanceof ScriptedWatch) throw new TypeError('the script has a watch where a list was asked for')
    for (const page of answer) {
      if (page instanceof Error) throw page
      yield page as Page<T>
    }
  }

  async watch<T extends KubernetesObject>(kind: Resource<T>, options: WatchOptions = {}): Promise<Watch<T>> {
    const answer = await this.#next('watch', kind, options)
    if (!(answer instanceof ScriptedWatch)) throw new TypeError('the script has a list where a watch was asked for')
    return answer.open(options.signal) as Watch<T>
  }

  async #next(
    verb: 'list' | 'watch',
    kind: Resource,
    { signal, ...options }: ListOptions & Omit<WatchOptions, 'resourceVersionMatch'>,
  ): Promise<Exclude<Answer, Error>> {
    this.asked.push({ verb, kind: kind.kind, options, at: this.#clock.monotonic() })
    const answer = this.#answers.shift() ?? (await orAborted(new Promise<never>(() => {}), signal))
    if (answer instanceof Error) throw answer
    return answer
  }
}

/** A watch whose events come when a test sends them. */
export class ScriptedWatch {
  readonly #items: (readonly WatchEvent<KubernetesObject>[] | Error | 'end')[] = []
  #wake: () => void = () => {}
  #isClosed = false

  /** Whether the client has left it. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** They arrive together. */
  send(...events: readonly WatchEvent<KubernetesObject>[]): this {
    return this.#push(events)
  }

  fail(error: Error): this {
    return this.#push(error)
  }

  end(): this {
    return this.#push('end')
  }

  open(signal: AbortSignal | undefined): Watch<KubernetesObject> {
    const iterate = (): AsyncGenerator<readonly WatchEvent<KubernetesObject>[]> => this.#iterate(signal)
    return { close: () => (this.#isClosed = true), [Symbol.asyncIterator]: iterate }
  }

  #push(item: readonly WatchEvent<KubernetesObject>[] | Error | 'end'): this {
    this.#items.push(item)
    this.#wake()
    return this
  }

  async *#iterate(signal: AbortSignal | undefined): AsyncGenerator<readonly WatchEvent<KubernetesObject>[]> {
    for (;;) {
      const item = this.#items.shift()
      if (item === 'end') return
      if (item instanceof Error) throw item
      if (item !== undefined) yield item
      else await orAborted(new Promise<void>((resolve) => (this.#wake = resolve)), signal)
    }
  }
}
