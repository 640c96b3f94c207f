import {
  ClusterOperator,
  ClusterVersion,
  ConfigMap,
  machineApi,
  MachineConfig,
  MachineConfigPool,
  Namespace,
  toCrd,
  UpgradeConfig,
} from '@windlass/api'
import { aReleaseImage } from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { operator, type ProcessContext, simulate, type World } from '@windlass/kube/simulation'
import {
  clusterControllers,
  machineApiControllers,
  monitoringHome,
  monitoringTransport,
  ocmTransport,
  place,
  type SimulatedOcm,
  standaloneCluster,
  workerMachines,
  workloadControllers,
} from '@windlass/simulator'
import {
  configMapKey,
  configMapName,
  createOutside,
  defaultNamespace,
  entryOf,
  upgradeConfigName,
  upgradeControllers,
} from '@windlass/upgrades'

const start = Date.UTC(2026, 0, 1)
/** So many minutes after the beginning, as it is written. */
export const at = (minutes: number): string => formatTime(start + minutes * 60_000)
/** How many times as fast as a real one the cluster is. */
export const speed = 8

const kinds = [ClusterOperator, ClusterVersion, MachineConfig, MachineConfigPool, UpgradeConfig, machineApi.Machine, machineApi.MachineSet]
export const definitions = kinds.map((kind) => toCrd(kind))
const release = { version: '4.18.15', image: aReleaseImage('4.18.15') }

/** From everything to everything that is newer, in every channel. */
export function updates() {
  const versions = ['4.18.15', '4.18.16', '4.19.1']
  const nodes = versions.map((version) => ({ version, payload: aReleaseImage(version), metadata: {} }))
  const edges = versions.flatMap((_, from) => versions.flatMap((_version, to) => (from < to ? [[from, to] as const] : [])))
  return { nodes, edges }
}

const common = `
upgradeType: OSD
upgradeWindow: { delayTrigger: 30, timeOut: 0 }
maintenance: { controlPlaneTime: 240, ignoredAlerts: { controlPlaneCriticals: [ClusterOperatorDown] } }
scale: { timeOut: 120 }
nodeDrain: { timeOut: 45, expectedNodeDrainTime: 8 }
featureGate: { enabled: [] }
`
/** UpgradeConfigs are written by people. */
const local = `${common}configManager: { source: LOCAL, localConfigName: ${upgradeConfigName}, watchInterval: 60 }\n`
/** Upgrades are wanted by OCM. */
export const byOcm = `${common}configManager: { source: OCM, ocmBaseUrl: https://ocm.example.com, watchInterval: 15 }\n`

/** A cluster at 4.18.15 that rests, with machines for its three workers. */
export async function given(client: Client): Promise<void> {
  const installed = start - 86_400_000
  await place(client, [
    ...standaloneCluster({ release, installed, channel: 'stable-4.18' }),
    ...workerMachines({ installed }),
    ...monitoringHome(),
  ])
  await client.create(Namespace, { metadata: { name: defaultNamespace } })
  await client.create(ConfigMap, { metadata: { namespace: defaultNamespace, name: configMapName }, data: { [configMapKey]: local } })
}

const endpoints = {
  'openshift-monitoring/prometheus-k8s': 'http://prometheus-k8s.openshift-monitoring.svc',
  'openshift-monitoring/alertmanager-main': 'http://alertmanager-main.openshift-monitoring.svc',
} as const

/** Whom upgrades talk to, in memory. */
export function outsideOf({ client, clock, random, log }: ProcessContext, ocm: SimulatedOcm | undefined) {
  return createOutside({
    client,
    clock,
    random,
    log,
    userAgent: 'test',
    endpoints,
    connect: (options) => {
      const { host } = new URL(options.server)
      if (Object.values<string>(endpoints).includes(options.server)) return monitoringTransport({ client, clock, random, host })
      if (ocm === undefined) throw new Error(`nobody is at ${options.server} in this story`)
      return ocmTransport(ocm, clock, host)
    },
  })
}

/** Runs a story of a cluster with managed upgrades. */
export function play(world: (world: World) => Promise<void>, ocm?: SimulatedOcm) {
  return simulate({
    seed: 1,
    definitions,
    given,
    limit: '48h',
    controllers: (process) => upgradeControllers({ outside: outsideOf(process, ocm), random: process.random }),
    programs: {
      cluster: operator({
        controllers: () => [
          ...clusterControllers({ seed: 1, speed, updates }),
          ...machineApiControllers({ seed: 1, speed }),
          ...workloadControllers({ seed: 1, speed, routes: false }),
        ],
      }),
    },
    world,
  })
}

/** The phase of the upgrade that there is. */
export const phaseIn = (world: World): string | undefined => {
  const [found] = world.state.list(UpgradeConfig)
  return found === undefined ? undefined : entryOf(found)?.phase
}
/** Whether the upgrade has begun this step and not ended it. */
export const isAtStep = (world: World, step: string): boolean => {
  const [found] = world.state.list(UpgradeConfig)
  const entry = found === undefined ? undefined : entryOf(found)
  return entry?.conditions?.some(({ type, status }) => type === step && status === 'False') === true
}

/** Somebody asks for an upgrade, five minutes after the beginning. */
export function upgrade(world: World, version = '4.18.16'): Promise<unknown> {
  const desired = { version, channel: version.startsWith('4.18') ? 'stable-4.18' : 'stable-4.19' }
  const spec = { type: 'OSD' as const, upgradeAt: at(5), PDBForceDrainTimeout: 60, desired, capacityReservation: true }
  return world.client.create(UpgradeConfig, { metadata: { namespace: defaultNamespace, name: upgradeConfigName }, spec })
}
