import { UpgradeConfig } from '@windlass/api'
import { findCondition, type Instant, parseTime } from '@windlass/core'
import { entryOf, heldUpBy, newestFalse, type StepCondition } from '@windlass/upgrades'
import { ageOf, patience } from '../ages.ts'
import { behind, type Cause, causeOf, linkTo, placeOf, type Trouble } from '../cause.ts'
import type { ClassicEvidence } from '../evidence.ts'
import { together } from '../together.ts'
import { unknownUpdates, upgradeTroubles } from './cluster-version.ts'
import { extraWorkerTroubles, leavingWorkerTroubles } from './machines.ts'
import { objectingOperators } from './operators.ts'

type Deeper = (evidence: ClassicEvidence, now: Instant) => readonly Trouble[]

/** Steps that wait for something that can be looked at. */
const deeper: Partial<Record<StepCondition, Deeper>> = {
  IsClusterUpgradable: ({ clusterVersion, operators }) => {
    const troubles = upgradeTroubles(clusterVersion, operators)
    return troubles.length > 0 ? troubles : objectingOperators(operators)
  },
  ComputeCapacityReserved: extraWorkerTroubles,
  ComputeCapacityRemoved: leavingWorkerTroubles,
}

/** Steps that wait for what others tell about already: the version operator, the pools, the operators. */
const toldByOthers: ReadonlySet<string> = new Set<StepCondition>(['ControlPlaneUpgraded', 'WorkerNodesUpgraded'])

const remedies: Partial<Record<StepCondition, string>> = {
  StartedNotificationSent: 'Check the way to OCM: its address, the proxy, the token of the cluster.',
  ClusterHealthyBeforeUpgrade:
    'Put right what the health check names, or tell the operator to ignore it (healthCheck of its configuration).',
  ClusterHealthyAfterUpgrade: 'Put right what the health check names.',
  ExternalDependenciesAvailable: 'Check the way from the cluster to the address that is named.',
  ControlPlaneMaintenanceWindowCreated: 'Check that Alertmanager runs and can be reached.',
  WorkersMaintenanceWindowCreated: 'Check that Alertmanager runs and can be reached.',
  CompletedNotificationSent: 'Check the way to OCM: its address, the proxy, the token of the cluster.',
}

/** What a managed upgrade waits for. `others`: what is known of the cluster besides. */
export function upgradeCauses(evidence: ClassicEvidence, others: readonly Cause[], now: Instant): readonly Cause[] {
  const { upgradeConfig } = evidence
  if (upgradeConfig === undefined) return []
  const entry = entryOf(upgradeConfig)
  if (entry === undefined || entry.phase === 'New') return unnoticed(upgradeConfig, now)
  if (entry.phase === 'Pending') return pending(upgradeConfig, evidence, now)
  return entry.phase === 'Upgraded' ? [] : stepCauses(upgradeConfig, entry, evidence, others, now)
}

function unnoticed(upgradeConfig: UpgradeConfig, now: Instant): readonly Cause[] {
  const since = upgradeConfig.metadata.creationTimestamp
  const isLate = ageOf(since, now) > patience.address
  const problem = heldUpBy(upgradeConfig)
  const says = problem === undefined ? 'nobody has taken it up yet' : `it cannot be taken up: ${problem}`
  const link = linkTo(placeOf(UpgradeConfig, upgradeConfig, 'guest'), says, { reason: 'New', since })
  const remedy = 'See whether the operator for managed upgrades runs, and whether it can read its configuration.'
  return [causeOf({ weight: isLate ? 'Broken' : 'Working', links: [link], ...(isLate ? { remedy } : {}) })]
}

function pending(upgradeConfig: UpgradeConfig, { clusterVersion }: ClassicEvidence, now: Instant): readonly Cause[] {
  const { upgradeAt } = upgradeConfig.spec
  const place = placeOf(UpgradeConfig, upgradeConfig, 'guest')
  const at = parseTime(upgradeAt)
  if (at !== undefined && now < at) {
    const says = `its upgrade to ${upgradeConfig.spec.desired.version ?? 'its release'} begins at ${upgradeAt}`
    return [causeOf({ weight: 'Held', links: [linkTo(place, says, { reason: 'Pending' })] })]
  }
  const says = withProblem(`its time has come, ${upgradeAt}, and it has not begun`, upgradeConfig)
  const link = linkTo(place, says, { reason: 'Pending', since: upgradeAt })
  if (findCondition(clusterVersion.status?.conditions, 'RetrievedUpdates')?.status === 'False') {
    return [causeOf(behind(link, unknownUpdates(clusterVersion)))]
  }
  const isLate = ageOf(upgradeAt, now) > patience.address
  const remedy =
    heldUpBy(upgradeConfig) === undefined
      ? 'The version may not be on offer: the log of the operator for managed upgrades says so.'
      : 'Put right what is named: the operator tries again every minute.'
  return [causeOf({ weight: isLate ? 'Broken' : 'Waiting', links: [link], remedy })]
}

/** What keeps the operator from going on at all is in no condition. */
function withProblem(says: string, upgradeConfig: UpgradeConfig): string {
  const problem = heldUpBy(upgradeConfig)
  return problem === undefined || says.includes(problem) ? says : `${says}: ${problem}`
}

type Entry = NonNullable<ReturnType<typeof entryOf>>

function stepCauses(
  upgradeConfig: UpgradeConfig,
  entry: Entry,
  evidence: ClassicEvidence,
  others: readonly Cause[],
  now: Instant,
): readonly Cause[] {
  const step = newestFalse(entry)
  const place = placeOf(UpgradeConfig, upgradeConfig, 'guest')
  const failure = entry.conditions?.find(({ type }) => type === 'FailedUpgrade')
  if (step === undefined) {
    if (entry.phase !== 'Failed') return []
    const says = `its upgrade has failed: ${failure?.message ?? 'it does not say why'}`
    return [causeOf({ weight: 'Broken', links: [linkTo(place, says, { reason: 'Failed', since: failure?.lastTransitionTime })] })]
  }
  const { type, message = '', startTime: since } = step
  const said = withProblem(`step ${type} is not done: ${message}`, upgradeConfig)
  const link = linkTo(place, entry.phase === 'Failed' ? `its upgrade has failed: ${said}` : said, { reason: type, since })
  const found = deeper[type as StepCondition]?.(evidence, now) ?? []
  if (found.length > 0) return together(found.map((each) => behind(link, each)))
  if (toldByOthers.has(type) && others.length > 0) return []
  const unhealthy = type.startsWith('ClusterHealthy') ? ofOperators(link, message, others) : []
  if (unhealthy.length > 0) return unhealthy
  const isGoingOn = message.includes('still in progress') && !type.startsWith('ClusterHealthy')
  const remedy = remedies[type as StepCondition]
  return [causeOf({ weight: isGoingOn ? 'Working' : 'Broken', links: [link], ...(remedy === undefined ? {} : { remedy }) })]
}

/** A health check that names operators waits for them, and so does the upgrade. */
function ofOperators(link: Trouble['links'][0], message: string, others: readonly Cause[]): readonly Cause[] {
  if (!/operator/i.test(message)) return []
  return others
    .filter(({ links: [first], weight }) => first.object.kind === 'ClusterOperator' && weight === 'Broken')
    .map((cause) => ({ ...cause, links: [link, ...cause.links], explains: cause.explains + 1 }))
}
