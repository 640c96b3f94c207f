import type { KubernetesObject } from '@windlass/api'
import type { Clock, Duration } from '@windlass/core'
import { type CachedKind, type CacheReader, keyOf, type Predicate, type Ref, type Source, type Watching, watching } from '@windlass/kube'
import { atSpeed } from '../profile/index.ts'
import type { Settings } from './settings.ts'

/** What the real machine config operator waits after a node has changed: nothing that comes of it is so urgent, and in a large cluster some node always changes. */
const gathersFor = 5_000

/**
 * Changes that are looked at some seconds later, all of them at once.
 *
 * Belongs to one controller: `watching` takes the place of the toolkit's, and `source` has to be among its sources. What was gathered is lost with the process; the
 * next one looks at everything when it starts.
 */
export class Gathering {
  readonly #delay: Duration
  readonly #concerned = new Map<string, Ref>()
  #wake = (): void => undefined

  constructor(settings: Pick<Settings, 'speed'>) {
    this.#delay = atSpeed(settings, gathersFor)
  }

  watching<T extends KubernetesObject>(
    of: CachedKind<T, string>,
    map: (object: T, cache: CacheReader) => readonly Ref[],
    predicate: Predicate<T>,
  ): Watching<T> {
    const gather = (object: T, cache: CacheReader): readonly Ref[] => {
      for (const ref of map(object, cache)) this.#concerned.set(keyOf(ref), ref)
      if (this.#concerned.size > 0) this.#wake()
      return []
    }
    return watching(of, gather, predicate)
  }

  readonly source: Source = ({ clock, signal }) => this.#gathered(clock, signal)

  async *#gathered(clock: Clock, signal: AbortSignal): AsyncGenerator<Ref> {
    signal.addEventListener('abort', () => this.#wake(), { once: true })
    while (!signal.aborted) {
      if (this.#concerned.size === 0) await new Promise<void>((resolve) => (this.#wake = resolve))
      if (signal.aborted) return
      await clock.sleep(this.#delay, signal)
      const refs = [...this.#concerned.values()]
      this.#concerned.clear()
      yield* refs
    }
  }
}
