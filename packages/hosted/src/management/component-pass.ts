import { ControlPlaneComponent } from '@windlass/api'
import type { HostedControlPlane } from '@windlass/api'
import { isOvertaken } from '@windlass/kube'
import type { ReconcileContext } from '@windlass/kube'
import { reconcileComponents, registry } from '../components/index.ts'
import type { Component, ControlPlaneRelease, Hands, Observed, Pass } from '../components/index.ts'
import { factsOf, liveNamespace } from './namespace.ts'
import type { ServedKinds } from './served-kinds.ts'

export interface ComponentPassOptions {
  readonly components: readonly Component[]
  readonly controlPlane: HostedControlPlane
  readonly release: ControlPlaneRelease
  readonly served: ServedKinds
  readonly sign: Hands['sign']
}

/** Looks after components of a control plane, with the caches for eyes: they show what was written as soon as it is. */
export function runComponents(options: ComponentPassOptions, { cache, clock, act }: ReconcileContext): Promise<Pass> {
  const { components, controlPlane: hcp, release, served } = options
  const namespace = hcp.metadata.namespace ?? ''
  // Looked at again only after something was done: most passes do nothing, and there are many components.
  let seen: Observed | undefined
  const observe = (): Observed =>
    (seen ??= {
      hcp,
      release,
      registry,
      facts: factsOf(cache, served, namespace),
      components: cache.list(ControlPlaneComponent, { namespace }),
      namespace: liveNamespace(cache, served, namespace),
    })
  const hands: Hands = {
    act: (action) => {
      seen = undefined
      return act(action).finally(() => (seen = undefined))
    },
    sign: async (request) => {
      await options.sign(request)
      seen = undefined
    },
  }
  return reconcileComponents(components, observe, hands, () => clock.now())
}

/** Whether nothing but conflicts went wrong: the objects have changed meanwhile, and to look again is enough. */
export function isOnlyConflicts(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isOnlyConflicts)
  if (isOvertaken(error)) return true
  return error instanceof Error && error.cause !== undefined && isOnlyConflicts(error.cause)
}
