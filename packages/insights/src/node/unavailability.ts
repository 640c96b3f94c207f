import type { Node } from '@windlass/api'
import { type Instant, parseTime } from '@windlass/core'
import type { DaemonNotes } from './annotations.ts'
import type { Pool } from './pools.ts'

/** Why a node takes no work. */
export interface Reason {
  readonly reason:
    | 'Not ready'
    | 'Disk pressure'
    | 'Network unavailable'
    | 'Node is marked unschedulable'
    | 'Machine Config Daemon is processing the node'
  /** In a sentence. */
  readonly message: string
  /** What the node itself says about it, where it does. */
  readonly told?: { readonly condition: string; readonly message: string; readonly since: Instant | undefined }
}

export interface Unavailability {
  readonly reasons: readonly Reason[]
  readonly message: string
  readonly since: Instant | undefined
}

/** Conditions of a node that must be so for it to take work. Others, and those that are absent, do not count. */
const needed = new Map<string, { readonly status: string; readonly reason: Reason['reason']; readonly message: string }>([
  ['Ready', { status: 'True', reason: 'Not ready', message: 'Node is not ready' }],
  ['DiskPressure', { status: 'False', reason: 'Disk pressure', message: 'Node has disk pressure' }],
  ['NetworkUnavailable', { status: 'False', reason: 'Network unavailable', message: 'Node has unavailable network' }],
])

const failed = new Set(['Degraded', 'Unreconcilable'])

/** Why a node is unavailable; undefined when it is not. Undefined too for a node that gets an image though its pool knows nothing of images. */
export function unavailabilityOf(node: Node, notes: DaemonNotes, pool: Pool): Unavailability | undefined {
  const reasons = reasonsOf(node, notes)
  if (reasons.length === 0 || (!pool.isLayered && notes.desiredImage !== '')) return undefined
  const times = reasons.map(({ told }) => told?.since).filter((since) => since !== undefined)
  return {
    reasons,
    message: reasons.map(({ message }) => message).join(' | '),
    since: times.length === 0 ? undefined : Math.min(...times),
  }
}

function reasonsOf({ spec, status }: Node, notes: DaemonNotes): readonly Reason[] {
  const reasons = (status?.conditions ?? []).flatMap(({ type, status: is, message = '', lastTransitionTime }): readonly Reason[] => {
    const row = needed.get(type)
    if (row === undefined || is === row.status) return []
    const told = { condition: `${type}!=${row.status}`, message, since: parseTime(lastTransitionTime) }
    return [{ reason: row.reason, message: row.message, told }]
  })
  if (spec.unschedulable === true) reasons.push(plain('Node is marked unschedulable'))
  if (reasons.length > 0 || isDone(notes) || failed.has(notes.state)) return reasons
  return [plain('Machine Config Daemon is processing the node')]
}

function isDone({ currentConfig, desiredConfig, currentImage, desiredImage, state }: DaemonNotes): boolean {
  return currentConfig !== '' && currentConfig === desiredConfig && currentImage === desiredImage && state === 'Done'
}

function plain(reason: Reason['reason']): Reason {
  return { reason, message: reason }
}
