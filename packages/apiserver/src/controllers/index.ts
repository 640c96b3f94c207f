/**
 * What a cluster does by itself, with nobody asking: each controller hears of every durable change and acts through the same
 * registry as everybody else (`actor.ts`).
 *
 * - `garbage-collector.ts` (with `owner.ts`): objects go with their owners.
 * - `namespaces.ts`: empties namespaces that are deleted. `service-accounts.ts`: gives each its `default` account.
 * - `custom-resources.ts`: establishes CustomResourceDefinitions, removes the objects of those that go.
 * - `role-aggregation.ts`: rules of aggregated ClusterRoles.
 * - `expiry.ts`: Events do not stay. `compactor.ts`: nor does history.
 * - `logical-clusters.ts`: further APIs in the same server.
 */
import type { Clock } from '@windlass/core'
import type { Clusters } from '../clusters/clusters.ts'
import { resourcePrefix } from '../storage/keys.ts'
import type { Change, Store } from '../storage/store.ts'
import type { WatchHub } from '../watch/hub.ts'
import { Compactor, type History } from './compactor.ts'
import type { Controller, ControllerContext } from './controller.ts'
import { CustomResourceController } from './custom-resources.ts'
import { Expiry } from './expiry.ts'
import { GarbageCollector } from './garbage-collector.ts'
import { LogicalClusterController, type LogicalClusterParts } from './logical-clusters.ts'
import { NamespaceController } from './namespaces.ts'
import { RoleAggregation } from './role-aggregation.ts'
import { ServiceAccountController } from './service-accounts.ts'

export interface ControllerSetOptions {
  readonly store: Store
  readonly clock: Clock
  readonly clusters: Clusters
  readonly hub: WatchHub
  readonly history: History
  readonly logicalClusters: Pick<LogicalClusterParts, 'access' | 'bootstrap'>
  readonly onProblem: (problem: string, error: unknown) => void
}

/** All controllers of a server, started and stopped together. */
export class ControllerSet {
  readonly #controllers: readonly Controller[]
  readonly #perCluster: readonly { startCluster(cluster: string): void }[]
  readonly #logical: LogicalClusterController
  readonly #compactor: Compactor
  readonly #store: Store
  readonly #onProblem: (problem: string, error: unknown) => void
  #unsubscribe: () => void = () => {}

  constructor({ store, clock, clusters, hub, history, logicalClusters, onProblem }: ControllerSetOptions) {
    const context: ControllerContext = {
      store,
      clock,
      clusters: () => clusters.names(),
      scope: (cluster) => clusters.get(cluster),
      onError: (controller) => (key, error) => onProblem(`${controller} failed at ${key}`, error),
    }
    this.#store = store
    this.#onProblem = onProblem
    const namespaces = new NamespaceController(context)
    const accounts = new ServiceAccountController(context)
    const customResources = new CustomResourceController(context, (cluster, group, resource) => {
      hub.endResource(resourcePrefix(cluster, group, resource))
    })
    this.#logical = new LogicalClusterController(context, { ...logicalClusters, clusters, close: (name) => hub.endPrefix(`${name}/`) })
    this.#perCluster = [namespaces, accounts, customResources]
    this.#controllers = [
      customResources,
      namespaces,
      accounts,
      new GarbageCollector(context),
      new RoleAggregation(context),
      new Expiry(context),
      this.#logical,
    ]
    this.#compactor = new Compactor(store, clock, history, (error) => onProblem('compaction failed', error))
  }

  start(): void {
    this.#unsubscribe = this.#store.subscribe((changes) => {
      for (const change of changes) for (const controller of this.#controllers) this.#tell(controller, change)
    })
    for (const controller of this.#controllers) controller.start()
    this.#compactor.start()
  }

  /** One that stumbles over a change must not keep the others from it. */
  #tell(controller: Controller, change: Change): void {
    try {
      controller.observe(change)
    } catch (error) {
      this.#onProblem(`a controller failed at ${change.key}`, error)
    }
  }

  /** A logical cluster was loaded after the start: picks up what was left undone in it. */
  load(cluster: string): void {
    for (const controller of this.#perCluster) controller.startCluster(cluster)
  }

  /** Clients can reach the server from now on. */
  reachable(): void {
    this.#logical.start()
  }

  async stop(): Promise<void> {
    this.#unsubscribe()
    await Promise.all([...this.#controllers.map((controller) => controller.stop()), this.#compactor.stop()])
  }
}
