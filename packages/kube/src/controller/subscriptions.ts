import type { KubernetesObject } from '@windlass/api'
import type { CacheChange, CacheReader, SharedCache } from '../cache/cache.ts'
import { cached, isDeclaration } from '../cache/declaration.ts'
import type { Ref } from '../client/client.ts'
import { refOf } from '../objects/refs.ts'
import type { Predicate, Watching } from './definition.ts'
import { always } from './predicates.ts'
import { type Watched, watching, watchingOwned } from './watching.ts'

/** What a controller hears of; the part of its definition that is about that. */
export interface Interests<T extends KubernetesObject> {
  readonly for: Watched<T>
  readonly predicate?: Predicate<T>
  readonly owns?: readonly Watched[]
  readonly watches?: readonly Watching[]
  readonly reads?: readonly Watched[]
}

/** For objects that only appeared because we have started to look: what happens now goes first. */
const lowPriority = -100

export interface SubscriptionOptions {
  readonly cache: SharedCache
  readonly add: (ref: Ref, priority: number) => void
  readonly onDeleted: (of: Watched, object: KubernetesObject) => void
  /** A predicate or a map has thrown. */
  readonly onProblem: (object: KubernetesObject, error: unknown) => void
}

/** Everything that a controller keeps in memory. */
export function watchedBy<T extends KubernetesObject>({ for: own, owns = [], watches = [], reads = [] }: Interests<T>): readonly Watched[] {
  return [...new Set<Watched>([own, ...owns, ...watches.map(({ of }) => of), ...reads])]
}

/** Asks for caches and for changes in them. To be called before the caches are started. */
export function subscribe<T extends KubernetesObject>(interests: Interests<T>, options: SubscriptionOptions): void {
  const { for: own, predicate = always, owns = [], watches = [] } = interests
  for (const watched of watchedBy(interests)) {
    options.cache.declare(isDeclaration(watched) ? watched : cached(watched))
  }
  const itself: Watching<T> = watching(own, (object) => [refOf(object)], predicate)
  for (const each of [itself, ...owns.map((of) => watchingOwned(of, own)), ...watches]) listen(each, options)
}

function listen<T extends KubernetesObject>(watched: Watching<T>, { cache, add, onDeleted, onProblem }: SubscriptionOptions): void {
  cache.onChange(watched.of, (change: CacheChange<T>) => {
    try {
      const priority = isOldNews(change) ? lowPriority : 0
      if (watched.predicate(change)) for (const ref of concernedBy(watched, change, cache)) add(ref, priority)
    } catch (error) {
      onProblem(change.object, error)
    }
    if (change.type === 'deleted') onDeleted(watched.of, change.object)
  })
}

function* concernedBy<T extends KubernetesObject>(watched: Watching<T>, change: CacheChange<T>, cache: CacheReader): Iterable<Ref> {
  yield* watched.map(change.object, cache)
  if (change.type === 'updated') yield* watched.map(change.old, cache)
}

/** Part of the first list, or the same object told again. */
function isOldNews(change: CacheChange<KubernetesObject>): boolean {
  if (change.type === 'added') return change.isInitial
  return change.type === 'updated' && change.object.metadata.resourceVersion === change.old.metadata.resourceVersion
}
