import type { Job, Pod } from '@windlass/api'
import { type Instant, parseTime } from '@windlass/core'
import { isActive, isReady, isTerminating, restartsOf } from '../pods/index.ts'
import { ledgerOf } from './ledger.ts'

/** What has become of the Pods of a Job so far. */
export interface Tally {
  readonly active: readonly Pod[]
  readonly ready: number
  readonly terminating: number
  readonly succeeded: number
  readonly failed: number
  /** How often containers of active Pods were started again. */
  readonly restarts: number
  readonly lastFailure: Instant | undefined
}

/** Pods that have ended and are gone by now were counted when they were there: counts never fall. */
export function tallyOf(job: Job, pods: readonly Pod[]): Tally {
  const { status } = job
  const ledger = ledgerOf(job)
  const isNew = ({ metadata }: Pod): boolean => !ledger.pods.has(metadata.uid ?? '')
  const ended = (phase: string): readonly Pod[] => pods.filter((pod) => pod.status?.phase === phase)
  const active = pods.filter(isActive)
  const failures = ended('Failed').flatMap(finishedAt)
  return {
    active,
    ready: active.filter(isReady).length,
    terminating: pods.filter((pod) => isTerminating(pod) && pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed').length,
    succeeded: Math.max(status?.succeeded ?? 0, ledger.succeeded + ended('Succeeded').filter(isNew).length),
    failed: Math.max(status?.failed ?? 0, ledger.failed + ended('Failed').filter(isNew).length),
    restarts: active.reduce((sum, pod) => sum + restartsOf(pod), 0),
    lastFailure: failures.length === 0 ? undefined : Math.max(...failures),
  }
}

function finishedAt({ status }: Pod): readonly Instant[] {
  return (status?.containerStatuses ?? []).flatMap(({ state }) => parseTime(state?.terminated?.finishedAt) ?? [])
}
