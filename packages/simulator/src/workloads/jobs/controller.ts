import { Job, type Pod } from '@windlass/api'
import { changed, type ControllerDefinition, or, watching } from '@windlass/kube'
import { controlledBy, controllersOf, isGoing, jobs, namespaces, nodes, podCountsOtherwise, pods } from '../caches.ts'
import { birthplace } from '../placement.ts'
import { namesFor, restartsOf } from '../pods/index.ts'
import type { Settings } from '../settings.ts'
import { byNamespace, manyAtOnce } from '../tenancy.ts'
import { decideWith, type Observed } from './decide.ts'

export function jobController(settings: Settings): ControllerDefinition<Job, Observed> {
  return {
    name: 'simulated-jobs',
    for: jobs,
    watches: [watching(pods, controllersOf(Job), or(podCountsOtherwise, changed<Pod>(restartsOf)))],
    reads: [namespaces, nodes],
    maxConcurrent: manyAtOnce,
    tenant: byNamespace,
    observe(ref, cache) {
      const job = cache.get(jobs, ref)
      if (job === undefined || isGoing(cache, ref)) return undefined
      const isTaken = (name: string): boolean => cache.get(pods, { ...ref, name }) !== undefined
      return {
        job,
        pods: controlledBy(cache, pods, job),
        names: namesFor(ref.name, job.spec.parallelism ?? 1, isTaken),
        node: birthplace(cache, settings),
      }
    },
    decide: decideWith(settings.profile),
  }
}
