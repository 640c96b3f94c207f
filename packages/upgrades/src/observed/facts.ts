import type {
  ClusterOperator,
  ClusterVersion,
  KubernetesObject,
  machineApi,
  MachineConfigPool,
  Node,
  Pod,
  PodDisruptionBudget,
} from '@windlass/api'
import type { UpdateGraph } from '../validation/graph.ts'
import type { DeploymentValidation } from '../health/deployment-validation.ts'
import type { Silence } from '../windows/silence.ts'
import type { Seen } from './seen.ts'

/**
 * What a pass knows about the cluster. It begins with what every pass needs and grows as decisions ask for more: an upgrade that has finished its
 * workers must not fail because somebody asked Alertmanager what nobody needs to know.
 */
export interface Facts {
  readonly clusterVersion: Seen<ClusterVersion>
  /** Names of critical alerts that fire, as the query of the health check gives them, repeated as often as they fire. */
  readonly alerts?: Seen<readonly string[]>
  readonly clusterOperators?: Seen<readonly ClusterOperator[]>
  readonly nodes?: Seen<readonly Node[]>
  readonly budgets?: Seen<readonly PodDisruptionBudget[]>
  readonly deploymentValidation?: DeploymentValidation
  /** All in `openshift-machine-api`, ours among them. */
  readonly machineSets?: Seen<readonly machineApi.MachineSet[]>
  /** Those of the extra machine sets. */
  readonly machines?: Seen<readonly machineApi.Machine[]>
  /** The pods on the nodes of those machines. */
  readonly extraPods?: Seen<readonly Pod[]>
  /** All of Alertmanager's silences, in every state. */
  readonly silences?: Seen<readonly Silence[]>
  readonly workerPool?: Seen<MachineConfigPool>
  /** True when every external dependency answered; else the problems of all that did not. */
  readonly dependencies?: Seen<true>
  readonly fileIntegrity?: Seen<KubernetesObject>
  /** The version that the desired image carries. */
  readonly imageVersion?: Seen<string>
  readonly updateGraph?: Seen<UpdateGraph>
  /** Names of the alerts of ours that fired during the upgrade. */
  readonly pagingAlerts?: Seen<readonly string[]>
  readonly refresh?: Refresh
}

/** What the provider of UpgradeConfigs said when it was asked right before the start. */
export type Refresh =
  | { readonly is: 'unchanged' | 'not configured' }
  /** `uid` is that of the UpgradeConfig there is now. */
  | { readonly is: 'changed'; readonly uid: string | undefined }
  | { readonly is: 'failed'; readonly problem: string }

/** What a decision can ask for. */
export type FactName = keyof Facts
