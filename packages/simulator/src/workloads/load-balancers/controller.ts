import { Service } from '@windlass/api'
import type { ControllerDefinition } from '@windlass/kube'
import { namespaces, watchingFailuresOf } from '../caches.ts'
import type { Settings } from '../settings.ts'
import { byNamespace, manyAtOnce } from '../tenancy.ts'
import { decideWith, type Observed } from './decide.ts'

export function loadBalancerController(settings: Settings): ControllerDefinition<Service, Observed> {
  return {
    name: 'simulated-load-balancers',
    for: Service,
    watches: [watchingFailuresOf(Service)],
    maxConcurrent: manyAtOnce,
    tenant: byNamespace,
    observe(ref, cache) {
      const service = cache.get(Service, ref)
      return service === undefined ? undefined : { service, namespace: cache.get(namespaces, { name: ref.namespace ?? '' }) }
    },
    decide: decideWith(settings),
  }
}
