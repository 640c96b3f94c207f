import { ClusterVersion, HostedCluster, type KubernetesObject } from '@windlass/api'
import { type Duration, type Instant, isInitialRollout } from '@windlass/core'
import { machineConfigPoolState, versionSide } from '../answers/classic/index.ts'
import { controlPlaneSide, guestSide, poolState } from '../answers/hosted/index.ts'
import { Moments } from '../answers/moments.ts'
import type { CauseLink } from '../contract/index.ts'
import { linkTo, placeOf } from './cause.ts'
import type { ClassicEvidence, Evidence, HostedEvidence } from './evidence.ts'

/** What is going on with a cluster as a whole. */
export interface Activity {
  /** The first link of every chain: the cluster itself. */
  readonly link: CauseLink
  /** What goes on, to begin a sentence with: `The upgrade to 4.20.3`. Undefined when nothing does. */
  readonly subject: string | undefined
  /** The cluster, to begin a sentence with. */
  readonly name: string
  /** It takes longer than it may. */
  readonly isStalled: boolean
  /** Pools whose nodes do: their update goes on after that of the cluster. */
  readonly stalledPools: ReadonlySet<string>
}

interface Entry {
  readonly state: string
  readonly version?: string
  readonly startedTime: string
}

/** By the rules that rows of the fleet are judged by: what is stalled there must not go on as usual here. */
export function activityOf(evidence: Evidence, now: Instant, threshold: Duration): Activity {
  const judge: Judge = { moments: new Moments(now), threshold }
  return evidence.kind === 'Classic'
    ? { ...ofClassic(evidence, judge), stalledPools: stalledOf(evidence.machineConfigPools, (pool) => machineConfigPoolState(pool, judge)) }
    : { ...ofHosted(evidence, judge), stalledPools: stalledOf(evidence.pools, (pool) => poolState(pool, judge)) }
}

function stalledOf<T extends KubernetesObject>(pools: readonly T[], stateOf: (pool: T) => string): ReadonlySet<string> {
  return new Set(pools.filter((pool) => stateOf(pool) === 'Stalled').map(({ metadata }) => metadata.name ?? ''))
}

type Whole = Omit<Activity, 'stalledPools'>

interface Judge {
  readonly moments: Moments
  readonly threshold: Duration
}

function ofHosted(evidence: HostedEvidence, { moments, threshold }: Judge): Whole {
  const { hostedCluster, id } = evidence
  const place = placeOf(HostedCluster, hostedCluster, 'management')
  const name = `Cluster ${id}`
  const { deletionTimestamp: since } = hostedCluster.metadata
  if (since !== undefined) {
    const link = linkTo(place, 'it is being deleted', { reason: 'Deleting', since })
    return { name, subject: 'The deletion', link, isStalled: false }
  }
  const { controlPlaneVersion, version } = hostedCluster.status ?? {}
  const ofControlPlane = rollout(controlPlaneVersion?.history)
  if (ofControlPlane !== undefined || controlPlaneVersion === undefined) {
    const { subject = 'The installation', says = 'it is being installed', since: begun } = ofControlPlane ?? {}
    const isStalled = controlPlaneSide(evidence, threshold, moments).state === 'Stalled'
    return { name, subject, link: linkTo(place, says, { since: begun ?? hostedCluster.metadata.creationTimestamp }), isStalled }
  }
  const ofGuest = rollout(version?.history)
  const runs = controlPlaneVersion.history?.[0]?.version ?? ''
  if (ofGuest === undefined) return { name, subject: undefined, link: linkTo(place, `its control plane runs ${runs}`), isStalled: false }
  return {
    name,
    subject: ofGuest.subject,
    link: linkTo(place, `its control plane runs ${runs}; in the guest ${ofGuest.says}`, { since: ofGuest.since }),
    isStalled: guestSide(evidence, threshold, moments).state === 'Stalled',
  }
}

function ofClassic(evidence: ClassicEvidence, { moments, threshold }: Judge): Whole {
  const { clusterVersion, id } = evidence
  const place = placeOf(ClusterVersion, clusterVersion, 'guest')
  const name = `Cluster ${id}`
  const running = rollout(clusterVersion.status?.history)
  if (running !== undefined) {
    const isStalled = versionSide(evidence, threshold, moments).state === 'Stalled'
    return { name, subject: running.subject, link: linkTo(place, running.says, { since: running.since }), isStalled }
  }
  const version = clusterVersion.status?.history?.[0]?.version
  const says = version === undefined ? 'it does not say what it runs' : `it runs ${version}`
  return { name, subject: undefined, link: linkTo(place, says), isStalled: false }
}

/** The update that is under way; undefined when none is. */
function rollout(
  history: readonly Entry[] | undefined,
): { readonly subject: string; readonly says: string; readonly since: string } | undefined {
  const [newest] = history ?? []
  if (newest === undefined || newest.state === 'Completed') return undefined
  const { version = 'its release', startedTime: since } = newest
  return isInitialRollout(history)
    ? { subject: `The installation of ${version}`, says: `it is being installed with ${version}`, since }
    : { subject: `The upgrade to ${version}`, says: `it goes to ${version}`, since }
}
