import type { KubernetesObject, Resource } from '@windlass/api'
import type { Clock } from '@windlass/core'
import { type Client, isForbidden, isUnknownKind, type Ref, type Selection } from '@windlass/kube'

/** How long one question may take. People wait for the answer. */
const timeLimit = 5_000
/** How many objects of a kind are looked at, at most. A cause is among the first ones, or is told by their number. */
const most = 1_000

/** What goes on a page of a list. */
const pageSize = 250

/** Asks questions of a cluster, each within a few seconds. What is not answered is no failure: it is written down, and the answer does without. */
export class Reader {
  readonly #clock: Clock
  readonly #signal: AbortSignal | undefined
  readonly #unknown = new Set<string>()

  constructor(clock: Clock, signal?: AbortSignal) {
    this.#clock = clock
    this.#signal = signal
  }

  /** What could not be found out, in sentences. */
  get unknown(): readonly string[] {
    return [...this.#unknown].toSorted()
  }

  note(sentence: string): void {
    this.#unknown.add(sentence)
  }

  /** All objects, as many as may be looked at; none when they cannot be read. `where`: as people say it, for what is written down. */
  async list<T extends KubernetesObject>(
    client: Client,
    kind: Resource<T>,
    where: string,
    selection: Selection = {},
  ): Promise<readonly T[]> {
    const found: T[] = []
    await this.#within(`${kind.plural} ${where}`, async (signal) => {
      for await (const object of client.list(kind, { ...selection, pageSize, signal })) {
        if (found.length === most) return this.note(`Only the first ${most} ${kind.plural} ${where} were looked at.`)
        found.push(object)
      }
    })
    return found
  }

  async find<T extends KubernetesObject>(client: Client, kind: Resource<T>, where: string, ref: Ref): Promise<T | undefined> {
    return this.#within(`${kind.kind} ${ref.name} ${where}`, (signal) => client.find(kind, ref, { signal }))
  }

  /** Anything else that takes time. */
  async attempt<T>(what: string, attempt: () => T | Promise<T>): Promise<T | undefined> {
    return this.#within(what, () => Promise.resolve().then(attempt))
  }

  async #within<T>(what: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const limit = new AbortController()
    const { promise: isLate, reject } = Promise.withResolvers<never>()
    const cancel = this.#clock.after(timeLimit, () => {
      const late = new Error(`there was no answer within ${timeLimit / 1000} seconds`)
      limit.abort(late)
      reject(late)
    })
    try {
      const signal = this.#signal === undefined ? limit.signal : AbortSignal.any([limit.signal, this.#signal])
      return await Promise.race([ask(signal), isLate])
    } catch (error) {
      this.#signal?.throwIfAborted()
      // A kind that the server does not have has no objects there either.
      if (!isUnknownKind(error)) this.note(sentenceFor(what, error))
      return undefined
    } finally {
      cancel()
      // Nobody waits for it any more.
      isLate.catch(() => undefined)
    }
  }
}

function sentenceFor(what: string, error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
  return isForbidden(error) ? `You may not look at ${what}: ${message}.` : `${what} could not be looked at: ${message}.`
}
