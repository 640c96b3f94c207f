import type { AnyController, Client } from '@windlass/kube'
import { nodePool } from './controller.ts'
import { Guests } from './guests.ts'
import { inPlaceUpgrader, nodeDrainer } from './in-place/index.ts'
import { nodeMetadata } from './machines/index.ts'
import { noNodePoolMetrics, type NodePoolMetrics } from './metrics/index.ts'
import type { NodePoolSources } from './observe.ts'
import { defaultSettings, type NodePoolSettings } from './settings.ts'
import { IgnitionService, mergedPayload, nodePoolJanitor, type PayloadGenerator, tokenController } from './token/index.ts'

/** Everything that controllers of node pools need from outside of the API. */
export interface NodePoolControllersOptions extends NodePoolSources {
  /** From the kubeconfig of a guest to a client for it. */
  readonly connect: (kubeconfig: string, name: string) => Client | Promise<Client>
  readonly settings?: NodePoolSettings
  /** Makes what machines are configured with; `mergedPayload` unless told. */
  readonly generate?: PayloadGenerator
  /** What machines ask; give the same to an `ignitionServer`. */
  readonly ignition?: IgnitionService
  /** What is counted; nothing unless told. */
  readonly metrics?: NodePoolMetrics
}

/**
 * The controllers that run node pools: `node-pool`, `node-pool-janitor`, `token`, `in-place-upgrader`, `node-drainer` and `node-metadata`.
 *
 * Caveat: machines start only where somebody serves them their configuration: run an `ignitionServer` with the same `ignition` in the same process.
 */
export function nodePoolControllers(options: NodePoolControllersOptions): readonly AnyController[] {
  const { connect, releases, settings = defaultSettings, ignition = new IgnitionService(), metrics = noNodePoolMetrics } = options
  const { generate = (request) => Promise.resolve(mergedPayload(request)) } = options
  const guests = new Guests(connect)
  const sources = { ...options, settings, metrics }
  metrics.serves(ignition.store)
  ignition.tell((pool) => metrics.asked(pool))
  return [
    nodePool(sources),
    nodePoolJanitor(sources),
    tokenController({ settings, generate, ignition, metrics }),
    inPlaceUpgrader({ settings, guests, releases }),
    nodeDrainer({ settings, guests }),
    nodeMetadata({ settings, guests }),
  ]
}
