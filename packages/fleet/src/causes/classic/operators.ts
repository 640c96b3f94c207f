import { ClusterOperator, type ClusterVersion } from '@windlass/api'
import { findCondition, type Instant, isInitialRollout, isTrue } from '@windlass/core'
import { ageOf, patience } from '../ages.ts'
import { behind, type Cause, causeOf, linkTo, placeOf, type Trouble, worse } from '../cause.ts'

/** What operators are judged by. */
export interface OperatorEvidence {
  readonly clusterVersion: ClusterVersion
  readonly operators: readonly ClusterOperator[]
  /** What the operator for machine configs waits for; nothing in hosted clusters. */
  readonly poolTroubles: readonly Trouble[]
}

/** Operators that are ill, and those that an update waits for. Operators whose turn has not come wait for these, and are told as their number. */
export function operatorCauses(evidence: OperatorEvidence, now: Instant): readonly Cause[] {
  const { clusterVersion, operators } = evidence
  const [newest] = clusterVersion.status?.history ?? []
  const target = newest?.state === 'Partial' ? newest.version : undefined
  const lagging = target === undefined ? [] : operators.filter((operator) => !isAt(operator, target))
  const isInstalling = isInitialRollout(clusterVersion.status?.history)
  const awaited = target === undefined ? new Set<string>() : awaitedIn(clusterVersion, operators)
  return operators.flatMap((operator): readonly Cause[] => {
    const name = operator.metadata.name ?? ''
    const isLagging = lagging.includes(operator)
    const isAwaited = awaited.has(name)
    const illness = illnessOf(operator, isInstalling, now)
    const waiting = !isLagging || (awaited.size > 0 && !isAwaited) ? undefined : lagOf(operator, target ?? '', isAwaited, now)
    const trouble = illness ?? waiting
    if (trouble === undefined) return []
    const explains = isAwaited ? Math.max(1, lagging.length) : 1
    const deeper = name === 'machine-config' ? evidence.poolTroubles : []
    if (deeper.length === 0) return [causeOf(trouble, explains)]
    return deeper.map((each) => causeOf({ ...behind(trouble.links[0], each), weight: worse(trouble.weight, each.weight) }, explains))
  })
}

function isAt({ status }: ClusterOperator, version: string): boolean {
  return status?.versions?.some((each) => each.name === 'operator' && each.version === version) === true
}

/** Which operators the version operator waits for, by its own words. */
function awaitedIn({ status }: ClusterVersion, operators: readonly ClusterOperator[]): ReadonlySet<string> {
  const said = ['Progressing', 'Failing'].map((type) => findCondition(status?.conditions, type)?.message ?? '').join(' ')
  const words = new Set(said.slice(Math.max(0, said.search(/wait|operator/i))).split(/[^a-z0-9-]+/))
  return new Set(operators.map(({ metadata }) => metadata.name ?? '').filter((name) => words.has(name)))
}

/** An operator that is replaced is away for a moment; one that is installed has never been there. */
const usualAbsence = 2 * 60_000

function illnessOf(operator: ClusterOperator, isInstalling: boolean, now: Instant): Trouble | undefined {
  const { conditions } = operator.status ?? {}
  const absence = findCondition(conditions, 'Available')
  const illness = findCondition(conditions, 'Degraded')
  const place = placeOf(ClusterOperator, operator, 'guest')
  const said = absence?.status === 'False' ? absence : illness?.status === 'True' ? illness : undefined
  if (said === undefined) return undefined
  const says = said === absence ? 'it is not available' : 'it is degraded'
  const { reason, message = '', lastTransitionTime: since } = said
  const isUsual = ageOf(since, now) < (isInstalling ? patience.operator : usualAbsence)
  return {
    weight: isUsual ? 'Working' : 'Broken',
    links: [linkTo(place, message === '' ? says : `${says}: ${message}`, { reason, since })],
    remedy: 'Follow what its message names; the Pods and the log of the operator say more.',
  }
}

function lagOf(operator: ClusterOperator, target: string, isAwaited: boolean, now: Instant): Trouble | undefined {
  const { conditions, versions = [] } = operator.status ?? {}
  const progressing = findCondition(conditions, 'Progressing')
  const isProgressing = isTrue(conditions, 'Progressing')
  if (!isAwaited && !isProgressing) return undefined
  const name = operator.metadata.name ?? ''
  const version = versions.find((each) => each.name === 'operator')?.version
  const since = isProgressing ? progressing?.lastTransitionTime : undefined
  const isLate = ageOf(since, now) > (name === 'machine-config' ? patience.machineConfig : patience.operator)
  const where =
    version === undefined ? `it does not say which version it has; ${target} is awaited` : `it has ${version} and goes to ${target}`
  const words = isProgressing && (progressing?.message ?? '') !== '' ? `${where}: ${progressing?.message ?? ''}` : where
  return {
    weight: isLate || version === undefined || !isProgressing ? 'Waiting' : 'Working',
    links: [
      linkTo(placeOf(ClusterOperator, operator, 'guest'), words, {
        reason: version === undefined ? 'VersionUnknown' : (progressing?.reason ?? 'Updating'),
        since,
      }),
    ],
    ...(isLate || version === undefined ? { remedy: 'See in the log of the operator what it waits for.' } : {}),
  }
}

/** Operators that object to the next minor. */
export function objectingOperators(operators: readonly ClusterOperator[]): readonly Trouble[] {
  return operators.flatMap((operator): readonly Trouble[] => {
    const objection = findCondition(operator.status?.conditions, 'Upgradeable')
    if (objection?.status !== 'False') return []
    const { reason, message = '', lastTransitionTime: since } = objection
    const says = `it objects to the next minor: ${message}`
    return [
      {
        weight: 'Held',
        links: [linkTo(placeOf(ClusterOperator, operator, 'guest'), says, { reason, since })],
        remedy: 'Do what its message asks for; the objection goes by itself then.',
      },
    ]
  })
}
