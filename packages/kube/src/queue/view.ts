import { type Clock, formatTime } from '@windlass/core'
import type { Item, Stage } from './item.ts'
import type { Tenant } from './lines.ts'

/** A queue as people see it. */
export interface QueueView {
  readonly running: number
  readonly waiting: number
  readonly delayed: number
  /** Those that run first, then those that wait, then the delayed ones in the order of their time. */
  readonly keys: readonly KeyView[]
}

export interface KeyView {
  readonly key: string
  readonly stage: Stage
  readonly priority: number
  readonly tenant?: string
  /** When it came to this stage. */
  readonly since: string
  /** When its delay is over. */
  readonly due?: string
  /** In a row. */
  readonly failures?: number
  /** Why it does not go yet, or what happens next. */
  readonly why: string
}

interface ViewOptions {
  readonly clock: Clock
  readonly limit: number
  readonly isFull: (tenant: Tenant) => boolean
}

/** Idle ones are nobody's business. */
const stages: readonly Stage[] = ['running', 'waiting', 'delayed']

export function viewQueue(items: Iterable<Item>, { clock, limit, isFull }: ViewOptions): QueueView {
  const byStage = Map.groupBy(items, ({ stage }) => stage)
  const count = (stage: Stage): number => byStage.get(stage)?.length ?? 0
  const toWallTime = clock.now() - clock.monotonic()
  const time = (monotonic: number): string => formatTime(monotonic + toWallTime)
  const show = (item: Item): KeyView => ({
    key: item.key,
    stage: item.stage,
    priority: item.stage === 'running' ? item.runningPriority : item.priority,
    ...(item.tenant.name === '' ? {} : { tenant: item.tenant.name }),
    since: time(item.since),
    ...(item.stage === 'delayed' ? { due: time(item.due) } : {}),
    ...(item.failures === 0 ? {} : { failures: item.failures }),
    why: whyNotYet(item, isFull(item.tenant)),
  })
  const inOrder = stages.flatMap((stage) => byStage.get(stage)?.sort(byTurn) ?? [])
  return {
    running: count('running'),
    waiting: count('waiting'),
    delayed: count('delayed'),
    keys: inOrder.slice(0, limit).map(show),
  }
}

function whyNotYet({ stage, goesAgain, tenant, why }: Item, isFull: boolean): string {
  if (stage === 'running') return goesAgain ? 'is being looked at, and goes again afterwards' : 'is being looked at'
  if (stage === 'delayed') return `waits for ${why ?? 'its time'}`
  return isFull ? `waits for its tenant, which has ${tenant.running} running, the most it may have` : 'waits for a free worker'
}

/** For two of the same stage. */
function byTurn(a: Item, b: Item): number {
  if (a.stage === 'delayed') return a.due - b.due
  return a.stage === 'waiting' && a.priority !== b.priority ? b.priority - a.priority : a.since - b.since
}
