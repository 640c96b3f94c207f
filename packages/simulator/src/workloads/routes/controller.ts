import { Route } from '@windlass/api'
import type { ControllerDefinition } from '@windlass/kube'
import { namespaces, watchingFailuresOf } from '../caches.ts'
import type { Settings } from '../settings.ts'
import { byNamespace, manyAtOnce } from '../tenancy.ts'
import { decideWith, type Observed } from './decide.ts'

export function routeController(settings: Settings): ControllerDefinition<Route, Observed> {
  return {
    name: 'simulated-routers',
    for: Route,
    watches: [watchingFailuresOf(Route)],
    maxConcurrent: manyAtOnce,
    tenant: byNamespace,
    observe(ref, cache) {
      const route = cache.get(Route, ref)
      return route === undefined ? undefined : { route, namespace: cache.get(namespaces, { name: ref.namespace ?? '' }) }
    },
    decide: decideWith(settings),
  }
}
