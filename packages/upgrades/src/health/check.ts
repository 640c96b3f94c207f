import { type Effect, gauge } from '../effects/effect.ts'
import { setGauge } from '../metrics/series.ts'

/** Why a health check failed, as the gauge `upgradeoperator_healthcheck_failed` names it. */
export const healthReasons = [
  'healthcheck_query_failed',
  'critical_alerts_firing',
  'cluster_operator_status_failed',
  'cluster_operators_degraded',
  'default_worker_machinepool_not_found',
  'cluster_node_query_failed',
  'cluster_node_manually_cordoned',
  'cluster_node_taint_unschedulable',
  'pdb_query_failed',
  'cluster_invalid_pdb_configuration',
  'dvo_client_creation_failed',
  'dvo_metrics_query_failed',
  'cluster_invalid_pdb',
] as const

export type HealthReason = (typeof healthReasons)[number]

/** What a check found. */
export type Finding =
  | { readonly isHealthy: true }
  | {
      readonly isHealthy: false
      readonly reason: HealthReason
      /** For people. */
      readonly message: string
      /** For the list that is sent to customers. */
      readonly token: string
    }

/** What a check found, and all reasons that it could have had: those are the series that it keeps. */
export interface HealthCheck {
  readonly finding: Finding
  readonly reasons: readonly HealthReason[]
}

export function healthy(reasons: readonly HealthReason[]): HealthCheck {
  return { finding: { isHealthy: true }, reasons }
}

export function unhealthy(reasons: readonly HealthReason[], reason: HealthReason, message: string, token: string): HealthCheck {
  return { finding: { isHealthy: false, reason, message, token }, reasons }
}

export interface HealthLabels {
  readonly upgradeconfig_name: string
  readonly state: string
  readonly version: string
}

/** 1 for the reason of a failure; 0 for every reason that could have been one, when there was none. */
export function gaugesOf({ finding, reasons }: HealthCheck, labels: HealthLabels): readonly Effect[] {
  const set = (reason: HealthReason, value: 0 | 1): Effect =>
    gauge(setGauge('upgradeoperator_healthcheck_failed', { ...labels, reason }, value))
  return finding.isHealthy ? reasons.map((reason) => set(reason, 0)) : [set(finding.reason, 1)]
}
