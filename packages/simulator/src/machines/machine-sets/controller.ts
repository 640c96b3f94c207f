import { capi } from '@windlass/api'
import { annotationChanged, changed, type CacheReader, type ControllerDefinition, or, watching } from '@windlass/kube'
import { namesFor } from '../../workloads/pods/index.ts'
import { controlledBy, controllersOf, deployments, machines, sets, templateCache } from '../caches.ts'
import { templateHashOf } from '../machine-deployments/index.ts'
import type { Settings } from '../settings.ts'
import { Label } from '../wire.ts'
import { decide, missingOf, type Observed } from './decide.ts'

/** Makes and deletes machines until there are as many as were asked for. */
export function machineSets({ templates }: Settings): ControllerDefinition<capi.MachineSet, Observed> {
  const kinds = new Map(templates.map((kind) => [kind.kind, templateCache(kind)]))
  return {
    name: 'simulated-machine-sets',
    for: sets,
    watches: [
      watching(
        machines,
        controllersOf(capi.MachineSet),
        or(
          annotationChanged(),
          changed(({ metadata, spec, status }: capi.Machine) => [
            metadata.deletionTimestamp,
            metadata.labels,
            spec,
            status?.conditions?.map(({ type, status: state }) => [type, state]),
          ]),
        ),
      ),
      // What could not be made without its template is made when that is there.
      ...[...kinds.values()].map((of) =>
        watching(of, ({ metadata: { namespace = '' } }, cache) =>
          cache.list(sets, { namespace }).map(({ metadata: { name = '' } }) => ({ namespace, name })),
        ),
      ),
    ],
    reads: [deployments],
    maxConcurrent: 16,
    observe(ref, cache) {
      const set = cache.get(sets, ref)
      if (set === undefined) return undefined
      const owned = controlledBy(cache, machines, set)
      const isTaken = (name: string): boolean => cache.get(machines, { ...ref, name }) !== undefined
      const missing = isClosed(set, cache) ? 0 : missingOf(set, owned)
      return { set, machines: owned, names: namesFor(ref.name, missing, isTaken), missingTemplate: missingTemplateOf(set, cache) }
    },
    decide,
  }

  function missingTemplateOf(set: capi.MachineSet, cache: CacheReader): string | undefined {
    const { kind = '', name = '' } = set.spec.template?.spec?.infrastructureRef ?? {}
    const of = kinds.get(kind)
    const isThere =
      of === undefined || (set.spec.replicas ?? 0) === 0 || cache.get(of, { namespace: set.metadata.namespace ?? '', name }) !== undefined
    return isThere ? undefined : `${kind} ${name}, which machines are made from, is not there`
  }
}

/** An old set of a deployment that is rolled by deleting machines makes no more. */
function isClosed(set: capi.MachineSet, cache: CacheReader): boolean {
  const [owner] = controllersOf(capi.MachineDeployment)(set)
  const deployment = owner === undefined ? undefined : cache.get(deployments, owner)
  if (deployment?.spec.strategy?.type !== 'OnDelete') return false
  return set.metadata.labels?.[Label.templateHash] !== templateHashOf(deployment)
}
