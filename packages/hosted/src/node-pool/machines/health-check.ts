import { capi } from '@windlass/api'
import { isTrue, tryParseDuration } from '@windlass/core'
import { type Action, create, mergePatchBetween, patch, refOf, remove } from '@windlass/kube'
import type { Draft } from '@windlass/kube'
import { resourcesNameOf, spotHealthCheckName } from '../names.ts'
import type { Seen } from '../seen.ts'
import { Annotation, Label, PoolAnnotation } from '../wire.ts'
import { canonicalDuration, isSpot } from './machine-template.ts'

type HealthCheck = capi.MachineHealthCheck

/** Bare metal takes longer to start again. */
const slowPlatforms: ReadonlySet<string> = new Set(['Agent', 'None'])

export interface HealthCheckOutcome {
  readonly actions: readonly Action[]
  /** What AutorepairEnabled says; undefined while it is not known yet. */
  readonly isEnabled: boolean | undefined
}

/**
 * Repair begins when the first machine has reached the ignition server: before that, machines that cannot start would be replaced for ever. Each new
 * target starts the wait again, and a check that is there stays as it is meanwhile.
 */
export function healthCheckOutcome(seen: Seen, isIgnitionReached: boolean): HealthCheckOutcome {
  const live = healthCheckOf(seen, seen.name)
  const spot = spotActions(seen)
  if (seen.pool.spec.management.autoRepair !== true) return { actions: [...gone(live), ...spot], isEnabled: false }
  if (!isIgnitionReached) return { actions: [...resumed(live), ...spot], isEnabled: undefined }
  return { actions: [...written(live, healthCheck(seen, live)), ...spot], isEnabled: true }
}

/** A check of the pool, by name. */
export function healthCheckOf({ healthChecks }: Pick<Seen, 'healthChecks'>, name: string): HealthCheck | undefined {
  return healthChecks.find(({ metadata }) => metadata.name === name)
}

/** Why nothing is repaired though something is broken: too much is. */
export function remediationProblem(seen: Seen): { readonly reason: string; readonly message: string } | undefined {
  const conditions = healthCheckOf(seen, seen.name)?.status?.conditions ?? []
  const allowed = conditions.find(({ type }) => type === 'RemediationAllowed')
  if (allowed === undefined || allowed.status !== 'False') return undefined
  return { reason: allowed.reason ?? 'TooManyUnhealthy', message: allowed.message ?? '' }
}

export function isIgnitionReached(conditions: Parameters<typeof isTrue>[0]): boolean {
  return isTrue(conditions, 'ReachedIgnitionEndpoint')
}

function healthCheck(seen: Seen, live: HealthCheck | undefined): Draft<HealthCheck> {
  const { platform } = seen.pool.spec
  const timeout = durationFor(seen, PoolAnnotation.healthCheckTimeout, slowPlatforms.has(platform.type) ? '16m0s' : '8m0s')
  const resourcesName = resourcesNameOf(seen.cluster, seen.pool)
  return draft(
    seen,
    live,
    seen.name,
    { [resourcesName]: resourcesName },
    {
      timeout,
      maxUnhealthy: countFor(seen, PoolAnnotation.maxUnhealthy, 2),
      nodeStartupTimeout: durationFor(seen, PoolAnnotation.nodeStartupTimeout, '20m0s'),
    },
  )
}

/** Machines that the cloud has taken back are replaced whatever the pool says, and however many they are. */
function spotActions(seen: Seen): readonly Action[] {
  const name = spotHealthCheckName(seen.name)
  const live = healthCheckOf(seen, name)
  if (!isSpot(seen)) return gone(live)
  const limits = { timeout: '8m0s', maxUnhealthy: '100%', nodeStartupTimeout: '20m0s' }
  return written(live, draft(seen, live, name, { [Label.interruptible]: '' }, limits))
}

interface Limits {
  readonly timeout: string
  readonly maxUnhealthy: number | string
  readonly nodeStartupTimeout: string
}

function draft(
  { cluster, namespace, key }: Seen,
  live: HealthCheck | undefined,
  name: string,
  matchLabels: Readonly<Record<string, string>>,
  { timeout, maxUnhealthy, nodeStartupTimeout }: Limits,
): Draft<HealthCheck> {
  const { [Annotation.paused]: _, ...annotations } = live?.metadata.annotations ?? {}
  return {
    metadata: { ...live?.metadata, name, namespace, annotations: { ...annotations, [Annotation.nodePool]: key } },
    spec: {
      ...live?.spec,
      clusterName: cluster.spec.infraID ?? '',
      selector: { matchLabels },
      unhealthyConditions: ['False', 'Unknown'].map((status) => ({ type: 'Ready', status, timeout })),
      maxUnhealthy,
      nodeStartupTimeout,
    },
  }
}

function written(live: HealthCheck | undefined, wanted: Draft<HealthCheck>): readonly Action[] {
  if (live === undefined) return [create(capi.MachineHealthCheck, wanted, 'broken machines are to be replaced')]
  const change = mergePatchBetween(live, { ...live, ...wanted })
  return change === undefined ? [] : [patch(capi.MachineHealthCheck, refOf(live), change, 'the pool says so')]
}

/** It stays as it is, but not paused. */
function resumed(live: HealthCheck | undefined): readonly Action[] {
  if (live?.metadata.annotations?.[Annotation.paused] === undefined) return []
  return [
    patch(
      capi.MachineHealthCheck,
      refOf(live),
      { metadata: { annotations: { [Annotation.paused]: null } } },
      'its pool is not paused any more',
    ),
  ]
}

function gone(live: HealthCheck | undefined): readonly Action[] {
  if (live === undefined || live.metadata.deletionTimestamp !== undefined) return []
  return [remove(capi.MachineHealthCheck, live, 'broken machines are not to be replaced')]
}

/** What the pool says comes before what its cluster says. What cannot be read is as if it were not there. */
function override({ pool, cluster }: Seen, annotation: string, isReadable: (text: string) => boolean): string | undefined {
  const texts = [pool.metadata.annotations?.[annotation], cluster.metadata.annotations?.[annotation]]
  return texts.find((text) => text !== undefined && isReadable(text))
}

/** In Go's own form: webhooks of Cluster API write durations anew, and `8m` would come back as `8m0s` for ever. */
function durationFor(seen: Seen, annotation: string, usual: string): string {
  return canonicalDuration(override(seen, annotation, (text) => tryParseDuration(text) !== undefined) ?? usual)
}

function countFor(seen: Seen, annotation: string, usual: number): number | string {
  const text = override(seen, annotation, (each) => /^\d+%?$/.test(each))
  if (text === undefined) return usual
  return text.endsWith('%') ? text : Number(text)
}
