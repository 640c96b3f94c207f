import type { PodDisruptionBudget } from '@windlass/api'
import type { Seen } from '../observed/seen.ts'
import { type HealthCheck, type HealthReason, healthy, unhealthy } from './check.ts'
import { type DeploymentValidation, type NamedBudget, readBudgetReport } from './deployment-validation.ts'

/** Namespaces of the platform that hold what customers configure. */
const exceptions = new Set([
  'openshift-logging',
  'openshift-redhat-marketplace',
  'openshift-operators',
  'openshift-customer-monitoring',
  'openshift-cnv',
  'openshift-route-monitoring-operator',
  'openshift-user-workload-monitoring',
  'openshift-pipelines',
])

/** Budgets of the platform are its own business. */
export function isConsidered(namespace: string): boolean {
  return !namespace.startsWith('openshift-') || exceptions.has(namespace)
}

/** Whether a budget never lets a pod go. How many an amount of `minAvailable` leaves depends on how many there are, so it is not judged. */
export function isBlocking({ spec }: PodDisruptionBudget): boolean {
  return spec.maxUnavailable === 0 || spec.maxUnavailable === '0%' || spec.minAvailable === '100%'
}

const reasons = [
  'pdb_query_failed',
  'cluster_invalid_pdb_configuration',
  'dvo_client_creation_failed',
  'dvo_metrics_query_failed',
  'cluster_invalid_pdb',
] as const

/** The budgets themselves, and, where there is one, what the Deployment Validation Operator says about them. */
export function checkBudgets(budgets: Seen<readonly PodDisruptionBudget[]>, validation: DeploymentValidation): HealthCheck {
  if ('problem' in budgets) return bad('pdb_query_failed', `disruption budgets could not be listed: ${budgets.problem}`)
  const blocking = budgets.value
    .filter((budget) => isConsidered(budget.metadata.namespace ?? '') && isBlocking(budget))
    .map(({ metadata }) => ({ Name: metadata.name ?? '', Namespace: metadata.namespace ?? '' }))
  if (blocking.length > 0) return bad('cluster_invalid_pdb_configuration', `disruption budgets let no pod go: ${named(blocking)}`, blocking)
  switch (validation.is) {
    case 'not installed':
      return healthy(reasons)
    case 'unreachable':
      return bad('dvo_client_creation_failed', `the Deployment Validation Operator cannot be reached: ${validation.problem}`)
    case 'unanswered':
      return bad('dvo_metrics_query_failed', `the Deployment Validation Operator did not answer: ${validation.problem}`)
    case 'answered': {
      const report = readBudgetReport(validation.metrics, isConsidered)
      if (!report.isBad) return healthy(reasons)
      return bad(
        'cluster_invalid_pdb',
        `the Deployment Validation Operator reports disruption budgets: ${named(report.budgets)}`,
        report.budgets,
      )
    }
    default:
      return validation satisfies never
  }
}

function bad(reason: HealthReason, message: string, budgets: readonly NamedBudget[] = []): HealthCheck {
  return unhealthy(reasons, reason, message, `PDBHealthcheckFailed: ${JSON.stringify(budgets)}`)
}

function named(budgets: readonly NamedBudget[]): string {
  return budgets.map(({ Name, Namespace }) => `${Namespace}/${Name}`).join(', ')
}
