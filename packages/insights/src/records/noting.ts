import {
  ClusterOperatorProgressInsight,
  type ClusterVersion,
  type KubernetesObject,
  MachineConfigPoolProgressInsight,
  type Resource,
} from '@windlass/api'
import { findCondition, type Instant, parseTime } from '@windlass/core'
import { type PatchAction, patch, refOf } from '@windlass/kube'
import { recordAnnotation, type UpdateIdentity, type UpdateRecord, withRecord } from './record.ts'

/** The newest update of a cluster. */
export interface UpdateOnRecord extends UpdateIdentity {
  readonly ended: string | undefined
}

export function updateOf(clusterVersion: ClusterVersion | undefined): UpdateOnRecord | undefined {
  const [newest, before] = clusterVersion?.status?.history ?? []
  // The first of all is the installation: nothing is learned from it.
  if (newest === undefined || before === undefined) return undefined
  return { to: newest.version ?? '', started: newest.startedTime, ended: newest.completionTime ?? undefined }
}

type OperatorStatus = ClusterOperatorProgressInsight['status']
type PoolStatus = MachineConfigPoolProgressInsight['status']

/**
 * Puts on record that an operator has got to the version of the update that runs. Only one that was seen to get there is: of others nobody knows when they did.
 *
 * It is written before the insight says so. Whoever is killed in between writes the other half afterwards.
 */
export function noteOperator(
  insight: ClusterOperatorProgressInsight | undefined,
  next: OperatorStatus,
  update: UpdateOnRecord | undefined,
  now: Instant,
): PatchAction | undefined {
  if (insight === undefined || update?.ended !== undefined || !hasArrived(insight.status, next)) return undefined
  return note(ClusterOperatorProgressInsight, insight, update, now, {})
}

/**
 * The same of a pool of so many nodes, which may be done after its control plane. One that was not begun by then, because it was paused or because something else
 * changes its nodes, tells nothing about updates.
 */
export function notePool(
  insight: MachineConfigPoolProgressInsight | undefined,
  next: PoolStatus,
  nodes: number,
  update: UpdateOnRecord | undefined,
  now: Instant,
): PatchAction | undefined {
  if (insight === undefined || update === undefined || !hasArrived(insight.status, next)) return undefined
  const updating = findCondition(insight.status?.conditions, 'Updating')
  const begun = updating?.status === 'True' ? parseTime(updating.lastTransitionTime) : undefined
  const started = parseTime(update.started)
  if (begun === undefined || started === undefined || begun > (parseTime(update.ended) ?? now)) return undefined
  return note(MachineConfigPoolProgressInsight, insight, update, now, { begunAfter: seconds(begun - started), nodes })
}

function hasArrived(stored: OperatorStatus | PoolStatus, next: OperatorStatus | PoolStatus): boolean {
  const reason = (status: OperatorStatus | PoolStatus): string | undefined => findCondition(status?.conditions, 'Updating')?.reason
  const before = reason(stored)
  return before !== undefined && before !== 'Updated' && reason(next) === 'Updated'
}

function note<T extends KubernetesObject>(
  kind: Resource<T>,
  insight: T,
  update: UpdateOnRecord | undefined,
  now: Instant,
  more: Pick<UpdateRecord, 'begunAfter' | 'nodes'>,
): PatchAction | undefined {
  const started = parseTime(update?.started)
  if (update === undefined || started === undefined) return undefined
  const { to, started: began } = update
  const text = withRecord(insight, { to, started: began, doneAfter: seconds(now - started), ...more })
  if (text === undefined) return undefined
  return patch(
    kind,
    refOf(insight),
    { metadata: { annotations: { [recordAnnotation]: text } } },
    `it has got to ${to}: the next estimate learns from it`,
  )
}

const seconds = (duration: number): number => Math.max(0, Math.round(duration / 1000))
