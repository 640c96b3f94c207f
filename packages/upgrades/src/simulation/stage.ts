import assert from 'node:assert/strict'
import {
  ClusterOperator,
  ClusterVersion,
  ConfigMap,
  type JsonObject,
  machineApi,
  MachineConfig,
  MachineConfigPool,
  Namespace,
  Node,
  Pod,
  toCrd,
  UpgradeConfig,
} from '@windlass/api'
import { aReleaseImage } from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'
import type { AnyController, Client } from '@windlass/kube'
import { operator, type ProcessContext, simulate, type Simulation, type World } from '@windlass/kube/simulation'
import {
  clusterControllers,
  machineApiControllers,
  place,
  standaloneCluster,
  workerMachines,
  workloadControllers,
} from '@windlass/simulator'
import { configMapKey, configMapName } from '../config/index.ts'
import { upgradeControllers } from '../controllers.ts'
import { GaugeBoard } from '../metrics/index.ts'
import { MachineLabel } from '../scaling/index.ts'
import { OutsideWorld } from '../testing/outside/index.ts'
import { defaultNamespace, entryOf, type HistoryEntry, upgradeConfigName } from '../upgrade-config/index.ts'
import { invariantsWith } from './invariants.ts'
import { Wishes } from './wishes.ts'

/** When every simulation begins. */
export const start = Date.UTC(2026, 0, 1)
const minute = 60_000

/** So many minutes after the beginning, as it is written. */
export function at(minutes: number): string {
  return formatTime(start + minutes * minute)
}

const kinds = [ClusterOperator, ClusterVersion, MachineConfig, MachineConfigPool, UpgradeConfig, machineApi.Machine, machineApi.MachineSet]
export const definitions = kinds.map((kind) => toCrd(kind))

const versions = ['4.18.15', '4.18.16', '4.18.17', '4.19.1']

/** From everything to everything that is newer, in every channel. */
function updates() {
  const nodes = versions.map((version) => ({ version, payload: aReleaseImage(version), metadata: {} }))
  const edges = versions.flatMap((_, from) => versions.flatMap((_version, to) => (from < to ? [[from, to] as const] : [])))
  return { nodes, edges }
}

export const configRef = { namespace: defaultNamespace, name: upgradeConfigName } as const

/** What the operator is told, unless a story is about something else. */
export const usualConfig = `
upgradeType: OSD
configManager: { source: OCM, ocmBaseUrl: https://ocm.example.com, watchInterval: 15 }
featureGate: { enabled: [PreHealthCheck, ServiceLogNotification] }
maintenance: { controlPlaneTime: 90, ignoredAlerts: { controlPlaneCriticals: [ClusterOperatorDown] } }
`

/** A cluster at 4.18.15 that rests, with machines for its three workers, and an operator that is configured. */
export async function given(client: Client): Promise<void> {
  const installed = start - 86_400_000
  const release = { version: '4.18.15', image: aReleaseImage('4.18.15') }
  await place(client, [...standaloneCluster({ release, installed, channel: 'stable-4.18' }), ...workerMachines({ installed })])
  for (const name of [defaultNamespace, 'shop']) await client.create(Namespace, { metadata: { name } })
  await client.create(ConfigMap, { metadata: { namespace: defaultNamespace, name: configMapName }, data: { [configMapKey]: usualConfig } })
}

/** A story about an upgrade, with what people do in it and everything that is outside. */
export interface Scene {
  readonly world: World
  readonly outside: OutsideWorld
  /** What the gauges of the newest life of each process say. */
  readonly gauges: ReadonlyMap<string, GaugeBoard>
  readonly upgradeConfig: () => UpgradeConfig | undefined
  readonly entry: () => HistoryEntry | undefined
  /** `UpgradeCommenced True`, in the order in which steps began. */
  readonly conditions: () => readonly string[]
  readonly extras: () => readonly string[]
  readonly configure: (yaml: string) => Promise<unknown>
  /** Writes an UpgradeConfig, as a person does. */
  readonly ask: (spec?: Partial<UpgradeConfig['spec']>) => Promise<unknown>
  readonly edit: (spec: JsonObject) => Promise<unknown>
  /** Until the upgrade is in this phase. */
  readonly inPhase: (phase: string, within?: string) => Promise<void>
}

export function specOf(spec: Partial<UpgradeConfig['spec']> = {}): UpgradeConfig['spec'] {
  return {
    type: 'OSD',
    upgradeAt: at(10),
    PDBForceDrainTimeout: 60,
    desired: { version: '4.18.16', channel: 'stable-4.18' },
    capacityReservation: true,
    ...spec,
  }
}

