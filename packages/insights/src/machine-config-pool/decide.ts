import { type MachineConfigPool, MachineConfigPoolProgressInsight, type UpdateHealthInsight } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { done, equalJson, type Plan, plan, wait } from '@windlass/kube'
import { decideHealth } from '../health/index.ts'
import { forgotten, published } from '../lifecycle/index.ts'
import type { InsightMode } from '../mode.ts'
import type { NodeCounts } from '../node/index.ts'
import { notePool, type UpdateOnRecord } from '../records/index.ts'
import { assessPool } from './assess.ts'
import { observe } from './health.ts'

export interface Observed {
  readonly name: string
  readonly pool: MachineConfigPool | undefined
  /** Of its nodes; undefined when there is no cluster version to judge them against. */
  readonly counts: NodeCounts | undefined
  readonly insight: MachineConfigPoolProgressInsight | undefined
  readonly health: readonly UpdateHealthInsight[]
  /** Whether problems are of interest now. */
  readonly isInProgress: boolean
  /** The update that is noted when it gets to its version; undefined when none is. */
  readonly update?: UpdateOnRecord | undefined
}

/** What one look at a pool comes to. */
export function decide({ name, pool, counts, insight, health, isInProgress, update }: Observed, now: Instant, mode: InsightMode): Plan {
  if (pool === undefined) {
    if (insight === undefined && health.length === 0) return done
    return forgotten(MachineConfigPoolProgressInsight, insight, health, `MachineConfigPool ${name} is gone`)
  }
  if (counts === undefined) return wait('ClusterVersion version: without it nobody knows which version is wanted')
  if (insight?.metadata.deletionTimestamp !== undefined) return wait(`the old insight into MachineConfigPool ${name} to be gone`)
  const status = assessPool({ pool, counts }, insight?.status, now, mode)
  const note = notePool(insight, status, counts.Total, update, now)
  // What is written to the insight is the reason for another look, which finds the note there and writes the rest.
  if (note !== undefined) return plan(note)
  return plan(
    published({
      kind: MachineConfigPoolProgressInsight,
      name,
      insight,
      status: equalJson(insight?.status, status) ? undefined : status,
      reason: `the pool is at ${status.completionPercent}%, ${status.assessment}`,
    }),
    decideHealth({ manager: 'machineconfigpool', owner: insight, existing: health }, isInProgress ? observe(pool, status) : [], now),
  )
}
