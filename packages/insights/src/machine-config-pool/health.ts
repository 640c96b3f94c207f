import type { MachineConfigPool } from '@windlass/api'
import { findCondition, parseTime } from '@windlass/core'
import { type Observation, orNoMessage, references } from '../health/index.ts'
import { poolReference, scopeOf } from '../node/index.ts'
import type { ProgressStatus } from './assess.ts'

/** What is wrong with a pool during an update. Nothing of it becomes worse with time. */
export function observe(pool: MachineConfigPool, { summaries }: ProgressStatus): readonly Observation[] {
  const outdated = summaries?.find(({ type }) => type === 'Outdated')?.count ?? 0
  return [...(pool.spec.paused === true && outdated > 0 ? [paused(pool)] : []), ...unrendered(pool)]
}

/** Nobody notes when a pool was paused: it is so since we first saw it. */
function paused(pool: MachineConfigPool): Observation {
  const { name = '' } = pool.metadata
  return {
    ...about(pool),
    level: name === 'master' ? 'Error' : 'Warning',
    summary: `Outdated nodes in a paused pool '${name}' will not be updated`,
    description: `The pool '${name}' is paused: the update and all other changes of its nodes, such as new certificates, wait until it is unpaused.`,
    reference: references.pausedPool,
    since: undefined,
  }
}

function unrendered(pool: MachineConfigPool): readonly Observation[] {
  const condition = findCondition(pool.status?.conditions, 'RenderDegraded')
  if (condition?.status !== 'True') return []
  return [
    {
      ...about(pool),
      level: 'Error',
      summary: `Pool ${pool.metadata.name} cannot render its configuration`,
      description: orNoMessage(condition.message),
      reference: references.machineConfig,
      since: parseTime(condition.lastTransitionTime),
    },
  ]
}

function about({ metadata: { name = '' } }: MachineConfigPool): Pick<Observation, 'scope' | 'resources' | 'impact'> {
  return { scope: scopeOf(name), resources: [poolReference(name)], impact: 'Update Stalled' }
}
