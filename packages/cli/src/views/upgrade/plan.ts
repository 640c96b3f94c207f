import type { UpgradeConfig } from '@windlass/api'
import { formatTime, type Instant, parseTime, shortDuration } from '@windlass/core'
import {
  type ConfigUser,
  checkBudgets,
  checkCapacity,
  checkConfig,
  checkCordoned,
  checkOperators,
  checkPressure,
  ConfigError,
  currentVersion,
  type HealthCheck,
  type OperatorConfig,
  originalsOf,
  type StepCondition,
  upgraderFor,
  validate,
} from '@windlass/upgrades'
import { type Paint, plain } from '../colours.ts'
import { stateCell } from '../states.ts'
import { tableLines } from '../table.ts'
import { type ExpectedTime, expectedLine, expectedTime, longestPerNode, workersOf } from './expected-time.ts'
import type { ClusterSeen } from './reading.ts'

/** What an upgrade would do. */
export interface UpgradePlan {
  readonly from: string
  readonly to: string
  readonly upgradeAt: string
  readonly type: string
  /** Who says which upgrades there are: OCM, or people. */
  readonly provider: 'OCM' | 'LOCAL' | 'nobody'
  readonly validation: { readonly isValid: boolean; readonly why?: string }
  readonly health: readonly PlannedCheck[]
  readonly expected: ExpectedTime
  readonly steps: readonly PlannedStep[]
}

export interface PlannedCheck {
  readonly check: string
  /** Absent when nobody looked. */
  readonly isHealthy?: boolean
  /** What is wrong, or why nobody looked. */
  readonly message?: string
  /** Whether the upgrade would wait for it. */
  readonly blocks: boolean
}

export interface PlannedStep {
  readonly step: string
  readonly condition: string
  readonly what: string
}

type Spec = UpgradeConfig['spec']

/** Works out what would happen, from what is there now. Alerts are not looked at: the monitoring of the cluster is not open to everybody. */
export function planUpgrade(spec: Spec, seen: ClusterSeen, now: Instant): UpgradePlan {
  const { clusterVersion, config } = seen
  const upgradeConfig: UpgradeConfig = {
    apiVersion: 'upgrade.managed.openshift.io/v1alpha1',
    kind: 'UpgradeConfig',
    metadata: { name: 'managed-upgrade-config' },
    spec,
  }
  const validation = validate({ upgradeConfig, config, facts: { clusterVersion: { value: clusterVersion } } })
  return {
    from: currentVersion(clusterVersion) ?? '',
    to: spec.desired.version ?? spec.desired.image ?? '',
    upgradeAt: spec.upgradeAt,
    type: spec.type,
    provider: providerOf(config),
    validation: verdictOf(validation),
    health: [...fitnessOf(upgradeConfig, seen, now), ...healthOf(spec, seen)],
    expected: expectedTime(spec, seen),
    steps: upgraderFor(spec.type).steps.map(({ name, type }) => ({ step: name, condition: type, what: whats[type]?.(spec, seen) ?? '' })),
  }
}

/** A source that nobody knows is told as a problem of the configuration. */
function providerOf({ 'configManager.source': source }: OperatorConfig): UpgradePlan['provider'] {
  const known = source?.toUpperCase()
  return known === 'OCM' || known === 'LOCAL' ? known : 'nobody'
}

function verdictOf(validation: ReturnType<typeof validate>): UpgradePlan['validation'] {
  switch (validation.is) {
    case 'valid':
      return { isValid: true }
    case 'not available':
      return { isValid: true, why: `it would wait for ${validation.why}` }
    case 'look':
      return { isValid: true, why: `only the operator can tell: it looks up ${validation.at.join(', ')}` }
    case 'invalid':
      return { isValid: false, why: validation.why }
    default:
      return validation satisfies never
  }
}

/** Who reads the configuration on the way: what is wrong for any of them holds the upgrade up. */
const configUsers: readonly ConfigUser[] = ['upgrader', 'node keeper', 'manager', 'notifier']

/** What is no matter of health and ends an upgrade all the same, asked of the steps themselves. */
function fitnessOf(upgradeConfig: UpgradeConfig, { clusterVersion, config }: ClusterSeen, now: Instant): readonly PlannedCheck[] {
  const { type, desired } = upgradeConfig.spec
  const upgradeable = upgraderFor(type).steps.find((step) => step.type === 'IsClusterUpgradable')
  // The version of an image is known to the operator alone.
  if (upgradeable === undefined || desired.version === undefined) return [configurationOf(config)]
  const entry = { version: desired.version, phase: 'Upgrading' } as const
  const verdict = upgradeable.decide({ upgradeConfig, entry, config, facts: { clusterVersion: { value: clusterVersion } }, now })
  const refusal = verdict.is === 'failed' ? { isHealthy: false, message: verdict.message } : { isHealthy: true }
  return [configurationOf(config), { check: 'upgradeable', blocks: true, ...refusal }]
}

