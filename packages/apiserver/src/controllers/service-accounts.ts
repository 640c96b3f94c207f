import { isBeingDeleted } from '../registry/object-meta.ts'
import { keyFor, parseStored } from '../registry/stored.ts'
import { parseKey, resourcePrefix } from '../storage/keys.ts'
import type { Change } from '../storage/store.ts'
import { Actor } from './actor.ts'
import type { Controller, ControllerContext } from './controller.ts'
import { WorkQueue } from './work-queue.ts'

const actor = new Actor('service-account-controller')

/** Every namespace has a ServiceAccount `default`, also after somebody deletes it. */
export class ServiceAccountController implements Controller {
  readonly #context: ControllerContext
  readonly #queue: WorkQueue

  constructor(context: ControllerContext) {
    this.#context = context
    this.#queue = new WorkQueue(8, (key) => this.#provide(key), context.onError('service-accounts'))
  }

  start(): void {
    for (const cluster of this.#context.clusters()) this.startCluster(cluster)
  }

  startCluster(cluster: string): void {
    for (const { key } of this.#context.store.scan(resourcePrefix(cluster, '', 'namespaces'))) this.#queue.add(key)
  }

  stop(): Promise<void> {
    return this.#queue.stop()
  }

  observe(change: Change): void {
    const { cluster, group, resource, namespace, name } = parseKey(change.key)
    if (group !== '') return
    if (resource === 'namespaces' && change.type === 'created') this.#queue.add(change.key)
    if (resource === 'serviceaccounts' && change.type === 'deleted' && name === 'default') {
      this.#queue.add(`${resourcePrefix(cluster, '', 'namespaces')}~/${namespace}`)
    }
  }

  async #provide(key: string): Promise<void> {
    const { cluster, name } = parseKey(key)
    const scope = this.#context.scope(cluster)
    const served = scope?.catalog.stored('', 'serviceaccounts')
    const entry = this.#context.store.get(key)
    if (scope === undefined || served === undefined || entry === undefined || isBeingDeleted(parseStored(entry.bytes))) return
    if (this.#context.store.get(keyFor(cluster, served.type, name, 'default')) !== undefined) return
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: name } }
    await actor.create(scope, served, name, account)
  }
}
