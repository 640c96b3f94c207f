import { LogicalCluster } from '@windlass/api'
import type { Clock, Random } from '@windlass/core'
import type { Catalogue } from '@windlass/hosted'
import {
  cached,
  type Client,
  createClusters,
  createManager,
  createSharedCache,
  type Log,
  noMetrics,
  type Runnable,
  type RuntimeMetrics,
} from '@windlass/kube'
import { roleLabel } from '../fleet-objects.ts'
import { classicLife } from './life.ts'
import { withoutGone } from './log.ts'
import type { ClassicMetrics } from './metrics.ts'
import { ClassicRole, makeClassicCluster } from './make.ts'
import { classicSample } from './sample.ts'

export interface ClassicOptions {
  readonly seed: string
  readonly speed: number
  /** Whether our controllers run in it, or only the simulator. */
  readonly hasControllers: boolean
}

export interface ClassicParts {
  /** Of the server. */
  readonly client: Client
  /** From the kubeconfig of a logical cluster to a client for it. */
  readonly connect: (kubeconfig: string, name: string) => Client | Promise<Client>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics?: RuntimeMetrics
  /** What is counted about it; nothing unless told. */
  readonly counted?: ClassicMetrics
  readonly catalogue: Catalogue
  /** Which process this is, in events. */
  readonly instance: string
}

/** One that is being made is not looked at: machine sets would make machines that are to come anyway. */
const finished = cached(LogicalCluster, { labelSelector: `${roleLabel}=${ClassicRole.finished}` })

/** Makes the classic cluster in a server that never had it, and gives it a life as long as it is there. It has caches of its own. */
export function classicCluster(options: ClassicOptions, parts: ClassicParts): Runnable {
  return {
    name: 'classic cluster',
    needsLeadership: false,
    async run(signal) {
      const { client, connect, clock, random, log, metrics = noMetrics } = parts
      if (await makeClassicCluster({ ...parts, ...options }, signal))
        log.info({ cluster: classicSample.name }, 'the classic cluster is made')
      const cache = createSharedCache({ client, clock, random, log, metrics })
      const clusters = createClusters({
        name: 'classic clusters',
        of: finished,
        secretOf: ({ status }) => status?.kubeconfigSecretRef,
        connect,
        start: (cluster) => classicLife(cluster, { ...parts, ...options }),
        cache,
        client,
        clock,
        random,
        log: withoutGone(log),
        metrics,
      })
      const manager = createManager({ client, cache, clock, random, log, metrics })
      manager.add(clusters)
      await manager.run(signal)
    },
  }
}
