import { currentVersionLabel } from '../cluster/cluster-version.ts'
import { isEnabled } from '../config/index.ts'
import { notify } from '../effects/effect.ts'
import {
  checkAlerts,
  checkBudgets,
  checkCapacity,
  checkCordoned,
  checkOperators,
  checkPressure,
  gaugesOf,
  type HealthCheck,
  type HealthLabels,
} from '../health/index.ts'
import { look, missing } from '../observed/look.ts'
import type { FactName } from '../observed/facts.ts'
import { failed, notDone, type Pass, type Step, stepDone, unlessCommenced, type Verdict } from './step.ts'

export const preUpgradeHealthCheck: Step = {
  type: 'ClusterHealthyBeforeUpgrade',
  name: 'Pre-upgrade health check',
  decide: (pass) => unlessCommenced(pass, () => checkHealth(pass)),
}

/**
 * Looks at everything, always. Alerts and operators hold an upgrade up. What else is wrong is measured, and told with the gate PreHealthCheck: a customer can
 * repair it, and the drain of a node gets by without.
 */
export function checkHealth(pass: Pass): Verdict {
  const needed = neededFacts(pass)
  const unknown = missing(pass.facts, needed)
  if (unknown.length > 0) return look(...unknown)
  return isEnabled(pass.config, 'PreHealthCheck') ? withList(pass) : withoutList(pass)
}

function neededFacts({ upgradeConfig, config, facts }: Pass): readonly FactName[] {
  const others: readonly FactName[] = [
    ...(upgradeConfig.spec.capacityReservation === true ? (['machineSets'] as const) : []),
    'nodes',
    'budgets',
    'deploymentValidation',
  ]
  if (isEnabled(config, 'PreHealthCheck')) return ['alerts', 'clusterOperators', ...others]
  // The first failure ends it: what comes after need not be looked at.
  if (facts.alerts === undefined) return ['alerts']
  if (!checkAlerts(facts.alerts).finding.isHealthy) return []
  if (facts.clusterOperators === undefined) return ['clusterOperators']
  return checkOperators(facts.clusterOperators).finding.isHealthy ? others : []
}

/** The gate is off: the first of the two that block speaks, the others are only measured. */
function withoutList(pass: Pass): Verdict {
  const labels = healthLabels(pass)
  const blocking = blockingChecks(pass)
  const index = blocking.findIndex(({ finding }) => !finding.isHealthy)
  const finding = blocking[index]?.finding
  if (finding !== undefined && !finding.isHealthy) {
    return failed(finding.message, ...blocking.slice(0, index + 1).flatMap((check) => gaugesOf(check, labels)))
  }
  return stepDone(...[...blocking, ...otherChecks(pass)].flatMap((check) => gaugesOf(check, labels)))
}

/** The gate is on: everything that is wrong is told as one list. */
function withList(pass: Pass): Verdict {
  const blocking = blockingChecks(pass)
  const checks = [...blocking, ...otherChecks(pass)]
  const gauges = checks.flatMap((check) => gaugesOf(check, healthLabels(pass)))
  const result = checks.flatMap(({ finding }) => (finding.isHealthy ? [] : [finding.token])).join(',')
  if (result === '') return stepDone(...gauges)
  switch (pass.entry.phase) {
    case 'New':
      return notDone(result, ...gauges, notify('StatePreHealthCheckSL', { result }))
    case 'Upgrading': {
      const effects = [...gauges, notify('StateHealthCheckSL', { result })]
      return blocking.every(({ finding }) => finding.isHealthy) ? stepDone(...effects) : notDone(result, ...effects)
    }
    case 'Pending':
    case 'Upgraded':
    case 'Failed':
    case 'Unknown':
      return notDone(result, ...gauges)
    default:
      return pass.entry.phase satisfies never
  }
}

function blockingChecks({ facts }: Pass): readonly HealthCheck[] {
  return [
    ...(facts.alerts === undefined ? [] : [checkAlerts(facts.alerts)]),
    ...(facts.clusterOperators === undefined ? [] : [checkOperators(facts.clusterOperators)]),
  ]
}

function otherChecks({ upgradeConfig, facts }: Pass): readonly HealthCheck[] {
  const { machineSets, nodes, budgets, deploymentValidation } = facts
  return [
    ...(upgradeConfig.spec.capacityReservation === true && machineSets !== undefined ? [checkCapacity(machineSets)] : []),
    ...(nodes === undefined ? [] : [checkCordoned(nodes), checkPressure(nodes)]),
    ...(budgets === undefined || deploymentValidation === undefined ? [] : [checkBudgets(budgets, deploymentValidation)]),
  ]
}

export function healthLabels({ upgradeConfig, entry, facts }: Pass): HealthLabels {
  return {
    upgradeconfig_name: upgradeConfig.metadata.name ?? '',
    state: entry.phase,
    version: currentVersionLabel(facts.clusterVersion),
  }
}
