import type { KubernetesObject, Resource } from '@windlass/api'
import type { Client, ListOptions, Page, Watch, WatchOptions } from '@windlass/kube'

/**
 * What caches ask, with somebody who hears of every answer and of every failure to get one. Caches repair themselves and tell nobody; whoever wants to know how a
 * server is doing would have to look at them again and again.
 */
export function attentiveClient(client: Pick<Client, 'pages' | 'watch'>, onAnswer: () => void): Pick<Client, 'pages' | 'watch'> {
  return {
    async *pages<T extends KubernetesObject>(kind: Resource<T>, options?: ListOptions): AsyncIterable<Page<T>> {
      try {
        yield* client.pages(kind, options)
      } finally {
        onAnswer()
      }
    },
    async watch<T extends KubernetesObject>(kind: Resource<T>, options?: WatchOptions): Promise<Watch<T>> {
      try {
        return await client.watch(kind, options)
      } finally {
        onAnswer()
      }
    },
  }
}
