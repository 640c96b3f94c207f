import { hostname } from 'node:os'
import { systemRandom } from '@windlass/core'
import {
  type Action,
  connect,
  createMetrics,
  createOperator,
  type ElectionChoice,
  type EndpointOptions,
  type Manager,
  type RestClient,
  type Runnable,
} from '@windlass/kube'
import type { OperatorFlags } from '../commands/operator.ts'
import type { Context } from '../context.ts'
import { createLog } from '../log.ts'
import { untilStopped } from '../stop-signals.ts'
import { version } from '../version.ts'
import { memoryGiver } from '../memory/index.ts'
import { chooseControllers, nodePoolControllerNames, usualControllers } from './controllers.ts'
import { machinePort } from './machine-port.ts'
import { hostedMetrics } from './hosted-metrics.ts'
import { hostedSettings } from './hosted-settings.ts'
import { registrySettings } from './registries.ts'
import type { UpgradeSettings } from './upgrades.ts'
import { whenReady } from './when-ready.ts'

/**
 * Runs controllers against a cluster until a signal asks for their end, something fails, or leadership is lost. Says on stdout when they run; with
 * leader election, that is when they could.
 */
export function runOperator(context: Context, flags: OperatorFlags): Promise<void> {
  return untilStopped(context.process, context.clock, (signal) => run(context, flags, signal))
}

async function run({ output, clock }: Context, flags: OperatorFlags, signal: AbortSignal): Promise<void> {
  const log = createLog(flags.logLevel)
  const random = systemRandom
  const metrics = createMetrics({ process: true })
  const { releaseCatalogue } = flags
  const closers: (() => Promise<void>)[] = []
  const runnables: Runnable[] = []
  let connecting: Promise<RestClient> | undefined
  const client = (): Promise<RestClient> =>
    (connecting ??= connect({
      clock,
      random,
      log,
      metrics,
      userAgent: `windlass/${version}`,
      fieldManager: 'windlass',
      ...(flags.kubeconfig === undefined ? {} : { kubeconfig: flags.kubeconfig }),
      ...(flags.context === undefined ? {} : { context: flags.context }),
    }))
  try {
    const isWatching = flags.observe === true || flags.nodePools === 'observe'
    const machines = isWatching ? undefined : await machinePort(flags, { client, clock, random, log })
    const parts = {
      clock,
      random,
      log,
      client,
      metrics,
      observe: flags.observe === true,
      insightMode: flags.insightMode,
      simulatedSpeed: flags.simulatedSpeed,
      upgrades: upgradeSettings(flags),
      hosted: hostedSettings(flags, process.env),
      registries: await registrySettings(flags, process.env),
      running: (runnable: Runnable) => void runnables.push(runnable),
      closing: (close: () => Promise<void>) => void closers.push(close),
      ...(machines === undefined ? {} : { ignition: machines.ignition }),
      ...(machines?.authority === undefined ? {} : { ignitionAuthority: machines.authority }),
      ...(releaseCatalogue === undefined ? {} : { releaseCatalogue }),
    }
    const runsPools = machines !== undefined || flags.nodePools === 'observe'
    const usual = runsPools ? [...usualControllers, ...nodePoolControllerNames] : usualControllers
    const controllers = await chooseControllers(parts, flags.controllers ?? usual)
    const connected = await client()
    const instance = hostname()
    const manager = createOperator({
      client: connected,
      clock,
      random,
      log,
      metrics,
      controllers,
      followers: await hostedMetrics(controllers, { clock, metrics, speed: flags.simulatedSpeed }),
      instance,
      ...electionOf(flags, `${instance}_${random.uuid()}`),
      ...endpointsOf(flags),
      ...(flags.observe === true ? { allows: isOurs } : {}),
    })
    if (machines !== undefined) manager.add(machines.server)
    for (const runnable of runnables) manager.add(runnable)
    manager.add(memoryGiver(clock, () => isIdle(manager)))
    manager.add(whenReady(() => output.print(announcement(connected.host, flags, controllers, manager.urls))))
    await manager.run(signal)
  } finally {
    await Promise.all(closers.map((close) => close()))
    await connecting?.then(
      (connected) => connected.close(),
      // Whoever asked for it has been told.
      () => undefined,
    )
  }
}

/** Who waits for the lease looks at nothing. Delayed keys are no work: some come back every minute for ever. */
function isIdle(manager: Manager): boolean {
  if (!manager.isLeader) return true
  return manager.inspect().controllers.every((controller) => {
    const { running, waiting } = controller.queue(0)
    return running + waiting === 0
  })
}

/**
 * With `--observe` nothing is written but the status of objects of our own groups. A LogicalCluster itself is the API of somebody's guest: it is neither
 * made nor deleted for a control plane that another operator runs. People are not told either: an event is an object of somebody else's.
 */
export function isOurs(action: Action): boolean {
  return action.do === 'status' && /(?:^|\.)windlass\.dev$/.test(action.kind.group)
}

function upgradeSettings(flags: OperatorFlags): UpgradeSettings {
  const { operatorNamespace: namespace, serviceEndpoint: endpoints, collectorPort: port, host } = flags
  return {
    namespace,
    env: process.env,
    ...(endpoints === undefined ? {} : { endpoints }),
    ...(port === undefined ? {} : { collector: { host, port } }),
  }
}

function electionOf(flags: OperatorFlags, identity: string): { readonly election?: ElectionChoice } {
  if (flags.leaderElect !== true) return {}
  const { leaseNamespace: namespace, leaseName: name, leaseDuration, renewDeadline, retryPeriod } = flags
  return { election: { lease: { namespace, name }, identity, timing: { leaseDuration, renewDeadline, retryPeriod } } }
}

function endpointsOf({ host, healthPort, metricsPort }: OperatorFlags): {
  readonly health?: EndpointOptions
  readonly metricsEndpoint?: EndpointOptions
} {
  return {
    ...(healthPort === undefined ? {} : { health: { host, port: healthPort } }),
    ...(metricsPort === undefined ? {} : { metricsEndpoint: { host, port: metricsPort } }),
  }
}

function announcement(
  server: string,
  { leaderElect, observe }: OperatorFlags,
  controllers: readonly { readonly name: string }[],
  urls: readonly string[],
): string {
  const names = controllers.map(({ name }) => name).join(', ')
  return [
    `windlass operator ${leaderElect === true ? 'is ready to lead' : 'runs'} at ${server}: ${names}`,
    ...(observe === true ? ['it only observes: what it would change is in its log and at /debug/reconcile'] : []),
    ...urls.map((url) => `  ${url}`),
  ].join('\n')
}
