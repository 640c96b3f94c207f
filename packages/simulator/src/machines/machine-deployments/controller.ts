import { capi } from '@windlass/api'
import { changed, type ControllerDefinition, watching } from '@windlass/kube'
import { controlledBy, controllersOf, deployments, machines, sets } from '../caches.ts'
import { decide, type Observed } from './decide.ts'

/** Rolls machines from one template to the next. */
export const machineDeployments: ControllerDefinition<capi.MachineDeployment, Observed> = {
  name: 'simulated-machine-deployments',
  for: deployments,
  watches: [
    watching(sets, controllersOf(capi.MachineDeployment)),
    // Somebody has deleted a machine, or the last of it is gone: where that is how rollouts go, its set must not make another one.
    watching(
      machines,
      (machine, cache) =>
        controllersOf(capi.MachineSet)(machine).flatMap((ref) => {
          const set = cache.get(sets, ref)
          return set === undefined ? [] : controllersOf(capi.MachineDeployment)(set)
        }),
      changed(({ metadata }) => metadata.deletionTimestamp),
    ),
  ],
  maxConcurrent: 16,
  observe(ref, cache) {
    const deployment = cache.get(deployments, ref)
    if (deployment === undefined) return undefined
    const active = (set: capi.MachineSet): number =>
      controlledBy(cache, machines, set).filter(({ metadata }) => metadata.deletionTimestamp === undefined).length
    return { deployment, sets: controlledBy(cache, sets, deployment), active }
  },
  decide,
}
