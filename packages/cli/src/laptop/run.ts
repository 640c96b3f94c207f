import { hostname } from 'node:os'
import type { Embedded } from '@windlass/apiserver'
import { type Clock, systemRandom } from '@windlass/core'
import { type AnyController, createMetrics, createOperator, type Log } from '@windlass/kube'
import { catalogueResolver, sampleCatalogue } from '@windlass/hosted'
import { chooseControllers } from '../operator/controllers.ts'
import { simulatorControllers } from '../simulator/controllers.ts'
import { fleetStory } from './fleet-story.ts'
import { inProcessAccess } from './in-process.ts'
import { makeFleet } from './make-fleet.ts'
import { simulatedNames } from './names.ts'
import { sampleFleet } from './sample-fleet.ts'
import { sampleReleases } from './sample-releases.ts'

export interface LaptopOptions {
  /** How many clusters the sample fleet has. */
  readonly clusters: number
  readonly speed: number
  readonly seed: string
  /** Whether our controllers run, or only what they work with. */
  readonly hasControllers: boolean
}

export interface LaptopParts {
  readonly embedded: Pick<Embedded, 'server' | 'url'>
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

/** Where the ingress of the management cluster would be. */
const ingressDomain = 'apps.windlass.test'

/**
 * Runs everything that stands beside the server on a laptop, over one set of caches: our controllers, the simulator, and the sample fleet. Ends when the
 * signal is aborted; rejects when something cannot go on.
 */
export async function runLaptop(options: LaptopOptions, { embedded, clock, log, signal }: LaptopParts): Promise<void> {
  const { clusters, speed, seed, hasControllers } = options
  const random = systemRandom
  const metrics = createMetrics()
  const catalogue = sampleCatalogue()
  const releases = catalogueResolver(catalogue)
  const { client, connect } = inProcessAccess(embedded, { clock, random, log, metrics })
  try {
    if (signal.aborted) return
    const ours = hasControllers
      ? await chooseControllers({
          clock,
          random,
          log,
          client: () => Promise.resolve(client),
          releases,
          connect,
          ingressDomain,
          resolveName: simulatedNames(client),
        })
      : []
    const controllers: readonly AnyController[] = [
      ...ours,
      ...(await simulatorControllers({ client, seed, speed, releases, connect })),
      fleetStory,
    ]
    const manager = createOperator({ client, clock, random, log, metrics, controllers, instance: hostname() })
    manager.add({
      name: 'sample fleet',
      needsLeadership: false,
      run: async (ending) => {
        const isMade = await makeFleet(client, sampleFleet(clusters), sampleReleases(catalogue), ending)
        if (isMade) log.info({ clusters }, 'the sample fleet is asked for')
      },
    })
    await manager.run(signal)
  } finally {
    await client.close()
  }
}
