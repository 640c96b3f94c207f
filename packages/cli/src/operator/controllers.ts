import { readFileSync } from 'node:fs'
import type { Clock, Random } from '@windlass/core'
import type { AnyController, Client, Log } from '@windlass/kube'
import { Failure, fileProblem } from '../failures.ts'
import { version } from '../version.ts'

/** What controllers are made with. */
export interface ControllerParts {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Connects to the cluster, the first time that it is asked for. Some controllers want to know what the cluster is like before they are made. */
  readonly client: () => Promise<Client>
  /** A file of releases, instead of registries. */
  readonly releaseCatalogue?: string
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
}

export const controllerNames: readonly string[] = Object.keys(controllers)

/** Does a part of what another one does, for clusters that somebody else runs. */
const alone = { name: 'control-plane-version', partOf: 'hosted-control-plane' }

/** What runs unless told. */
export const usualControllers: readonly string[] = controllerNames.filter((name) => name !== alone.name)

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
  const { clock, random, log } = parts
  const [{ discoverKinds, discoverManagementCluster, hostedControllers, logicalClusterGuests }, { connector }, dns] = await Promise.all([
    import('@windlass/hosted'),
    import('@windlass/kube'),
    import('node:dns/promises'),
  ])
  const releases = await releasesOf(parts)
  const client = await parts.client()
  return hostedControllers({
    releases,
    guests: logicalClusterGuests({ template: 'root' }),
    connect: connector({ clock, random, log, userAgent: `windlass/${version}`, fieldManager: 'windlass' }),
    served: await discoverKinds(client),
    management: await discoverManagementCluster(client),
    resolveName: (hostname) => dns.lookup(hostname),
  })
}

async function releasesOf({ clock, random, releaseCatalogue }: ControllerParts) {
  const { catalogueResolver, parseCatalogue, registryResolver } = await import('@windlass/hosted')
  if (releaseCatalogue === undefined) return registryResolver({ clock, random })
  return catalogueResolver(parseCatalogue(readText(releaseCatalogue), releaseCatalogue))
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`the release catalogue ${file} cannot be read: ${fileProblem(error)}`, { cause: error })
  }
}
