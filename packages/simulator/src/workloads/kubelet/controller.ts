import type { Pod } from '@windlass/api'
import type { ControllerDefinition } from '@windlass/kube'
import { namespaces, pods, watchingFailuresOf } from '../caches.ts'
import type { Settings } from '../settings.ts'
import { byNamespace, manyAtOnce } from '../tenancy.ts'
import { decideWith, type Observed } from './decide.ts'

export function kubeletController(settings: Settings): ControllerDefinition<Pod, Observed> {
  return {
    name: 'simulated-kubelets',
    for: pods,
    watches: [watchingFailuresOf(pods)],
    maxConcurrent: manyAtOnce,
    tenant: byNamespace,
    observe(ref, cache) {
      const pod = cache.get(pods, ref)
      return pod === undefined ? undefined : { pod, namespace: cache.get(namespaces, { name: ref.namespace ?? '' }) }
    },
    decide: decideWith(settings),
  }
}
