import { ClusterVersion, UpgradeConfig } from '@windlass/api'
import type { AnyController, Client } from '@windlass/kube'
import type { CollectorView } from '@windlass/upgrades'
import { Failure } from '../failures.ts'
import { version } from '../version.ts'
import type { ControllerParts } from './controllers.ts'

/** How managed upgrades are run. */
export interface UpgradeSettings {
  /** Where the operator lives. */
  readonly namespace?: string
  /** `<namespace>/<service>` to a URL, instead of where the cluster says the service is. */
  readonly endpoints?: Readonly<Record<string, string>>
  /** Where what is derived from the UpgradeConfig is served apart from everything else; among all metrics unless told. */
  readonly collector?: { readonly host: string; readonly port: number }
  /** The environment of the process: proxies, and how it is run. */
  readonly env: Readonly<Record<string, string | undefined>>
}

const minute = 60_000

/**
 * The controllers of managed upgrades, with their metrics.
 *
 * Errors: a `Failure` for what is only for rehearsals, unless the operator is told that this is one.
 */
export async function makeUpgrades(parts: ControllerParts): Promise<readonly AnyController[]> {
  const { clock, random, log, metrics, simulatedSpeed = 1, observe = false, closing, running, upgrades = { env: {} } } = parts
  const { env, endpoints, namespace, collector } = upgrades
  const isLocal = env['OSDK_FORCE_RUN_MODE'] === 'local'
  if (!isLocal && simulatedSpeed !== 1) throw new Failure(forRehearsals('--simulated-speed'))
  if (!isLocal && endpoints !== undefined) throw new Failure(forRehearsals('--service-endpoint'))
  const { collectorRegistry, createOutside, defaultNamespace, exposeCollector, exposeGauges, GaugeBoard, upgradeControllers } =
    await import('@windlass/upgrades')
  const client = await parts.client()
  const userAgent = `managed-upgrade-operator/v${version} (${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch})`
  const outside = createOutside({
    client,
    clock,
    random,
    log,
    userAgent,
    env,
    ...(endpoints === undefined ? {} : { endpoints }),
    ...(isLocal && env['ROUTES'] === 'true' ? { usesRoutes: true } : {}),
  })
  closing?.(() => outside.close())
  const gauges = new GaugeBoard()
  const home = namespace ?? defaultNamespace
  if (metrics !== undefined) {
    const registry = await metrics.registry()
    await exposeGauges(gauges, registry)
    const view = (): Promise<CollectorView> => collectorView(client, home)
    if (collector === undefined) await exposeCollector(view, registry)
    else {
      const { collectorPort } = await import('./collector-port.ts')
      running?.(collectorPort({ ...collector, registry: await collectorRegistry(view) }))
    }
  }
  return upgradeControllers({ outside, random, gauges, namespace: home, minute: minute / simulatedSpeed, observes: observe })
}

function forRehearsals(flag: string): string {
  return `${flag} is for rehearsals: an operator of real upgrades goes by real minutes and by the services of its cluster. Set OSDK_FORCE_RUN_MODE=local if this is one`
}

/** What the collector goes by, read when somebody scrapes. */
export async function collectorView(client: Client, namespace: string): Promise<CollectorView> {
  const { upgradeConfigName } = await import('@windlass/upgrades')
  const [upgradeConfig, clusterVersion] = await Promise.all([
    asSeen(client.find(UpgradeConfig, { namespace, name: upgradeConfigName })),
    asSeen(client.get(ClusterVersion, { name: 'version' })),
  ])
  return { upgradeConfig, clusterVersion }
}

function asSeen<T>(reading: Promise<T>): Promise<{ readonly value: T } | { readonly problem: string }> {
  return reading.then(
    (value) => ({ value }),
    (error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }),
  )
}