function sceneOf(world: World, outside: OutsideWorld, gauges: ReadonlyMap<string, GaugeBoard>): Scene {
  const upgradeConfig = () => world.state.get(UpgradeConfig, configRef)
  const entry = () => {
    const found = upgradeConfig()
    return found === undefined ? undefined : entryOf(found)
  }
  return {
    world,
    outside,
    gauges,
    upgradeConfig,
    entry,
    conditions: () => (entry()?.conditions ?? []).map(({ type, status }) => `${type} ${status}`).reverse(),
    extras: () =>
      world.state
        .list(machineApi.MachineSet)
        .filter(({ metadata }) => metadata.labels?.[MachineLabel.upgrade] === 'true')
        .map(({ metadata }) => metadata.name ?? ''),
    configure: (yaml) =>
      world.client.patch(ConfigMap, { namespace: defaultNamespace, name: configMapName }, { data: { [configMapKey]: yaml } }),
    ask: (spec) => world.client.create(UpgradeConfig, { metadata: configRef, spec: specOf(spec) }),
    edit: (spec) => world.client.patch(UpgradeConfig, configRef, { spec }),
    inPhase: (phase, within = '6h') => world.until(() => entry()?.phase === phase, { within, every: '5s' }),
  }
}

/** How things stand, for a story that did not end as it should. */
function describe({ world, outside, entry, extras }: Scene): string {
  const { phase, conditions = [] } = entry() ?? {}
  const nodes = world.state
    .list(Node)
    .map(({ metadata, spec }) => `${metadata.name ?? ''}${spec.unschedulable === true ? ' (cordoned)' : ''}`)
  return [
    `phase ${phase ?? 'none'}`,
    ...conditions.map(({ type, status, message }) => `  ${type} ${status}: ${message ?? ''}`),
    `extra machine sets: ${extras().join(', ')}; silences: ${outside.alertmanager.live.map(({ comment }) => comment).join(', ')}`,
    `told: ${outside.ocm.told.map(({ what }) => what).join(', ')}`,
    `history: ${(world.state.get(ClusterVersion, { name: 'version' })?.status?.history ?? []).map(({ state, version = '' }) => `${state} ${version}`).join(', ')}`,
    `nodes: ${nodes.join(', ')}; pods: ${world.state.list(Pod).length}`,
  ].join('\n')
}

/** What moves the cluster. */
export function surroundings(seed: number | string, speed: number): readonly AnyController[] {
  return [
    ...clusterControllers({ seed, speed, updates }),
    ...machineApiControllers({ seed, speed }),
    ...workloadControllers({ seed, speed, routes: false }),
  ]
}

export type Script = (scene: Scene) => Promise<void>

/** Notifications that are not part of what is done in the window: of a check long before it, and of the end of one that was missed. */
const outsideOfWindow = /^(log Cluster has encountered pre-upgrade|set failed)/

/** What the operator does outside for upgrades that nobody wants at the time. */
function unwantedCalls(wishes: Wishes, { world, outside }: Scene): readonly string[] {
  const unwanted: string[] = []
  outside.onEffect = (what) => {
    const answer = outsideOfWindow.test(what) || wishes.judge(world.clock.now(), world.state)
    if (answer !== true) unwanted.push(`${what}: ${answer}`)
  }
  return unwanted
}

/** Runs a story: the operator under test beside a cluster that is moved by simulated controllers, `speed` times as fast as usual. */
export function stage(script: Script, { speed = 1, ...options }: Partial<Simulation> & { readonly speed?: number } = {}) {
  const wishes = new Wishes()
  const outside = new OutsideWorld(start)
  const gauges = new Map<string, GaugeBoard>()
  const { seed = 1 } = options
  const controllers = ({ name, clock, random }: ProcessContext) => {
    const board = new GaugeBoard()
    gauges.set(name, board)
    return upgradeControllers({ outside: outside.connect(clock, name), random, gauges: board })
  }
  return simulate({
    seed,
    definitions,
    given,
    controllers,
    programs: { cluster: operator({ controllers: () => surroundings(seed, speed) }) },
    limit: '48h',
    ...options,
    invariants: [...invariantsWith(wishes), ...(options.invariants ?? [])],
    world: async (world) => {
      const scene = sceneOf(world, outside, gauges)
      const unwanted = unwantedCalls(wishes, scene)
      try {
        await script(scene)
        assert.deepEqual(unwanted, [])
      } catch (error) {
        throw new Error(`${error instanceof Error ? error.message : String(error)}\n${describe(scene)}`, { cause: error })
      }
    },
  })
}