function configurationOf(config: OperatorConfig): PlannedCheck {
  try {
    for (const user of configUsers) checkConfig(config, user)
    return { check: 'configuration', isHealthy: true, blocks: true }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { check: 'configuration', isHealthy: false, message: error.message, blocks: true }
  }
}

const alerts: PlannedCheck = { check: 'alerts', blocks: true, message: 'only the operator may ask the monitoring' }

function healthOf(spec: Spec, { operators, nodes, budgets, machineSets }: ClusterSeen): readonly PlannedCheck[] {
  const dvo = { is: 'not installed' } as const
  const checks: readonly (readonly [check: string, result: HealthCheck, blocks: boolean])[] = [
    ['cluster operators', checkOperators({ value: operators }), true],
    ...(spec.capacityReservation === true ? [['extra workers', checkCapacity({ value: machineSets }), false] as const] : []),
    ['cordoned nodes', checkCordoned({ value: nodes }), false],
    ['nodes under pressure', checkPressure({ value: nodes }), false],
    ['disruption budgets', checkBudgets({ value: budgets }, dvo), false],
  ]
  const planned = checks.map(([check, { finding }, blocks]): PlannedCheck =>
    finding.isHealthy ? { check, isHealthy: true, blocks } : { check, isHealthy: false, message: finding.message, blocks },
  )
  return [alerts, ...planned]
}

type What = (spec: Spec, seen: ClusterSeen) => string

const nothing = 'nothing'
const workers: What = (spec, seen) => `${workersOf(seen)} workers, up to ${shortDuration(longestPerNode(spec, seen.config))} each`

/** What a step does for this upgrade, and how long it may take; nothing is said about steps that are the same for every one. */
const whats: Partial<Record<StepCondition, What>> = {
  ExternalDependenciesAvailable: (_, { config }) => `asks ${config['extDependencyAvailabilityChecks.http.urls'].length} addresses`,
  ComputeCapacityReserved: (spec, seen) =>
    spec.capacityReservation === true
      ? `adds ${extrasOf(seen)} machines, and waits for each up to ${minutes(seen.config, 'scale.timeOut')}`
      : nothing,
  ControlPlaneMaintenanceWindowCreated: (_, { config }) =>
    `silences warnings of the platform for ${minutes(config, 'maintenance.controlPlaneTime')}`,
  UpgradeCommenced: (spec, { config }) => commencing(spec, config),
  ControlPlaneUpgraded: (_, { config }) => `alerts when it takes longer than ${minutes(config, 'maintenance.controlPlaneTime')}`,
  WorkersMaintenanceWindowCreated: workers,
  WorkerNodesUpgraded: workers,
  ComputeCapacityRemoved: (spec) => (spec.capacityReservation === true ? 'removes those machines' : nothing),
  PostUpgradeTasksCompleted: (_, { config }) => (config['environment.fedramp'] ? 'makes the database of file checksums anew' : nothing),
}

function commencing({ upgradeAt, type }: Spec, config: OperatorConfig): string {
  const at = parseTime(upgradeAt)
  const window = config['upgradeWindow.timeOut'] * 60_000
  const limit = at === undefined || window === 0 || type === 'ARO' ? '' : `; fails if it has not come here by ${formatTime(at + window)}`
  return `asks for the update: there is no way back from here${limit}`
}

function minutes(config: OperatorConfig, key: 'scale.timeOut' | 'maintenance.controlPlaneTime'): string {
  return shortDuration(config[key] * 60_000)
}

function extrasOf({ machineSets, config }: ClusterSeen): number {
  return originalsOf(machineSets, config['scale.extraMachinePools']).length
}

export function planLines(
  { from, to, upgradeAt, type, provider, validation, health, expected, steps }: UpgradePlan,
  paint: Paint = plain,
): readonly string[] {
  const why = validation.why === undefined ? '' : `: ${validation.why}`
  return [
    `From ${from} to ${to}, ${type}, at ${upgradeAt}`,
    `Valid:    ${validation.isValid ? paint('yes', 'green') : paint('no', 'red')}${why}`,
    `Provider: ${provider === 'OCM' ? 'OCM; upgrades are scheduled there' : provider}`,
    `Takes:    ${expectedLine(expected)}`,
    '',
    ...tableLines(
      ['CHECK', 'HEALTHY', 'BLOCKS', 'MESSAGE'],
      health.map(({ check, isHealthy, blocks, message = '' }) => [
        check,
        isHealthy === undefined ? 'not checked' : stateCell(isHealthy ? 'yes' : 'no'),
        blocks ? 'yes' : 'no',
        message,
      ]),
      paint,
    ),
    '',
    ...tableLines(
      ['', 'STEP', 'WHAT IT DOES'],
      steps.map(({ step, what }, index) => [String(index + 1), step, what]),
    ),
  ]
}
