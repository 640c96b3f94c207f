import { hostname } from 'node:os'
import type { Embedded } from '@windlass/apiserver'
import { type Clock, systemRandom } from '@windlass/core'
import { type AnyController, createMetrics, createOperator, type Log } from '@windlass/kube'
import { catalogueResolver, sampleCatalogue } from '@windlass/hosted'
import { type FetchIgnition, httpsIgnition, type HttpsIgnitionOptions } from '@windlass/simulator'
import type { Place } from '../commands/simulation-options.ts'
import { chooseControllers, nodePoolControllerNames, usualControllers } from '../operator/controllers.ts'
import { hostedMetrics } from '../operator/hosted-metrics.ts'
import { type MachinePort, ownPort } from '../operator/machine-port.ts'
import { simulatorControllers } from '../simulator/controllers.ts'
import { classicCluster, classicMetrics } from './classic/index.ts'
import { fleetStory } from './fleet-story.ts'
import { poolStory } from './pool-story.ts'
import { inProcessAccess } from './in-process.ts'
import { makeFleet } from './make-fleet.ts'
import { simulatedNames } from './names.ts'
import { type NodeWishes, sampleFleet } from './sample-fleet.ts'
import { sampleReleases } from './sample-releases.ts'

export interface LaptopOptions {
  /** How many clusters the sample fleet has. */
  readonly clusters: number
  /** What is wanted of the nodes of each. */
  readonly nodeWishes?: NodeWishes
  readonly speed: number
  readonly seed: string
  /** Whether our controllers run, or only what they work with. */
  readonly hasControllers: boolean
  /** Whether there is a classic cluster beside the fleet. */
  readonly hasClassic: boolean
  /** Where metrics are served; nowhere unless told. */
  readonly metricsPort?: number
  /** Where machines fetch their configuration, when our controllers run elsewhere. */
  readonly ignitionAt?: Place
}

export interface LaptopParts {
  readonly embedded: Pick<Embedded, 'server' | 'url'>
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

const localhost = '127.0.0.1'

/** Where the ingress of the management cluster would be. */
const ingressDomain = 'apps.windlass.test'

/**
 * Runs everything that stands beside the server on a laptop, over one set of caches: our controllers, the simulator, and the sample fleet. Ends when the
 * signal is aborted; rejects when something cannot go on.
 */
export async function runLaptop(options: LaptopOptions, { embedded, clock, log, signal }: LaptopParts): Promise<void> {
  const { clusters, speed, seed, hasControllers, hasClassic, ignitionAt, metricsPort } = options
  const instance = hostname()
  const random = systemRandom
  const metrics = createMetrics()
  const catalogue = sampleCatalogue()
  const releases = catalogueResolver(catalogue)
  const { client, connect } = inProcessAccess(embedded, { clock, random, log, metrics })
  try {
    if (signal.aborted) return
    const machines = hasControllers
      ? await ownPort({ client, clock, random, log, namespace: 'default', host: localhost, port: 0 })
      : undefined
    const ours =
      machines === undefined
        ? []
        : await chooseControllers(
            {
              clock,
              random,
              log,
              client: () => Promise.resolve(client),
              releases,
              connect,
              ingressDomain,
              resolveName: simulatedNames(client),
              ignition: machines.ignition,
              ...(metricsPort === undefined ? {} : { metrics }),
              ...(machines.authority === undefined ? {} : { ignitionAuthority: machines.authority }),
            },
            [...usualControllers, ...nodePoolControllerNames],
          )
    const fetchIgnition: FetchIgnition = async (question, asked) => httpsIgnition(placeOf(machines, ignitionAt))(question, asked)
    const controllers: readonly AnyController[] = [
      ...ours,
      ...(await simulatorControllers({ client, seed, speed, releases, connect, fetchIgnition })),
      fleetStory,
      poolStory(connect),
    ]
    const manager = createOperator({
      client,
      clock,
      random,
      log,
      metrics,
      controllers,
      instance,
      // Nobody keeps what nobody can ask for.
      ...(metricsPort === undefined
        ? {}
        : { followers: await hostedMetrics(ours, { clock, metrics, speed }), metricsEndpoint: { host: localhost, port: metricsPort } }),
    })
    if (machines !== undefined) manager.add(machines.server)
    manager.add({
      name: 'sample fleet',
      needsLeadership: false,
      run: async (ending) => {
        const isMade = await makeFleet(client, sampleFleet(clusters, options.nodeWishes), sampleReleases(catalogue), ending)
        if (isMade) log.info({ clusters }, 'the sample fleet is asked for')
      },
    })
    const common = { client, connect, clock, random, log, catalogue, instance }
    if (hasClassic) {
      const counted = metricsPort === undefined ? {} : { counted: await classicMetrics(clock, metrics) }
      manager.add(classicCluster({ seed, speed, hasControllers }, { ...common, ...counted }))
    }
    await manager.run(signal)
  } finally {
    await client.close()
  }
}

/** Where machines go, whatever name they ask for: there is no DNS. */
function placeOf(machines: MachinePort | undefined, ignitionAt: Place | undefined): HttpsIgnitionOptions {
  if (machines === undefined) return ignitionAt === undefined ? {} : { connectTo: ignitionAt }
  const { url } = machines.server
  if (url === undefined) throw new Error('nobody serves machines yet')
  return { connectTo: { host: localhost, port: Number(new URL(url).port) } }
}
