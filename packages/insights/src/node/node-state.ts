import type { Node } from '@windlass/api'
import { type DaemonNotes, notesOn } from './annotations.ts'
import type { Pool } from './pools.ts'
import { type Unavailability, unavailabilityOf } from './unavailability.ts'

export type Phase = 'Draining' | 'Updating' | 'Rebooting' | 'Completed' | 'Paused' | 'Pending'

/** Where a node stands in an update. Its own insight and that of its pool are made from it. */
export interface NodeState {
  readonly name: string
  readonly pool: Pool
  readonly phase: Phase
  /** The version that it runs, if that is known. */
  readonly version: string | undefined
  /** As the node is, also while it is updated and must be so. */
  readonly unavailability: Unavailability | undefined
  /** Undefined when it is not degraded; otherwise why, in the daemon's words. */
  readonly degradation: string | undefined
}

/** What a node is judged against. */
export interface Target {
  /** Of the update; empty when there is none. */
  readonly version: string
  /** Of a machine config, by its name. */
  readonly versionOf: (config: string) => string | undefined
}

/** Is on its way to the target, from leaving its work to being back. */
export function isUpdating({ phase }: Pick<NodeState, 'phase'>): boolean {
  return phase === 'Draining' || phase === 'Updating' || phase === 'Rebooting'
}

export function evaluateNode(node: Node, pool: Pool, target: Target): NodeState {
  const notes = notesOn(node)
  const version = target.versionOf(notes.currentConfig)
  const isDegraded = notes.desiredConfig !== '' && (notes.state === 'Degraded' || notes.state === 'Unreconcilable')
  return {
    name: node.metadata.name ?? '',
    pool,
    phase: phaseOf(notes, version, pool, target),
    version,
    unavailability: unavailabilityOf(node, notes, pool),
    degradation: isDegraded ? notes.reason : undefined,
  }
}

function phaseOf(notes: DaemonNotes, version: string | undefined, pool: Pool, target: Target): Phase {
  const isUpdated = isAt(notes, version, target)
  const isMoving = !isUpdated && version !== undefined && target.version !== '' && target.versionOf(notes.desiredConfig) === target.version
  if (isMoving && isDraining(notes)) return 'Draining'
  if (isMoving) return notes.state === 'Rebooting' ? 'Rebooting' : 'Updating'
  if (isUpdated) return 'Completed'
  return pool.isPaused ? 'Paused' : 'Pending'
}

/** The version alone does not tell: to move to another architecture does not change it. */
function isAt({ currentConfig, desiredConfig }: DaemonNotes, version: string | undefined, target: Target): boolean {
  return version !== undefined && version === target.version && (desiredConfig === '' || currentConfig === desiredConfig)
}

/** The daemon has not drained the node as it should, or, being done with what it did last, has not begun to. */
function isDraining({ desiredDrain, lastAppliedDrain, state }: DaemonNotes): boolean {
  if (desiredDrain === '' || lastAppliedDrain === '') return false
  return (desiredDrain !== lastAppliedDrain && desiredDrain.split('-', 1)[0] === 'drain') || state === 'Done'
}
