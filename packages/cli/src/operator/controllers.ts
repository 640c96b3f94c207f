import { readFileSync } from 'node:fs'
import type { Clock, Random } from '@windlass/core'
import type { Catalogue, HostedControllersOptions, IgnitionService, NodePoolSettings, ReleaseResolver } from '@windlass/hosted'
import type { InsightMode } from '@windlass/insights'
import type { AnyController, Client, Log, Metrics, Runnable } from '@windlass/kube'
import { Failure, fileProblem } from '../failures.ts'
import { version } from '../version.ts'
import type { HostedSettings } from './hosted-settings.ts'
import { askingRegistries, type RegistrySettings } from './registries.ts'
import type { UpgradeSettings } from './upgrades.ts'

/** What controllers are made with. */
export interface ControllerParts {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Connects to the cluster, the first time that it is asked for. Some controllers want to know what the cluster is like before they are made. */
  readonly client: () => Promise<Client>
  /** A file of releases, instead of registries; `sample` for the one that comes with Windlass. */
  readonly releaseCatalogue?: string
  /** How registries are reached. */
  readonly registries?: RegistrySettings
  /** Instead of either. */
  readonly releases?: ReleaseResolver
  /** From the kubeconfig of a guest to a client for it; over the network unless told. */
  readonly connect?: HostedControllersOptions['connect']
  /** How names are looked up; by DNS unless told. */
  readonly resolveName?: HostedControllersOptions['resolveName']
  /** What can be chosen about hosted clusters and their pools. */
  readonly hosted?: HostedSettings
  /** Where the ingress of the management cluster is, if it does not say so itself. */
  readonly ingressDomain?: string
  /** What machines of node pools ask for their configuration, where somebody serves them. */
  readonly ignition?: IgnitionService
  /** PEM of what machines are told to trust, where we tell them. */
  readonly ignitionAuthority?: string
  /** Somebody else looks after everything. What is written into guests is not held back otherwise. */
  readonly observe?: boolean
  /** How much insights say; `extended` unless told. */
  readonly insightMode?: InsightMode
  /** How much faster than a real cluster this one is, where it is simulated. */
  readonly simulatedSpeed?: number
  /** Where controllers put metrics of their own; none are counted without it. */
  readonly metrics?: Pick<Metrics, 'add' | 'registry'>
  /** How managed upgrades are run. */
  readonly upgrades?: UpgradeSettings
  /** Called with what is to run beside the controllers. */
  readonly running?: (runnable: Runnable) => void
  /** Called with what is to be closed when everything has ended. */
  readonly closing?: (close: () => Promise<void>) => void
}

type Make = (parts: ControllerParts) => Promise<AnyController>

/** Every controller there is, by the name that `--controllers` takes. Loaded when asked for: most commands need none. */
const controllers: Readonly<Record<string, Make>> = {
  'logical-cluster-status': async () => (await import('../controllers/logical-cluster-status/index.ts')).logicalClusterStatus,
  'control-plane-version': async (parts) => {
    const { controlPlaneVersion } = await import('@windlass/hosted')
    return controlPlaneVersion(await releasesOf(parts))
  },
  'hosted-cluster': (parts) => hosted('hosted-cluster', parts),
  'hosted-control-plane': (parts) => hosted('hosted-control-plane', parts),
  'status-bridge': (parts) => hosted('status-bridge', parts),
  'node-pool': (parts) => nodePools('node-pool', parts),
  'node-pool-janitor': (parts) => nodePools('node-pool-janitor', parts),
  token: (parts) => nodePools('token', parts),
  'in-place-upgrader': (parts) => nodePools('in-place-upgrader', parts),
  'node-drainer': (parts) => nodePools('node-drainer', parts),
  'node-metadata': (parts) => nodePools('node-metadata', parts),
  'cluster-version-insight': (parts) => insights('cluster-version-insight', parts),
  'cluster-operator-insight': (parts) => insights('cluster-operator-insight', parts),
  'machine-config-pool-insight': (parts) => insights('machine-config-pool-insight', parts),
  'node-insight': (parts) => insights('node-insight', parts),
  'upgrade-config': (parts) => upgrades('upgrade-config', parts),
  'node-keeper': (parts) => upgrades('node-keeper', parts),
  'machine-config-pool': (parts) => upgrades('machine-config-pool', parts),
  'upgrade-config-manager': (parts) => upgrades('upgrade-config-manager', parts),
}

export const controllerNames: readonly string[] = Object.keys(controllers)

