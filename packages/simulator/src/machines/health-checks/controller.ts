import { capi } from '@windlass/api'
import { changed, type CacheReader, type ControllerDefinition, refOf, watching } from '@windlass/kube'
import { controllersOf, deployments, healthChecks, machines, sets } from '../caches.ts'
import { templateHashOf } from '../machine-deployments/index.ts'
import { Label } from '../wire.ts'
import { decide, type Observed } from './decide.ts'

/** Has machines replaced that do not work. */
export const machineHealthChecks: ControllerDefinition<capi.MachineHealthCheck, Observed> = {
  name: 'simulated-machine-health-checks',
  for: healthChecks,
  watches: [
    watching(
      machines,
      (machine, cache) =>
        cache
          .list(healthChecks, { namespace: machine.metadata.namespace ?? '' })
          .filter((check) => isWatched(check, machine))
          .map(refOf),
      changed(({ metadata, status }) => [metadata.deletionTimestamp, metadata.labels, status?.nodeRef, status?.conditions]),
    ),
  ],
  reads: [sets, deployments],
  maxConcurrent: 16,
  observe(ref, cache) {
    const check = cache.get(healthChecks, ref)
    if (check === undefined) return undefined
    const watched = cache.list(machines, { namespace: ref.namespace ?? '' }).filter((machine) => isWatched(check, machine))
    const byName = watched.toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
    return { check, machines: byName, isCurrent: (machine) => isCurrent(machine, cache) }
  },
  decide,
}

function isWatched({ spec }: capi.MachineHealthCheck, { metadata: { labels = {} } }: capi.Machine): boolean {
  return Object.entries(spec.selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value)
}

function isCurrent(machine: capi.Machine, cache: CacheReader): boolean {
  const [setRef] = controllersOf(capi.MachineSet)(machine)
  const set = setRef === undefined ? undefined : cache.get(sets, setRef)
  const [owner] = set === undefined ? [] : controllersOf(capi.MachineDeployment)(set)
  const deployment = owner === undefined ? undefined : cache.get(deployments, owner)
  return set !== undefined && (deployment === undefined || set.metadata.labels?.[Label.templateHash] === templateHashOf(deployment))
}
