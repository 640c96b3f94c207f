import { readFileSync } from 'node:fs'
import type { Clock, Random } from '@windlass/core'
import type { AnyController } from '@windlass/kube'
import { Failure, fileProblem } from '../failures.ts'

/** What controllers are made with. */
export interface ControllerParts {
  readonly clock: Clock
  readonly random: Random
  /** A file of releases, instead of registries. */
  readonly releaseCatalogue?: string
}

type Make = (parts: ControllerParts) => Promise<AnyController>

/** Every controller there is, by the name that `--controllers` takes. Loaded when asked for: most commands need none. */
const controllers: Readonly<Record<string, Make>> = {
  'logical-cluster-status': async () => (await import('../controllers/logical-cluster-status/index.ts')).logicalClusterStatus,
  'control-plane-version': async ({ clock, random, releaseCatalogue }) => {
    const { catalogueResolver, controlPlaneVersion, parseCatalogue, registryResolver } = await import('@windlass/hosted')
    if (releaseCatalogue === undefined) return controlPlaneVersion(registryResolver({ clock, random }))
    return controlPlaneVersion(catalogueResolver(parseCatalogue(readText(releaseCatalogue), releaseCatalogue)))
  },
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`the release catalogue ${file} cannot be read: ${fileProblem(error)}`, { cause: error })
  }
}

export const controllerNames: readonly string[] = Object.keys(controllers)

/**
 * The controllers of these names; all of them without names.
 *
 * Errors: a `Failure` for a name that there is not, before anything is loaded.
 */
export async function chooseControllers(
  parts: ControllerParts,
  names: readonly string[] = controllerNames,
): Promise<readonly AnyController[]> {
  const chosen = [...new Set(names)].map((name) => {
    const make = Object.hasOwn(controllers, name) ? controllers[name] : undefined
    if (make === undefined) throw new Failure(`there is no controller ${name}: choose from ${controllerNames.join(', ')}`)
    return make
  })
  return Promise.all(chosen.map((make) => make(parts)))
}
