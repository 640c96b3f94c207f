import type { ClusterVersion, MachineConfigPool, Node, UpgradeConfig } from '@windlass/api'
import {
  aClusterOperator,
  aClusterVersion,
  aCondition,
  aMachineConfigPool,
  aMachineSet,
  aNode,
  anUpgradeConfig,
  aReleaseImage,
} from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'
import { defaultConfig, type OperatorConfig } from '../config/index.ts'
import type { Facts } from '../observed/facts.ts'
import { seen } from '../observed/seen.ts'
import { MachineLabel } from '../scaling/index.ts'
import type { Pass } from '../steps/step.ts'
import { desiredVersion, entryOf, type HistoryEntry } from '../upgrade-config/history.ts'

/** The moment at which all tests begin. */
export const now = Date.UTC(2030, 0, 1, 12)
export const minute = 60_000

/** So many minutes from now, as it is written. */
export function at(minutes: number): string {
  return formatTime(now + minutes * minute)
}

interface ClusterOptions {
  /** Completed versions, the newest first. */
  readonly completed?: readonly string[]
  /** The version that it is on its way to, and since when. */
  readonly partial?: { readonly version: string; readonly since: string }
  readonly channel?: string
  readonly available?: readonly string[] | null
  readonly conditional?: readonly string[]
  readonly desiredUpdate?: ClusterVersion['spec']['desiredUpdate']
  readonly conditions?: NonNullable<ClusterVersion['status']>['conditions']
}

/** A cluster at 4.4.5 that could go to 4.4.6. */
export function theCluster(options: ClusterOptions = {}): ClusterVersion {
  const {
    completed = ['4.4.5'],
    partial,
    channel = 'fast-4.4',
    available = ['4.4.6'],
    conditional = [],
    desiredUpdate,
    conditions,
  } = options
  const release = (version: string) => ({ version, image: aReleaseImage(version) })
  const done = completed.map((version, index) => ({
    state: 'Completed' as const,
    ...release(version),
    startedTime: at(-10_000 * (index + 1) - 60),
    completionTime: at(-10_000 * (index + 1)),
    verified: true,
  }))
  const running =
    partial === undefined
      ? []
      : [{ state: 'Partial' as const, ...release(partial.version), startedTime: partial.since, completionTime: null, verified: true }]
  const risks = [{ name: 'Risk', url: 'https://example.com/risk', message: 'may fail', matchingRules: [{ type: 'Always' as const }] }]
  return aClusterVersion({
    spec: { channel, ...(desiredUpdate === undefined ? {} : { desiredUpdate }) },
    status: {
      desired: release(partial?.version ?? completed[0] ?? ''),
      history: [...running, ...done],
      observedGeneration: 1,
      versionHash: 'Zm9vYmFyMTI=',
      availableUpdates: available === null ? null : available.map(release),
      conditionalUpdates: conditional.map((version) => ({
        release: { ...release(version), image: `${aReleaseImage(version)}-conditional` },
        risks,
      })),
      conditions: [...(conditions ?? []), aCondition('Progressing', partial === undefined ? 'False' : 'True')],
    },
  })
}

interface UpgradeOptions {
  readonly version?: string
  readonly spec?: Partial<UpgradeConfig['spec']>
  readonly annotations?: Readonly<Record<string, string>>
  /** Fields of the entry for that version; without them there is no history. */
  readonly entry?: Partial<HistoryEntry>
}

/** An upgrade to 4.4.6 that was due an hour ago. */
export function theUpgrade({ version = '4.4.6', spec, annotations, entry }: UpgradeOptions = {}): UpgradeConfig {
  const desired = { version, channel: 'fast-4.4' }
  const history =
    entry === undefined ? undefined : [{ version, precedingVersion: '4.4.5', phase: 'Upgrading' as const, conditions: [], ...entry }]
  const built = anUpgradeConfig({
    spec: { desired, upgradeAt: at(-60), ...spec },
    ...(history === undefined ? {} : { status: { history } }),
  })
  return annotations === undefined ? built : { ...built, metadata: { ...built.metadata, annotations } }
}

type HealthyFacts = Required<Omit<Facts, 'refresh' | 'imageVersion' | 'updateGraph' | 'fileIntegrity'>>

let healthy: Omit<HealthyFacts, 'clusterVersion'> | undefined

/** A cluster with nothing wrong, in which everything has been looked at. */
export function healthyFacts(clusterVersion: ClusterVersion = theCluster()): HealthyFacts {
  healthy ??= {
    alerts: seen([]),
    clusterOperators: seen([aClusterOperator()]),
    nodes: seen([aNode()]),
    budgets: seen([]),
    deploymentValidation: { is: 'not installed' },
    machineSets: seen([aWorkerSet('workers-a')]),
    machines: seen([]),
    extraPods: seen([]),
    silences: seen([]),
    workerPool: seen(aMachineConfigPool()),
    dependencies: seen(true),
    pagingAlerts: seen([]),
  }
  return { ...healthy, clusterVersion: seen(clusterVersion) }
}

/** A machine set of the pool `worker`, or of another. */
export function aWorkerSet(name: string, pool = 'worker') {
  return aMachineSet({ name, metadata: { labels: { [MachineLabel.pool]: pool } } })
}

/** The pool `worker` with so many of its nodes updated. */
export function thePool(
  updated: number,
  machines: number,
  conditions: NonNullable<MachineConfigPool['status']>['conditions'] = [],
): MachineConfigPool {
  return aMachineConfigPool({ status: { machineCount: machines, updatedMachineCount: updated, conditions } })
}

/** A worker that was cordoned so many minutes ago, by the machine config operator unless told. */
export function aCordonedNode(
  minutesAgo: number | undefined,
  annotations: Readonly<Record<string, string>> = working,
  name = 'worker-0',
): Node {
  const node = aNode({ name })
  const timeAdded = minutesAgo === undefined ? {} : { timeAdded: at(-minutesAgo) }
  return {
    ...node,
    metadata: { ...node.metadata, annotations },
    spec: {
      ...node.spec,
      unschedulable: true,
      taints: [
        { key: 'a', effect: 'NoExecute', timeAdded: at(-900) },
        { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule', ...timeAdded },
      ],
    },
  }
}

const working = { 'machineconfiguration.openshift.io/state': 'Working' }

export function configured(values: Partial<OperatorConfig>): OperatorConfig {
  return { ...defaultConfig, ...values }
}

interface PassOptions {
  readonly upgradeConfig?: UpgradeConfig
  readonly clusterVersion?: ClusterVersion
  readonly facts?: Partial<Facts>
  readonly config?: Partial<OperatorConfig>
  readonly entry?: Partial<HistoryEntry>
}

/** A pass over an upgrade that began just now, in which nothing but the version of the cluster has been looked at. */
export function aPass({ upgradeConfig, clusterVersion, facts, config, entry }: PassOptions = {}): Pass {
  const given = upgradeConfig ?? theUpgrade({ entry: { startTime: at(0) } })
  const recorded: HistoryEntry = entryOf(given) ?? { version: desiredVersion(given), phase: 'Upgrading', startTime: at(0), conditions: [] }
  return {
    upgradeConfig: given,
    entry: { ...recorded, ...entry },
    config: configured(config ?? {}),
    facts: { clusterVersion: seen(clusterVersion ?? theCluster()), ...facts },
    now,
  }
}
