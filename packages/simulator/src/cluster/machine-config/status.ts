import type { MachineConfigPool, Node } from '@windlass/api'
import { type Instant, setConditions } from '@windlass/core'
import { annotationOf, isAt, isDegraded, isReady, isUnavailable } from './node-state.ts'

type Status = NonNullable<MachineConfigPool['status']>
type Condition = NonNullable<Status['conditions']>[number]
type Said = Omit<Condition, 'lastTransitionTime'> & { readonly type: string }

/** What a pool says about its nodes. `renderProblem`: why no config could be rendered. */
export function poolStatus(pool: MachineConfigPool, members: readonly Node[], renderProblem: string | undefined, now: Instant): Status {
  const { spec, status: before, metadata } = pool
  const config = spec.configuration?.name ?? ''
  const updated = members.filter((node) => isAt(node, config))
  const unavailable = members.filter(isUnavailable)
  const degraded = members.filter(isDegraded)
  const ready = updated.filter(isReady)
  const isUpdated = updated.length === members.length && ready.length === members.length && unavailable.length === 0 && config !== ''
  const said = [...progressOf(config, isUpdated, spec.paused === true), ...healthOf(degraded, renderProblem)]
  return {
    ...before,
    observedGeneration: metadata.generation ?? 0,
    ...(isUpdated ? { configuration: spec.configuration } : {}),
    machineCount: members.length,
    updatedMachineCount: updated.length,
    readyMachineCount: ready.length,
    unavailableMachineCount: unavailable.length,
    degradedMachineCount: degraded.length,
    conditions: setConditions<Condition>(before?.conditions, said, now),
  }
}

function progressOf(config: string, isUpdated: boolean, isPaused: boolean): readonly Said[] {
  if (isUpdated) return [say('Updated', 'True', '', `All nodes are updated with MachineConfig ${config}`), say('Updating', 'False')]
  if (isPaused) return [say('Updated', 'False'), say('Updating', 'False', '', `Pool is paused; will not update to MachineConfig ${config}`)]
  return [say('Updated', 'False'), say('Updating', 'True', '', `All nodes are updating to MachineConfig ${config}`)]
}

function healthOf(degraded: readonly Node[], renderProblem: string | undefined): readonly Said[] {
  const reports = degraded
    .map((node) => `Node ${node.metadata.name ?? ''} is reporting: ${JSON.stringify(annotationOf(node, 'reason'))}`)
    .join(', ')
  const nodes =
    degraded.length === 0
      ? say('NodeDegraded', 'False')
      : say('NodeDegraded', 'True', `${degraded.length} nodes are reporting degraded status on sync`, reports)
  const render = renderProblem === undefined ? say('RenderDegraded', 'False') : say('RenderDegraded', 'True', 'RenderFailed', renderProblem)
  const isIll = degraded.length > 0 || renderProblem !== undefined
  return [
    nodes,
    render,
    isIll ? say('Degraded', 'True', '', [reports, renderProblem ?? ''].filter((text) => text !== '').join('; ')) : say('Degraded', 'False'),
  ]
}

function say(type: string, status: 'True' | 'False', reason = '', message = ''): Said {
  return { type, status, reason, message }
}
