import {
  CoreV1Api,
  KubeConfig,
  type KubernetesObject,
  makeInformer,
  type ObjectCache,
  type Informer,
  type V1ConfigMap,
} from '@kubernetes/client-node'

export const namespace = 'default'

/** How often something happened to the objects of an informer, as its handlers were told. */
export interface Tally {
  added: number
  updated: number
  deleted: number
}

/**
 * An informer of `@kubernetes/client-node`, used as its documentation says: it stops at every error other than 410, and whoever
 * uses it starts it again after a moment.
 */
export class Follower {
  readonly tally: Tally = { added: 0, updated: 0, deleted: 0 }
  /** What the handlers were told, put together: must be the same as what the informer itself remembers. */
  readonly told = new Map<string, string>()
  readonly #informer: Informer<V1ConfigMap> & ObjectCache<V1ConfigMap>
  #lists = 0
  #restarts = 0
  #isStopped = false
  #restart: NodeJS.Timeout | undefined

  constructor(kubeconfig: string, server: string, labelSelector?: string) {
    const config = new KubeConfig()
    config.loadFromString(kubeconfig)
    config.clusters = config.clusters.map((cluster) => ({ ...cluster, server }))
    const api = config.makeApiClient(CoreV1Api)
    const list = (): ReturnType<CoreV1Api['listNamespacedConfigMap']> => {
      this.#lists++
      return api.listNamespacedConfigMap({ namespace, ...(labelSelector === undefined ? {} : { labelSelector }) })
    }
    this.#informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, list, labelSelector)
    this.#informer.on('add', (object) => this.#note('added', object))
    this.#informer.on('update', (object) => this.#note('updated', object))
    this.#informer.on('delete', (object) => this.#note('deleted', object))
    this.#informer.on('error', () => this.#startAgain())
  }

  /** How often it asked for everything. */
  get lists(): number {
    return this.#lists
  }

  get restarts(): number {
    return this.#restarts
  }

  /** Name and resourceVersion of everything in the informer's cache. */
  cached(): ReadonlyMap<string, string> {
    return new Map(this.#informer.list(namespace).map((object) => [nameOf(object), revisionOf(object)]))
  }

  start(): Promise<void> {
    return this.#informer.start()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#restart)
    await this.#informer.stop()
  }

  #startAgain(): void {
    if (this.#isStopped) return
    this.#restarts++
    this.#restart = setTimeout(() => void this.#informer.start(), 50)
  }

  #note(what: keyof Tally, object: V1ConfigMap): void {
    this.tally[what]++
    if (what === 'deleted') this.told.delete(nameOf(object))
    else this.told.set(nameOf(object), revisionOf(object))
  }
}

function nameOf(object: KubernetesObject): string {
  return object.metadata?.name ?? ''
}

function revisionOf(object: KubernetesObject): string {
  return object.metadata?.resourceVersion ?? ''
}
