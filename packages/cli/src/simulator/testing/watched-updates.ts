import {
  ClusterOperator,
  ClusterOperatorProgressInsight,
  ClusterVersion,
  ClusterVersionProgressInsight,
  MachineConfig,
  MachineConfigPool,
  MachineConfigPoolProgressInsight,
  NodeProgressInsight,
  toCrd,
  UpdateHealthInsight,
} from '@windlass/api'
import { aReleaseImage } from '@windlass/api/fixtures'
import { type Instant, type LearnedEstimate, parseTime } from '@windlass/core'
import { type Learned, learnFrom } from '@windlass/insights'
import type { World } from '@windlass/kube/simulation'

export const definitions = [
  ClusterVersion,
  ClusterOperator,
  MachineConfig,
  MachineConfigPool,
  ClusterVersionProgressInsight,
  ClusterOperatorProgressInsight,
  MachineConfigPoolProgressInsight,
  NodeProgressInsight,
  UpdateHealthInsight,
].map(toCrd)

/** What was said about an update at one moment. */
export interface Sample {
  readonly at: Instant
  /** When the control plane should be done, by the compatible estimate. */
  readonly compatible: Instant | undefined
  readonly learned: LearnedEstimate | undefined
  /** The same of the workers. */
  readonly workers: LearnedEstimate | undefined
}

/** An update from beginning to end. */
export interface WatchedUpdate {
  readonly to: string
  readonly startedAt: Instant
  /** Of the control plane. */
  readonly endedAt: Instant
  readonly workersEndedAt: Instant
  readonly samples: readonly Sample[]
}

export interface WatchOptions {
  /** Where to, one after the other. */
  readonly versions: readonly string[]
  /** What is done right after an update was asked for, and before each look. */
  readonly meddle?: (to: string, minute: number) => Promise<void>
}

const version = { name: 'version' } as const

/** Takes a cluster through updates, and looks every minute at what is said about them. */
export async function watchUpdates(world: World, { versions, meddle }: WatchOptions): Promise<readonly WatchedUpdate[]> {
  const watched: WatchedUpdate[] = []
  for (const to of versions) {
    await world.client.patch(ClusterVersion, version, { spec: { desiredUpdate: { version: to, image: aReleaseImage(to) } } })
    await world.until(() => newest(world)?.version === to, { within: '10m' })
    const samples: Sample[] = []
    for (let minute = 0; !isOver(world, to); minute++) {
      if (minute > 24 * 60) throw new Error(`the update to ${to} does not end`)
      await meddle?.(to, minute)
      await world.sleep('1m')
      samples.push(look(world))
    }
    const { startedTime, completionTime } = newest(world) ?? {}
    const workers = world.state.list(NodeProgressInsight).filter(({ status }) => status?.scopeType === 'WorkerPool')
    const workersEndedAt = Math.max(0, ...workers.map(({ status }) => parseTime(status?.conditions?.[0]?.lastTransitionTime) ?? 0))
    watched.push({ to, startedAt: parseTime(startedTime) ?? 0, endedAt: parseTime(completionTime) ?? 0, workersEndedAt, samples })
    await world.sleep('10m')
  }
  return watched
}

const newest = (world: World) => world.state.get(ClusterVersion, version)?.status?.history?.[0]

function isOver(world: World, to: string): boolean {
  if (newest(world)?.state !== 'Completed') return false
  return world.state
    .list(NodeProgressInsight)
    .every(({ status }) => status?.version === to && status.conditions?.[0]?.reason === 'Completed')
}

function look(world: World): Sample {
  const { state, clock } = world
  const at = clock.now()
  const insight = state.get(ClusterVersionProgressInsight, version)?.status
  const { controlPlane, pools }: Learned = learnFrom(
    {
      clusterVersion: state.get(ClusterVersion, version),
      operators: state.list(ClusterOperatorProgressInsight),
      pools: state.list(MachineConfigPoolProgressInsight),
      nodes: state.list(NodeProgressInsight),
    },
    at,
  )
  return { at, compatible: parseTime(insight?.estimatedCompletedAt), learned: controlPlane, workers: pools.get('worker') }
}
