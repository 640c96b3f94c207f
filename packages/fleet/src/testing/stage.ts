import {
  ClusterOperator,
  ClusterVersion,
  ControlPlaneComponent,
  Event,
  HostedCluster,
  MachineConfig,
  MachineConfigPool,
  Node,
  NodePool,
  type Resource,
} from '@windlass/api'
import { seededRandom, VirtualClock } from '@windlass/core'
import { type Log, silentLog } from '@windlass/kube'
import { createFleet, type Fleet, type FleetOptions } from '../model/index.ts'
import { MemoryApi } from './memory-api.ts'

export const hostedKinds: readonly Resource[] = [HostedCluster, ControlPlaneComponent, NodePool, Event]
export const classicKinds: readonly Resource[] = [ClusterVersion, ClusterOperator, MachineConfigPool, MachineConfig, Node, Event]

/** A management cluster without anything on it. */
export function aManagementCluster(): MemoryApi {
  return new MemoryApi(...hostedKinds)
}

export function aClassicCluster(): MemoryApi {
  return new MemoryApi(...classicKinds)
}

/** A fleet over servers in memory, in virtual time. */
export interface Stage {
  readonly fleet: Fleet
  readonly clock: VirtualClock
  /** Lets everything that has happened arrive, and a notice go out. */
  readonly settle: () => Promise<void>
  /** Ends the fleet; rejects when something in it has failed. */
  readonly stop: () => Promise<void>
}

export interface StageOptions extends Partial<Omit<FleetOptions, 'members' | 'clock' | 'log' | 'random'>> {
  readonly clock?: VirtualClock
  readonly log?: Log
}

/** Starts a fleet and waits until every member has answered, or cannot. */
export async function aFleetOf(apis: Readonly<Record<string, MemoryApi>>, options: StageOptions = {}): Promise<Stage> {
  const { clock = new VirtualClock(), log = silentLog, ...rest } = options
  const members = Object.entries(apis).map(([name, api]) => ({ name, connect: () => api.client() }))
  const fleet = createFleet({ ...rest, members, clock, log, random: seededRandom('fleet'), freezes: true })
  const ending = new AbortController()
  const run = fleet.run(ending.signal)
  let isReady = false
  void fleet.ready().then(() => (isReady = true))
  await clock.advanceUntil(() => isReady, 60_000)
  if (!isReady) throw new Error(`the fleet is not ready after a minute: ${JSON.stringify(fleet.members())}`)
  return {
    fleet,
    clock,
    settle: () => clock.advance(300),
    stop: async () => {
      ending.abort(new Error('the test is over'))
      await clock.settle()
      await run
    },
  }
}
