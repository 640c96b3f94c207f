import {
  ClusterOperator,
  ClusterVersion,
  ConfigMap,
  CustomResourceDefinition,
  machineApi,
  MachineConfig,
  MachineConfigPool,
  Namespace,
  type Resource,
  toCrd,
  UpgradeConfig,
} from '@windlass/api'
import { aReleaseImage } from '@windlass/api/fixtures'
import { systemClock as clock, systemRandom as random } from '@windlass/core'
import { type Client, createMetrics, createOperator, isUnknownKind, silentLog } from '@windlass/kube'
import {
  clusterControllers,
  machineApiControllers,
  place,
  standaloneCluster,
  workerMachines,
  workloadControllers,
} from '@windlass/simulator'
import { configMapKey, configMapName, defaultNamespace } from '@windlass/upgrades'
import { until } from '../support/until.ts'

const kinds = [ClusterOperator, ClusterVersion, MachineConfig, MachineConfigPool, UpgradeConfig, machineApi.Machine, machineApi.MachineSet]

const versions = ['4.18.15', '4.18.16', '4.18.17', '4.19.1']
const release = { version: '4.18.15', image: aReleaseImage('4.18.15') }

/** By which the cluster knows itself. */
export const clusterId = '0b8c2f6e-93f1-4d0e-8a6d-2f1f0d9c7b55'

/** From everything to everything that is newer, in every channel. */
function updates() {
  const nodes = versions.map((version) => ({ version, payload: aReleaseImage(version), metadata: {} }))
  const edges = versions.flatMap((_, from) => versions.flatMap((_version, to) => (from < to ? [[from, to] as const] : [])))
  return { nodes, edges }
}

/** A classic cluster at 4.18.15 with three workers, which is simulated from now on; and a configured operator's home. Gives the end of it. */
export async function startCluster(client: Client, config: string, speed: number): Promise<() => Promise<void>> {
  for (const kind of kinds) await client.create(CustomResourceDefinition, toCrd(kind))
  for (const kind of kinds as readonly Resource[]) {
    await until(`${kind.plural} to be served`, () => isServed(client, kind))
  }
  const installed = clock.now() - 86_400_000
  await place(client, [
    ...standaloneCluster({ release, installed, channel: 'stable-4.18', clusterID: clusterId }),
    ...workerMachines({ installed }),
  ])
  await client.create(Namespace, { metadata: { name: defaultNamespace } })
  await client.create(ConfigMap, { metadata: { namespace: defaultNamespace, name: configMapName }, data: { [configMapKey]: config } })
  const pace = { seed: 'e2e', speed }
  const stop = new AbortController()
  const running = createOperator({
    client,
    clock,
    random,
    log: silentLog,
    metrics: createMetrics(),
    instance: 'simulator',
    controllers: [
      ...clusterControllers({ ...pace, updates }),
      ...machineApiControllers(pace),
      ...workloadControllers({ ...pace, routes: false }),
    ],
  }).run(stop.signal)
  return async () => {
    stop.abort(new Error('the test is over'))
    await running
  }
}

async function isServed(client: Client, kind: Resource): Promise<boolean> {
  try {
    for await (const _ of client.pages(kind, { pageSize: 1 })) break
    return true
  } catch (error) {
    if (isUnknownKind(error)) return false
    throw error
  }
}
