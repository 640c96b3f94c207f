import type { AnyController } from '@windlass/kube'
import { Failure } from '../failures.ts'

/** Every controller there is, by the name that `--controllers` takes. Loaded when asked for: most commands need none. */
const controllers: Readonly<Record<string, () => Promise<AnyController>>> = {
  'logical-cluster-status': async () => (await import('../controllers/logical-cluster-status/index.ts')).logicalClusterStatus,
}

export const controllerNames: readonly string[] = Object.keys(controllers)

/** The controllers of these names; all of them without names. */
export function chooseControllers(names: readonly string[] = controllerNames): Promise<readonly AnyController[]> {
  return Promise.all(
    [...new Set(names)].map((name) => {
      const load = Object.hasOwn(controllers, name) ? controllers[name] : undefined
      if (load !== undefined) return load()
      throw new Failure(`there is no controller ${name}: choose from ${controllerNames.join(', ')}`)
    }),
  )
}
