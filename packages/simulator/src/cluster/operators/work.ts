import type { Instant } from '@windlass/core'
import { hash32 } from '../../identity/index.ts'
import type { PayloadOperator } from '../payload/index.ts'
import { type Settings, takes, workTakes } from '../settings.ts'
import type { Order } from '../version-operator/index.ts'

/** How far an operator is with what it was told. */
export interface Work {
  readonly isDone: boolean
  /** What it says meanwhile; undefined when it is one that says nothing. */
  readonly message: string | undefined
  /** It is away for a moment. */
  readonly isAway: boolean
  /** When something about this changes. */
  readonly moments: readonly Instant[]
}

export interface WorkOptions {
  readonly settings: Settings
  /** Tells this operator of this cluster from all others. */
  readonly identity: string
  /** How many times as long as usual it takes. */
  readonly slowness: number
  /** It never gets there. */
  readonly isStuck: boolean
}

/** One in so many operators is away for a moment while it updates itself. */
const awayOneIn = 8

/** An operator that needs nothing but time. */
export function workOn(
  operator: PayloadOperator,
  { release, since }: Order,
  { settings, identity, slowness, isStuck }: WorkOptions,
  now: Instant,
): Work {
  const who = `${identity}/${release.image}`
  const length = workTakes(settings, operator.minutes, who) * slowness
  const end = since + length
  const isDone = now >= end && !isStuck
  const leaves = since + length / 2
  const returns = Math.min(end, leaves + takes(settings, 'absence', who))
  const isOneAway = hash32(`${settings.seed}/away/${who}`) % awayOneIn === 0
  const node = nodesDone((now - since) / length)
  return {
    isDone,
    message: operator.isQuiet && !isStuck ? undefined : messageOf(operator, release.version, node),
    isAway: isOneAway && !isDone && now >= leaves && now < returns,
    moments: [
      end,
      ...(isOneAway ? [leaves, returns] : []),
      ...(operator.sort === 'static-pods' ? [since + length / 3, since + (2 * length) / 3] : []),
    ],
  }
}

/** Static pods restart on one of the three nodes of a control plane after the other. */
function nodesDone(part: number): number {
  return Math.min(2, Math.floor(3 * part))
}

function messageOf({ sort, name }: PayloadOperator, version: string, done: number): string {
  if (sort !== 'static-pods') return `Working towards ${version}`
  const revision = 5 + (hash32(`${name}/${version}`) % 40)
  if (done === 0) return `NodeInstallerProgressing: 3 nodes are at revision ${revision}; 0 nodes have achieved new revision ${revision + 1}`
  return `NodeInstallerProgressing: ${3 - done} nodes are at revision ${revision}; ${done} nodes are at revision ${revision + 1}`
}
