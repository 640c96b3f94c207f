import {
  ClusterOperator,
  ClusterVersion,
  ConfigMap,
  type KubernetesObject,
  machineApi,
  MachineConfigPool,
  Node,
  PodDisruptionBudget,
  type Resource,
  UpgradeConfig,
} from '@windlass/api'
import { type Client, isNotFound } from '@windlass/kube'
import { configMapName, machineNamespace, type OperatorConfig, readConfig, upgradeConfigName, workerPoolName } from '@windlass/upgrades'
import { Failure } from '../../failures.ts'

/** What a plan is made from. */
export interface ClusterSeen {
  readonly clusterVersion: ClusterVersion
  readonly upgradeConfig: UpgradeConfig | undefined
  readonly config: OperatorConfig
  readonly operators: readonly ClusterOperator[]
  readonly nodes: readonly Node[]
  readonly budgets: readonly PodDisruptionBudget[]
  readonly machineSets: readonly machineApi.MachineSet[]
  readonly workers: MachineConfigPool | undefined
}

/** Errors: a `Failure` where there is no cluster that updates itself, or no operator that is configured. */
export async function readCluster(client: Client, namespace: string): Promise<ClusterSeen> {
  const [clusterVersion, upgradeConfig, config, operators, nodes, budgets, machineSets, workers] = await Promise.all([
    found(client.get(ClusterVersion, { name: 'version' }), 'this cluster has no ClusterVersion: it is none that updates itself'),
    readUpgrade(client, namespace),
    readOperatorConfig(client, namespace),
    all(client, ClusterOperator),
    all(client, Node),
    all(client, PodDisruptionBudget),
    all(client, machineApi.MachineSet, machineNamespace),
    client.find(MachineConfigPool, { name: workerPoolName }),
  ])
  return { clusterVersion, upgradeConfig, config, operators, nodes, budgets, machineSets, workers }
}

export function readUpgrade(client: Client, namespace: string): Promise<UpgradeConfig | undefined> {
  return client.find(UpgradeConfig, { namespace, name: upgradeConfigName })
}

export async function readOperatorConfig(client: Client, namespace: string): Promise<OperatorConfig> {
  const hint = `there is no ConfigMap ${namespace}/${configMapName}: say where managed upgrades live with --namespace`
  return readConfig(await found(client.get(ConfigMap, { namespace, name: configMapName }), hint))
}

async function found<T>(reading: Promise<T>, otherwise: string): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (isNotFound(error)) throw new Failure(otherwise, { cause: error })
    throw error
  }
}

async function all<T extends KubernetesObject>(client: Client, kind: Resource<T>, namespace?: string): Promise<readonly T[]> {
  const objects: T[] = []
  try {
    for await (const object of client.list(kind, namespace === undefined ? {} : { namespace })) objects.push(object)
  } catch (error) {
    // A cluster without the machine API has no machine sets.
    if (!isNotFound(error)) throw error
  }
  return objects
}
