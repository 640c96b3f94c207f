import type { NodePool } from '@windlass/api'
import type { CacheReader } from '@windlass/kube'
import type { PayloadStore } from '../token/index.ts'

/** What the controllers of node pools tell those who count. */
export interface NodePoolMetrics {
  /** A pool was looked at. Figures about all pools are read from this cache from now on, whenever somebody asks. */
  saw(pool: NodePool, cache: CacheReader): void
  /** A pool is gone, by its key: nothing is to be said about it any more. */
  gone(pool: string): void
  /** Where payloads are kept, and the pools whose machines ask for them. */
  serves(store: PayloadStore): void
  /** A machine has asked, for a pool by the name that it gave. */
  asked(pool: string): void
  rotated(): void
  /** A payload had to be made, and took so many seconds; undefined when it could not be made. */
  generated(seconds: number | undefined): void
}

export const noNodePoolMetrics: NodePoolMetrics = {
  saw: () => {},
  gone: () => {},
  serves: () => {},
  asked: () => {},
  rotated: () => {},
  generated: () => {},
}
