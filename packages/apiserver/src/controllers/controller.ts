import type { Clock } from '@windlass/core'
import type { Scope } from '../registry/write-request.ts'
import type { Change, Store } from '../storage/store.ts'

/** What the server's own controllers work with. One of each serves all logical clusters. */
export interface ControllerContext {
  readonly store: Store
  readonly clock: Clock
  /** The parts of a logical cluster; undefined when it is gone. */
  readonly scope: (cluster: string) => Scope | undefined
  /** Names of the logical clusters that are loaded. */
  readonly clusters: () => Iterable<string>
  /** Failures are logged and forgotten: the next change, or the next start, tries again. */
  readonly onError: (controller: string) => (key: string, error: unknown) => void
}

/** Something a cluster does by itself: it hears of every durable change and acts when it wants to. */
export interface Controller {
  /** Called once, before the first change: picks up what a stop or a crash left undone. */
  start(): void
  /** Must be quick: it runs between the commit and the watchers. */
  observe(change: Change): void
  stop(): Promise<void>
}
