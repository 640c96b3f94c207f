import type { ClusterOperator } from '@windlass/api'
import { findCondition, type Instant, isTrue, parseTime } from '@windlass/core'
import { type Payload, type PayloadOperator, versionsAt } from '../payload/index.ts'
import type { Release } from '../updates/index.ts'

export type Operators = ReadonlyMap<string, ClusterOperator>

/** An operator that is not well, and since when. */
export interface Trouble {
  readonly name: string
  readonly since: Instant
}

/** Operators that an update waits for, each once and in the order of their names: unavailable before degraded before behind. */
export interface HoldUps {
  readonly unavailable: readonly Trouble[]
  readonly degraded: readonly Trouble[]
  readonly updating: readonly string[]
}

export interface Gate {
  readonly operators: Operators
  readonly payload: Payload
  readonly release: Release
  readonly isDegradedBlocking: boolean
}

/**
 * What holds up the steps up to this one. Each must be available, not degraded, and at all versions of the release. Whether it says that it is progressing does not
 * matter.
 */
export function holdUps({ operators, payload, release, isDegradedBlocking }: Gate, step: number): HoldUps {
  const unavailable: Trouble[] = []
  const degraded: Trouble[] = []
  const updating: string[] = []
  const names = [...payload.operators.keys()].sort()
  for (const name of names) {
    const known = payload.operators.get(name)
    if (known === undefined || known.step > step) continue
    const operator = operators.get(name)
    const since = (type: string): Instant => parseTime(findCondition(operator?.status?.conditions, type)?.lastTransitionTime) ?? 0
    if (operator === undefined || isNew(operator)) updating.push(name)
    else if (!isTrue(operator.status?.conditions, 'Available')) unavailable.push({ name, since: since('Available') })
    else if (isDegradedBlocking && isTrue(operator.status?.conditions, 'Degraded')) degraded.push({ name, since: since('Degraded') })
    else if (!hasVersions(operator, known.operator, release)) updating.push(name)
  }
  return { unavailable, degraded, updating }
}

export function isNothing({ unavailable, degraded, updating }: HoldUps): boolean {
  return unavailable.length + degraded.length + updating.length === 0
}

/** Whether the operator says that it has all versions of the release. */
export function hasVersions(operator: ClusterOperator | undefined, known: PayloadOperator, release: Release): boolean {
  const told = operator?.status?.versions ?? []
  return versionsAt(known, release).every(({ name, version }) => told.some((each) => each.name === name && each.version === version))
}

/** One that has never been there is not missed yet. */
function isNew({ status }: ClusterOperator): boolean {
  return (status?.versions ?? []).length === 0 && !isTrue(status?.conditions, 'Available')
}
