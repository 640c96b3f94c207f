import { Job, type Pod } from '@windlass/api'
import { type Action, patch, refOf } from '@windlass/kube'
import { hasEnded } from '../pods/index.ts'

/**
 * Pods of a Job that have ended, written down on the Job. They may go at any time, because a drain takes them, and what they have done must count nevertheless,
 * and once. (Kubernetes holds them with a finalizer until they are counted. Here nothing holds them: whoever deletes a Pod is rid of it.)
 */
export interface Ledger {
  readonly succeeded: number
  readonly failed: number
  /** Those of them that were still there when this was written, by their uids. */
  readonly pods: ReadonlySet<string>
}

export const ledgerAnnotation = 'simulator.windlass.dev/ended-pods'

const empty: Ledger = { succeeded: 0, failed: 0, pods: new Set() }

/** Empty where there is none, or none that can be read. */
export function ledgerOf({ metadata }: Job): Ledger {
  const [succeeded, failed, ...pods] = (metadata.annotations?.[ledgerAnnotation] ?? '').split(' ')
  const counts = [Number(succeeded), Number(failed)]
  if (failed === undefined || !counts.every(Number.isSafeInteger)) return empty
  return { succeeded: counts[0] ?? 0, failed: counts[1] ?? 0, pods: new Set(pods) }
}

/** `2 1 <uid> <uid>`: two have succeeded and one has failed, and two of the three are still there. */
export function ledgerText({ succeeded, failed }: Pick<Ledger, 'succeeded' | 'failed'>, pods: readonly Pod[]): string {
  const ended = pods.filter(hasEnded).map(({ metadata }) => metadata.uid ?? '')
  return [succeeded, failed, ...ended.toSorted()].join(' ')
}

/** Writes down the Pods that have ended and are not in the ledger; undefined when all are. */
export function bookkeeping(job: Job, pods: readonly Pod[], counts: Pick<Ledger, 'succeeded' | 'failed'>): Action | undefined {
  const ledger = ledgerOf(job)
  if (!pods.some((pod) => hasEnded(pod) && !ledger.pods.has(pod.metadata.uid ?? ''))) return undefined
  const annotations = { [ledgerAnnotation]: ledgerText(counts, pods) }
  return patch(Job, refOf(job), { metadata: { annotations } }, 'Pods have ended, and may be gone soon', { ifStill: job })
}