/** All that it takes to run node pools. */
export const nodePoolControllerNames: readonly string[] = [
  'node-pool',
  'node-pool-janitor',
  'token',
  'in-place-upgrader',
  'node-drainer',
  'node-metadata',
]

/** Does a part of what another one does, for clusters that somebody else runs. */
const alone = { name: 'control-plane-version', partOf: 'hosted-control-plane' }

/** All that it takes to run managed upgrades of a cluster. */
export const upgradeControllerNames: readonly string[] = ['upgrade-config', 'node-keeper', 'machine-config-pool', 'upgrade-config-manager']

/** Node pools need Cluster API, which not every management cluster has, and insights and managed upgrades a cluster that updates itself. */
const onRequest: ReadonlySet<string> = new Set([
  alone.name,
  ...nodePoolControllerNames,
  'cluster-version-insight',
  'cluster-operator-insight',
  'machine-config-pool-insight',
  'node-insight',
  ...upgradeControllerNames,
])

/** What runs unless told. */
export const usualControllers: readonly string[] = controllerNames.filter((name) => !onRequest.has(name))

/**
 * The controllers of these names; the usual ones without names.
 *
 * Errors: a `Failure` for a name that there is not, and for names that exclude each other, before anything is loaded.
 */
export async function chooseControllers(
  parts: ControllerParts,
  names: readonly string[] = usualControllers,
): Promise<readonly AnyController[]> {
  const makes = [...new Set(names)].map((name) => {
    const make = Object.hasOwn(controllers, name) ? controllers[name] : undefined
    if (make === undefined) throw new Failure(`there is no controller ${name}: choose from ${controllerNames.join(', ')}`)
    return make
  })
  if (names.includes(alone.name) && names.includes(alone.partOf)) {
    throw new Failure(
      `${alone.partOf} does what ${alone.name} does, and both would write the same field: choose ${alone.name} where another operator runs the control planes, and ${alone.partOf} where this one does`,
    )
  }
  const made: AnyController[] = []
  for (const make of makes) made.push(await make(parts))
  return made
}

/** The controllers of hosted clusters share what they know of the cluster and of releases. */
const shared = new WeakMap<ControllerParts, Promise<readonly AnyController[]>>()

async function hosted(name: string, parts: ControllerParts): Promise<AnyController> {
  const making = shared.get(parts) ?? makeHosted(parts)
  shared.set(parts, making)
  const found = (await making).find((controller) => controller.name === name)
  if (found === undefined) throw new Error(`there is no controller ${name} for hosted clusters`)
  return found
}

async function makeHosted(parts: ControllerParts): Promise<readonly AnyController[]> {
  const { clock, random, log, ingressDomain, ignitionAuthority, registries, hosted: chosen } = parts
  const [{ discoverKinds, discoverManagementCluster, hostedControllers, logicalClusterGuests, overriding }, { connector }, dns] =
    await Promise.all([import('@windlass/hosted'), import('@windlass/kube'), import('node:dns/promises')])
  const releases = await releasesOf(parts)
  const client = await parts.client()
  return hostedControllers({
    releases: overriding(releases, registries?.overrides ?? new Map()),
    guests: logicalClusterGuests({ template: 'root' }),
    connect: parts.connect ?? connector({ clock, random, log, userAgent: `windlass/${version}`, fieldManager: 'windlass' }),
    served: await discoverKinds(client),
    management: await discoverManagementCluster(client, {
      ...chosen?.management,
      ...(ingressDomain === undefined ? {} : { ingressDomain }),
    }),
    resolveName: parts.resolveName ?? ((hostname) => dns.lookup(hostname)),
    ...(ignitionAuthority === undefined ? {} : { ignitionAuthority }),
    ...(chosen?.onlyRelease === undefined ? {} : { onlyRelease: chosen.onlyRelease }),
    ...(chosen?.scope === undefined ? {} : { scope: chosen.scope }),
  })
}

const sharedPools = new WeakMap<ControllerParts, Promise<readonly AnyController[]>>()

/** Those of node pools share their guests, and the payloads that machines get. */
async function nodePools(name: string, parts: ControllerParts): Promise<AnyController> {
  const making = sharedPools.get(parts) ?? makeNodePools(parts)
  sharedPools.set(parts, making)
  const found = (await making).find((controller) => controller.name === name)
  if (found === undefined) throw new Error(`there is no controller ${name} for node pools`)
  return found
}

