import type { ClusterId, ObjectPlace } from './place.ts'

/** Something that happened, as a controller told it. */
export interface EventView {
  /** The last time. */
  readonly time: string
  readonly count: number
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  readonly object: ObjectPlace
  readonly cluster: ClusterId
  /** Who says it. */
  readonly source?: string
}
