import type { ClusterVersion, machineApi, MachineConfigPool } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { isProgressing } from '../cluster/cluster-version.ts'
import { poolProgress } from '../cluster/worker-pool.ts'
import { type Effect, gauge } from '../effects/effect.ts'
import { ephemeralGauges } from '../metrics/gauges.ts'
import { dropGauges } from '../metrics/series.ts'
import { isExtra, removeExtras } from '../scaling/index.ts'
import { endAllWindows, isByUs, isLive, type Silence } from '../windows/index.ts'

/** There is no UpgradeConfig: nothing is said about upgrades any more. */
export function forgetUpgrade(): readonly Effect[] {
  return [gauge(dropGauges(ephemeralGauges))]
}

/** What is left of upgrades whose UpgradeConfig is gone. */
export interface SweepView {
  /** Since when there has been none, as far as this process knows. */
  readonly goneSince: Instant
  readonly clusterVersion: ClusterVersion
  readonly workerPool: MachineConfigPool
  readonly machineSets: readonly machineApi.MachineSet[]
  readonly silences: readonly Silence[]
}

export type Sweep =
  | { readonly is: 'nothing to sweep' }
  | { readonly is: 'too early'; readonly waitingFor: string; readonly requeueAfter: number }
  | { readonly is: 'sweep'; readonly effects: readonly Effect[] }

const patienceMinutes = 10

/**
 * Removes extra machines and silences that nobody looks after any more. Only ours, and only once the cluster rests: an UpgradeConfig that is deleted and created
 * anew in the middle of an upgrade still needs them.
 */
export function decideSweep(
  { goneSince, clusterVersion, workerPool, machineSets, silences }: SweepView,
  minute: number,
  now: Instant,
): Sweep {
  const hasLeftovers = machineSets.some(isExtra) || silences.some((silence) => isByUs(silence) && isLive(silence))
  if (!hasLeftovers) return { is: 'nothing to sweep' }
  const ready = goneSince + patienceMinutes * minute
  const early = (waitingFor: string, requeueAfter: number): Sweep => ({ is: 'too early', waitingFor, requeueAfter })
  if (now < ready) return early('an UpgradeConfig that may come back', ready - now)
  if (isProgressing(clusterVersion)) return early('the cluster version operator to finish', minute)
  if (poolProgress(workerPool).isUpgrading) return early('the workers to finish', minute)
  return { is: 'sweep', effects: tearDown(machineSets, silences) }
}

/** Takes back everything of ours. Each is tried, whatever becomes of the others. */
export function tearDown(machineSets: readonly machineApi.MachineSet[], silences: readonly Silence[]): readonly Effect[] {
  return [...endAllWindows(silences), ...removeExtras(machineSets, 'report')]
}