async function makeNodePools(parts: ControllerParts): Promise<readonly AnyController[]> {
  const { clock, random, log, ignition, metrics } = parts
  const [{ defaultSettings, discoverTemplateKinds, nodePoolControllers, nodePoolMetrics }, { connector }, dns] = await Promise.all([
    import('@windlass/hosted'),
    import('@windlass/kube'),
    import('node:dns/promises'),
  ])
  const settings = poolSettings(defaultSettings, parts)
  return nodePoolControllers({
    releases: await releasesOf(parts),
    templates: await discoverTemplateKinds(await parts.client()),
    connect: parts.connect ?? connector({ clock, random, log, userAgent: `windlass/${version}`, fieldManager: 'windlass' }),
    resolveName: parts.resolveName ?? ((hostname) => dns.lookup(hostname)),
    settings,
    ...(ignition === undefined ? {} : { ignition }),
    ...(metrics === undefined ? {} : { metrics: await nodePoolMetrics(clock, metrics, settings.skew) }),
  })
}

function poolSettings(usual: NodePoolSettings, { observe = false, hosted: chosen }: ControllerParts): NodePoolSettings {
  const { mode = usual.mode, policy = usual.skew.policy, source = usual.skew.source } = chosen?.nodePools ?? {}
  return { mode: observe ? 'Observe' : mode, skew: { policy, source }, scope: chosen?.scope }
}

const sharedInsights = new WeakMap<ControllerParts, Promise<readonly AnyController[]>>()

/** Those of insights share what they know of nodes. */
async function insights(name: string, parts: ControllerParts): Promise<AnyController> {
  const making = sharedInsights.get(parts) ?? makeInsights(parts)
  sharedInsights.set(parts, making)
  const found = (await making).find((controller) => controller.name === name)
  if (found === undefined) throw new Error(`there is no controller ${name} for insights`)
  return found
}

async function makeInsights({ clock, metrics, insightMode, simulatedSpeed }: ControllerParts): Promise<readonly AnyController[]> {
  const { insightControllers, nodeStateMetrics } = await import('@windlass/insights')
  return insightControllers({
    ...(insightMode === undefined ? {} : { mode: insightMode }),
    ...(simulatedSpeed === undefined ? {} : { speed: simulatedSpeed }),
    ...(metrics === undefined ? {} : { metrics: await nodeStateMetrics(clock, await metrics.registry()) }),
  })
}

const sharedUpgrades = new WeakMap<ControllerParts, Promise<readonly AnyController[]>>()

/** Those of managed upgrades share what is outside of the cluster, and their gauges. */
async function upgrades(name: string, parts: ControllerParts): Promise<AnyController> {
  const making = sharedUpgrades.get(parts) ?? import('./upgrades.ts').then(({ makeUpgrades }) => makeUpgrades(parts))
  sharedUpgrades.set(parts, making)
  const found = (await making).find((controller) => controller.name === name)
  if (found === undefined) throw new Error(`there is no controller ${name} for managed upgrades`)
  return found
}

type ReleaseParts = Pick<ControllerParts, 'clock' | 'random' | 'releases' | 'releaseCatalogue' | 'registries' | 'closing'> & {
  readonly log?: Log
}

const sharedReleases = new WeakMap<ReleaseParts, Promise<ReleaseResolver>>()

/** Where releases are looked up: one place for all controllers, so that what one has found the others know. */
export function releasesOf(parts: ReleaseParts): Promise<ReleaseResolver> {
  const making = sharedReleases.get(parts) ?? makeReleases(parts)
  sharedReleases.set(parts, making)
  return making
}

async function makeReleases(parts: ReleaseParts): Promise<ReleaseResolver> {
  const { releases, releaseCatalogue, registries = {}, closing } = parts
  if (releases !== undefined) return releases
  if (releaseCatalogue !== undefined) {
    const { catalogueResolver } = await import('@windlass/hosted')
    return catalogueResolver(await catalogueOf(releaseCatalogue))
  }
  const asking = await askingRegistries(registries, parts)
  closing?.(() => asking.close())
  return asking
}

/** The releases of a file; `sample` for the one that comes with Windlass. */
export async function catalogueOf(releaseCatalogue: string): Promise<Catalogue> {
  const { parseCatalogue, sampleCatalogue } = await import('@windlass/hosted')
  return releaseCatalogue === 'sample' ? sampleCatalogue() : parseCatalogue(readText(releaseCatalogue), releaseCatalogue)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`the release catalogue ${file} cannot be read: ${fileProblem(error)}`, { cause: error })
  }
}
