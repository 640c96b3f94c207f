import {
  ClusterOperator,
  ClusterVersion,
  type KubernetesObject,
  machineApi,
  MachineConfigPool,
  Node,
  Pod,
  PodDisruptionBudget,
  type Resource,
  type UpgradeConfig,
} from '@windlass/api'
import type { Instant } from '@windlass/core'
import type { ListOptions, ReconcileContext, Ref } from '@windlass/kube'
import { currentVersion } from '../cluster/cluster-version.ts'
import { workerPoolName } from '../cluster/worker-pool.ts'
import type { OperatorConfig } from '../config/index.ts'
import { alertsQuery } from '../health/alerts.ts'
import { resultQuery } from '../metrics/result.ts'
import type { FactName, Facts, Refresh } from '../observed/facts.ts'
import type { Labels } from '../observed/prometheus.ts'
import { type Seen, seen, unseen } from '../observed/seen.ts'
import type { Outside } from '../outside/types.ts'
import { extraNodeNames, MachineLabel, machineNamespace } from '../scaling/index.ts'
import { FileIntegrity, fileIntegrityRef } from '../steps/fedramp-tasks.ts'
import type { HistoryEntry } from '../upgrade-config/history.ts'
import { graphUrl } from '../validation/graph.ts'
import { allOf } from './all-of.ts'

export const clusterVersionRef = { name: 'version' } as const

/** What there is to look with, and what for. */
export interface Looking {
  readonly context: Pick<ReconcileContext, 'client' | 'signal'>
  readonly outside: Outside
  readonly upgradeConfig: UpgradeConfig
  readonly entry: HistoryEntry
  readonly config: OperatorConfig
  readonly clusterVersion: Seen<ClusterVersion>
  readonly now: Instant
  /** Asks the provider of UpgradeConfigs, and does what it wants. */
  readonly refresh: () => Promise<Refresh>
}

/** How each fact is found out. All of it is asked for anew: what steps decide by must not be older than what they did. */
const ways: { readonly [N in FactName]: (looking: Looking) => Promise<NonNullable<Facts[N]>> } = {
  clusterVersion: (looking) => read(looking, ClusterVersion, clusterVersionRef),
  alerts: async ({ outside, config, context }) => alertNames(await outside.prometheus.query(alertsQuery(config), context.signal)),
  clusterOperators: (looking) => listed(looking, ClusterOperator),
  nodes: (looking) => listed(looking, Node),
  budgets: (looking) => listed(looking, PodDisruptionBudget),
  deploymentValidation: ({ outside, clusterVersion, context }) =>
    'value' in clusterVersion
      ? outside.deploymentValidation.metrics(clusterVersion.value.spec.clusterID, context.signal)
      : Promise.resolve({ is: 'unreachable', problem: clusterVersion.problem }),
  machineSets: (looking) => listed(looking, machineApi.MachineSet, { namespace: machineNamespace }),
  machines: (looking) => extraMachines(looking),
  extraPods,
  silences: ({ outside, context }) => outside.alertmanager.silences(context.signal),
  workerPool: (looking) => read(looking, MachineConfigPool, { name: workerPoolName }),
  dependencies: ({ outside, config, context }) =>
    outside.dependencies.check(
      config['extDependencyAvailabilityChecks.http.urls'],
      config['extDependencyAvailabilityChecks.http.timeout'],
      context.signal,
    ),
  fileIntegrity: (looking) => read(looking, FileIntegrity, fileIntegrityRef),
  imageVersion: async (looking) => {
    const { outside, upgradeConfig, context } = looking
    return outside.releases.imageVersion(upgradeConfig.spec.desired.image ?? '', await architectureOf(looking), context.signal)
  },
  updateGraph,
  pagingAlerts: async ({ outside, entry, now, context }) => {
    const query = resultQuery(entry, now)
    return query === undefined ? seen([]) : alertNames(await outside.prometheus.query(query, context.signal))
  },
  refresh: ({ refresh }) => refresh(),
}

/** Finds out about these, all at once. What cannot be found out is a fact too, with its problem. */
export async function lookAt(at: readonly FactName[], looking: Looking): Promise<Partial<Facts>> {
  const found = await Promise.all(at.map(async (name) => [name, await ways[name](looking)] as const))
  looking.context.signal.throwIfAborted()
  return Object.fromEntries(found)
}

async function read<T extends KubernetesObject>({ context }: Looking, kind: Resource<T>, ref: Ref): Promise<Seen<T>> {
  const name = `${kind.kind} ${ref.namespace === undefined ? '' : `${ref.namespace}/`}${ref.name}`
  return asSeen(name, () => context.client.get(kind, ref, { signal: context.signal }))
}

async function listed<T extends KubernetesObject>(
  { context }: Looking,
  kind: Resource<T>,
  options: ListOptions = {},
): Promise<Seen<readonly T[]>> {
  return asSeen(`the list of ${kind.plural}`, () => allOf(context.client.list(kind, { ...options, signal: context.signal })))
}

async function asSeen<T>(what: string, reading: () => Promise<T>): Promise<Seen<T>> {
  try {
    return seen(await reading())
  } catch (error) {
    return unseen(`${what} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function alertNames(found: Seen<readonly Labels[]>): Seen<readonly string[]> {
  return 'value' in found ? seen(found.value.map(({ alertname = '' }) => alertname)) : found
}

function extraMachines(looking: Looking): Promise<Seen<readonly machineApi.Machine[]>> {
  return listed(looking, machineApi.Machine, { namespace: machineNamespace, labelSelector: `${MachineLabel.upgrade}=true` })
}

/** Node by node: a few extra ones have few pods, the cluster may have many thousands. */
async function extraPods(looking: Looking): Promise<Seen<readonly Pod[]>> {
  const machines = await extraMachines(looking)
  if ('problem' in machines) return machines
  const pods: Pod[] = []
  for (const node of extraNodeNames(machines.value)) {
    const found = await listed(looking, Pod, { fieldSelector: `spec.nodeName=${node}` })
    if ('problem' in found) return found
    pods.push(...found.value)
  }
  return seen(pods)
}

/** What the nodes are made for. A cluster that has none, or several kinds, goes by its first. */
async function architectureOf(looking: Looking): Promise<string> {
  const nodes = await listed(looking, Node)
  const known = 'value' in nodes ? nodes.value.find(({ status }) => status?.nodeInfo?.architecture !== undefined) : undefined
  return known?.status?.nodeInfo?.architecture ?? 'amd64'
}

async function updateGraph(looking: Looking): Promise<NonNullable<Facts['updateGraph']>> {
  const { outside, upgradeConfig, clusterVersion, context } = looking
  if ('problem' in clusterVersion) return clusterVersion
  const channel = upgradeConfig.spec.desired.channel ?? ''
  const version = currentVersion(clusterVersion.value) ?? ''
  const url = graphUrl(clusterVersion.value, { channel, version, architecture: await architectureOf(looking) })
  if (url !== undefined) return outside.releases.updateGraph(url, context.signal)
  return unseen(
    'the update service cannot be asked: ClusterVersion version needs a UUID in spec.clusterID, and a URL in spec.upstream if it has one',
  )
}
