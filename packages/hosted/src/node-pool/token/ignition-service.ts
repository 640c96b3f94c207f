import type { Clock, Instant } from '@windlass/core'
import { keyOf } from '@windlass/kube'
import type { Ref, Source } from '@windlass/kube'
import { answerIgnition, bearer, type IgnitionAnswer, type IgnitionRequest } from './ignition-endpoint.ts'
import { PayloadStore } from './payload-store.ts'

/** How long a machine waits for an answer until it is asked to come again. */
const patience = 10_000

/** The Secret of a token, and until when it is good. */
interface Home {
  readonly ref: Ref
  readonly expires: Instant
}

interface Recording {
  readonly ref: Ref
  readonly done: Promise<void>
  readonly resolve: () => void
}

/**
 * What stands between machines that ask for their configuration and the token controller, which knows the payloads.
 *
 * That a machine has come is written down before it is answered: the repair of broken machines begins with it, and a process may end at any time. A
 * process that cannot write any more, because another one leads, therefore answers nobody either.
 */
export class IgnitionService {
  readonly store = new PayloadStore()
  readonly #homes = new Map<string, Home>()
  readonly #recordings = new Map<string, Recording>()
  #wake = (): void => {}
  #asked: (pool: string) => void = () => {}

  /** Answers a machine. `clock` is that of the process. */
  async answer(request: IgnitionRequest, clock: Clock): Promise<IgnitionAnswer> {
    const answer = answerIgnition(request, this.store, clock.now())
    if (answer.reached === undefined) return answer
    const home = this.#homes.get(bearer(request.headers['authorization']) ?? '')
    const { nodePool = '' } = answer
    if (home === undefined || clock.now() > home.expires) return { status: 511, body: 'token not found', nodePool }
    const isWritten = await this.#record({ namespace: home.ref.namespace ?? '', name: answer.reached }, clock)
    if (!isWritten) return { status: 511, body: 'not ready', nodePool }
    this.#asked(nodePool)
    return answer
  }

  /** Tells of every machine that got its configuration, by the pool that it named. Strangers may name any pool, and are not told of. */
  tell(asked: (pool: string) => void): void {
    this.#asked = asked
  }

  /** The token Secrets that machines have reached, for the token controller to write that down. */
  readonly reached: Source = ({ signal }) => this.#reached(signal)

  /** Whether a machine waits for this Secret to say that it was reached. */
  isAwaited(ref: Ref): boolean {
    return this.#recordings.has(keyOf(ref))
  }

  /** It says so now; or it is gone, and there is nothing to say it on. */
  recorded(ref: Ref): void {
    this.#recordings.get(keyOf(ref))?.resolve()
    this.#recordings.delete(keyOf(ref))
  }

  /** These tokens belong to that Secret, and are good until then. */
  know(ref: Ref, tokens: readonly string[], expires: Instant): void {
    for (const token of tokens) this.#homes.set(token, { ref, expires })
  }

  forget(tokens: readonly string[]): void {
    for (const token of tokens) {
      this.#homes.delete(token)
      this.store.forget(token)
    }
  }

  async #record(ref: Ref, clock: Clock): Promise<boolean> {
    const recording = this.#recordings.get(keyOf(ref)) ?? begin(ref)
    this.#recordings.set(keyOf(ref), recording)
    this.#wake()
    const given = new AbortController()
    try {
      const isLate = clock.sleep(patience, given.signal).then(
        () => false,
        () => false,
      )
      return await Promise.race([recording.done.then(() => true), isLate])
    } finally {
      given.abort(new Error('it was answered'))
    }
  }

  async *#reached(signal: AbortSignal): AsyncIterable<Ref> {
    const told = new Set<Recording>()
    const onAbort = (): void => this.#wake()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      while (!signal.aborted) {
        const waiting = [...this.#recordings.values()].filter((recording) => !told.has(recording))
        if (waiting.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve))
        for (const recording of waiting) {
          told.add(recording)
          recording.done.then(
            () => told.delete(recording),
            () => undefined,
          )
          yield recording.ref
        }
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#wake = () => {}
    }
  }
}

function begin(ref: Ref): Recording {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { ref, done: promise, resolve }
}
