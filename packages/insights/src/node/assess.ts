import type { NodeProgressInsight } from '@windlass/api'
import { formatDuration, type Instant } from '@windlass/core'
import type { StatusOf } from '@windlass/kube'
import { conditionsAfter, type Judgement } from '../conditions.ts'
import { isVersion, shortened } from '../text.ts'
import { isUpdating, type NodeState, type Phase } from './node-state.ts'
import { poolReference, scopeOf } from './pools.ts'

export type ProgressStatus = StatusOf<NodeProgressInsight>

const messages: Readonly<Record<Phase, string>> = {
  Draining: 'The node is draining',
  Rebooting: 'The node is rebooting',
  Updating: 'The node is updating',
  Completed: 'The node is updated',
  Paused: 'The update of the node is paused',
  Pending: 'The update of the node is pending',
}

const longestMessage = 100
/** What a node usually takes, from draining to being back. */
const usualUpdate = 10 * 60_000

/** How the update of one node goes. */
export function assessNode(state: NodeState, stored: ProgressStatus | undefined, now: Instant): ProgressStatus {
  const { name, pool, phase, version, degradation } = state
  const unavailability = isUpdating(state) ? undefined : state.unavailability
  const message = (degradation ?? unavailability?.message ?? '').replaceAll(/\s*\n\s*/g, ' ')
  const isWell = degradation === undefined && unavailability === undefined
  const estimate = isWell ? estimateOf(phase) : undefined
  return {
    name,
    poolResource: poolReference(pool.name),
    scopeType: scopeOf(pool.name),
    ...(isVersion(version) ? { version } : {}),
    ...(estimate === undefined ? {} : { estimatedToComplete: formatDuration(estimate) }),
    ...(message === '' ? {} : { message: shortened(message, longestMessage) }),
    conditions: conditionsAfter(stored?.conditions, judge(state), now),
  }
}

/** A node that is being updated must be away for a while: only one that has no such excuse is unavailable. */
function judge(state: NodeState): readonly Judgement[] {
  const { phase, degradation } = state
  const unavailability = isUpdating(state) ? undefined : state.unavailability
  return [
    { type: 'Updating', status: isUpdating(state) ? 'True' : 'False', reason: phase, message: messages[phase] },
    unavailability === undefined
      ? { type: 'Available', status: 'True', reason: 'AsExpected', message: 'The node is available' }
      : {
          type: 'Available',
          status: 'False',
          reason: 'Unavailable',
          message: unavailability.message,
          ...(unavailability.since === undefined ? {} : { since: unavailability.since }),
        },
    degradation === undefined
      ? { type: 'Degraded', status: 'False', reason: 'AsExpected', message: 'The node is not degraded' }
      : { type: 'Degraded', status: 'True', reason: 'Degraded', message: degradation },
  ]
}

function estimateOf(phase: Phase): number | undefined {
  if (phase === 'Completed') return 0
  return isUpdating({ phase }) ? usualUpdate : undefined
}
