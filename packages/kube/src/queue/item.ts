import type { Delayed } from '@windlass/core'
import type { Linked, LinkedList } from './linked-list.ts'
import type { Tenant } from './lines.ts'

/** Where a key is. An idle one is remembered for its failures only. */
export type Stage = 'idle' | 'delayed' | 'waiting' | 'running'

/** Everything the queue knows about a key, and the key's places in the lists it is in. */
export class Item implements Delayed, Linked<Item> {
  readonly key: string
  readonly tenant: Tenant
  stage: Stage = 'idle'
  /** When it came to this stage, on the monotonic clock. */
  since = 0
  /** How urgent its next turn is. */
  priority = 0
  /** How urgent its present turn is, while it runs. */
  runningPriority = 0
  /** When its next turn may begin; 0 is at once. */
  due = 0
  /** It was added while it runs: `due` and `priority` are those of the turn after this one. */
  goesAgain = false
  /** In a row, since it was last forgotten. */
  failures = 0
  /** Why it is delayed, for people. */
  why: string | undefined = undefined

  place = -1
  sequence = 0
  list: LinkedList<Item> | undefined = undefined
  previous: Item | undefined = undefined
  next: Item | undefined = undefined

  constructor(key: string, tenant: Tenant) {
    this.key = key
    this.tenant = tenant
  }
}
