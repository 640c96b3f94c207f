import type { NodePool } from '@windlass/api'
import type { Instant } from '@windlass/core'
import type { HealthView } from '../../view.ts'
import { isUpdating, prerequisites } from '../node-pools.ts'
import { about, byCondition, denied, lasts, withReason } from './observed.ts'

/** As for the nodes of a standalone cluster. */
const unhealthyFor = 5 * 60_000

/** A condition of a pool that should not be False. */
interface Row {
  readonly type: string
  readonly level: HealthView['level']
  readonly impact: HealthView['impact']
  readonly words: (name: string) => string
  /** The words say all: its reason is always the same. */
  readonly isPlain?: true
  /** Of interest only while the pool is updated. */
  readonly duringUpdate: boolean
  /** How long it must have been so. */
  readonly after?: number
  /** A reason for which it is no trouble. */
  readonly unless?: string
}

const rows: readonly Row[] = [
  ...prerequisites.map((type): Row => ({
    type,
    level: 'Error',
    impact: 'Update Stalled',
    words: (name) => `Node pool ${name} cannot be updated: ${type} is False`,
    duringUpdate: false,
  })),
  {
    type: 'ReconciliationActive',
    level: 'Warning',
    impact: 'Update Stalled',
    words: (name) => `Node pool ${name} is paused: its update does not go on`,
    isPlain: true,
    duringUpdate: true,
  },
  {
    type: 'SupportedVersionSkew',
    level: 'Warning',
    impact: 'Cluster Capacity',
    words: (name) => `Node pool ${name} has a version that the control plane does not support`,
    duringUpdate: false,
  },
  {
    type: 'AllNodesHealthy',
    level: 'Warning',
    impact: 'Cluster Capacity',
    words: (name) => `Nodes of node pool ${name} are not healthy`,
    duringUpdate: true,
    after: unhealthyFor,
    // Where there are no machines yet, nothing is ill.
    unless: 'NotFound',
  },
]

/** What is wrong with a pool of nodes. */
export function poolHealth(pool: NodePool, now: Instant): readonly HealthView[] {
  const { name = '' } = pool.metadata
  return rows.flatMap(({ type, level, impact, words, isPlain, duringUpdate, after, unless }): readonly HealthView[] => {
    const condition = denied(pool.status?.conditions, type)
    if (condition === undefined || (duringUpdate && !isUpdating(pool))) return []
    if (condition.reason === unless || (after !== undefined && !lasts(condition, after, now))) return []
    const summary = isPlain === true ? words(name) : withReason(words(name), condition)
    const key = `pool-${name}-${type.toLowerCase()}`
    return [{ ...about('nodepools', pool), ...byCondition(condition), name: key, level, impact, summary }]
  })
}
