import { hostname } from 'node:os'
import { systemRandom } from '@windlass/core'
import { catalogueResolver } from '@windlass/hosted'
import { connect, connector, createMetrics, createOperator } from '@windlass/kube'
import { httpsIgnition } from '@windlass/simulator'
import type { SimulatorFlags } from '../commands/simulator.ts'
import type { Context } from '../context.ts'
import { createLog } from '../log.ts'
import { catalogueOf } from '../operator/controllers.ts'
import { whenReady } from '../operator/when-ready.ts'
import { untilStopped } from '../stop-signals.ts'
import { version } from '../version.ts'
import { simulatorControllers } from './controllers.ts'
import { standaloneControllers } from './standalone.ts'

/** Runs the simulator against a cluster until a signal asks for its end, or something fails. Says on stdout when it runs. */
export function runSimulator(context: Context, flags: SimulatorFlags): Promise<void> {
  return untilStopped(context.process, context.clock, (signal) => run(context, flags, signal))
}

async function run({ output, clock }: Context, flags: SimulatorFlags, signal: AbortSignal): Promise<void> {
  const { speed, seed, kubeconfig, context, standalone, ignitionAt } = flags
  const random = systemRandom
  const log = createLog(flags.logLevel)
  const metrics = createMetrics()
  const catalogue = await catalogueOf(flags.releaseCatalogue)
  const common = { clock, random, log, metrics, userAgent: `windlass-simulator/${version}`, fieldManager: 'windlass-simulator' }
  const client = await connect({
    ...common,
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  })
  try {
    const controllers = [
      ...(await simulatorControllers({
        client,
        seed,
        speed,
        releases: catalogueResolver(catalogue),
        connect: connector(common),
        fetchIgnition: httpsIgnition(ignitionAt === undefined ? {} : { connectTo: ignitionAt }),
      })),
      ...(standalone === undefined ? [] : await standaloneControllers({ client, clock, catalogue, version: standalone, seed, speed })),
    ]
    const manager = createOperator({ client, clock, random, log, metrics, controllers, instance: hostname() })
    manager.add(whenReady(() => output.print(`windlass simulator runs at ${client.host}, at ${speed} times the speed of real clusters`)))
    await manager.run(signal)
  } finally {
    await client.close()
  }
}
