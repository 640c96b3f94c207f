import type { ConfigMap } from '@windlass/api'
import type { ConditionStatus } from '@windlass/core'
import type { Draft } from '@windlass/kube'
import { failed, found, type Lookup } from '../../hosted-cluster/index.ts'
import type { Outcome } from '../conditions/index.ts'
import { type Manifest, parseManifest } from '../config/index.ts'
import type { Seen } from '../seen.ts'
import { Label } from '../wire.ts'

const statusKey = 'status'
const prefix = 'performance.operator.openshift.io'
const types = ['Available', 'Progressing', 'Upgradeable', 'Degraded'] as const
const statuses: ReadonlySet<unknown> = new Set<ConditionStatus>(['True', 'False', 'Unknown'])

type Say = readonly [type: string, say: Outcome['say']]

/**
 * What the tuning operator says of the performance profile of a pool, as conditions of the pool. A pool without a profile has none; one whose profile
 * nobody has looked at yet keeps those that it has.
 */
export function profileConditions({ configMaps }: Seen, mirrors: readonly Draft<ConfigMap>[]): Lookup<readonly Say[]> {
  if (!mirrors.some(({ metadata }) => metadata.labels?.[Label.performanceProfile] === 'true')) {
    return found(types.map((type) => [`${prefix}/${type}`, 'remove']))
  }
  const told = configMaps.mirrored.filter(({ metadata }) => metadata.labels?.[Label.profileStatus] === 'true')
  const [configMap, ...others] = told
  if (configMap === undefined) return found([])
  if (others.length > 0)
    return failed(`there cannot be more than one PerformanceProfile ConfigMap status per NodePool. found: ${told.length}`)
  const status = parseManifest(configMap.data?.[statusKey] ?? '')
  if (typeof status === 'string')
    return failed(`the status in ConfigMap ${configMap.metadata.name ?? ''} of its PerformanceProfile cannot be read: ${status}`)
  const conditions: readonly unknown[] = Array.isArray(status['conditions']) ? status['conditions'] : []
  return found(conditions.flatMap(sayOf))
}

function sayOf(condition: unknown): readonly Say[] {
  if (typeof condition !== 'object' || condition === null) return []
  const { type, status, reason, message } = condition as Manifest
  if (!types.some((known) => known === type) || !statuses.has(status)) return []
  return [[`${prefix}/${String(type)}`, { status: status as ConditionStatus, reason: textOf(reason), message: textOf(message) }]]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
