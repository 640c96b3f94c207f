import { aggregateRules, rbacGroup } from '../auth/index.ts'
import { nameOf } from '../registry/object-meta.ts'
import { parseStored } from '../registry/stored.ts'
import { parseKey, resourcePrefix } from '../storage/keys.ts'
import type { Change } from '../storage/store.ts'
import { Actor } from './actor.ts'
import type { Controller, ControllerContext } from './controller.ts'
import { WorkQueue } from './work-queue.ts'

const actor = new Actor('clusterrole-aggregation-controller')

/** Keeps the rules of aggregated ClusterRoles (`admin`, `edit`, `view`, and users' own) equal to the sum of their parts. */
export class RoleAggregation implements Controller {
  readonly #context: ControllerContext
  readonly #queue: WorkQueue

  constructor(context: ControllerContext) {
    this.#context = context
    this.#queue = new WorkQueue(1, (cluster) => this.#aggregate(cluster), context.onError('role-aggregation'))
  }

  start(): void {
    for (const cluster of this.#context.clusters()) this.#queue.add(cluster)
  }

  stop(): Promise<void> {
    return this.#queue.stop()
  }

  observe(change: Change): void {
    const { cluster, group, resource } = parseKey(change.key)
    if (group === rbacGroup && resource === 'clusterroles') this.#queue.add(cluster)
  }

  async #aggregate(cluster: string): Promise<void> {
    const scope = this.#context.scope(cluster)
    const served = scope?.catalog.stored(rbacGroup, 'clusterroles')
    if (scope === undefined || served === undefined) return
    const roles = [...scope.store.scan(resourcePrefix(cluster, rbacGroup, 'clusterroles'))].map(({ bytes }) => parseStored(bytes))
    for (const role of roles) {
      if (role.aggregationRule === undefined || aggregateRules(role, roles) === role.rules) continue
      const name = nameOf(role)
      await actor.change(scope, served, { namespace: '', name }, (current) => {
        const rules = aggregateRules(current, roles)
        return rules === current.rules || (rules.length === 0 && current.rules === null) ? current : { ...current, rules }
      })
    }
  }
}
