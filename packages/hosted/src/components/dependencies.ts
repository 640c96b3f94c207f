import type { ControlPlaneComponent, HostedControlPlane } from '@windlass/api'
import { isTrue } from '@windlass/core'
import type { Component } from './component.ts'
import { hasManagedEtcd } from './control-plane.ts'
import type { Facts } from './control-plane.ts'
import { allDependenciesOf } from './registry-of.ts'
import type { Registry } from './registry-of.ts'

/**
 * What a component waits for in this control plane, sorted.
 *
 * A component that does not run here is not waited for: it would never come. One of which it cannot be told yet is.
 */
export function dependenciesOf(component: Component, hcp: HostedControlPlane, facts: Facts, registry: Registry): readonly string[] {
  return allDependenciesOf(component)
    .filter((name) => hasManagedEtcd(hcp) || name !== 'etcd')
    .filter((name) => mayRun(registry.get(name), hcp, facts))
    .toSorted()
}

function mayRun(component: Component | undefined, hcp: HostedControlPlane, facts: Facts): boolean {
  if (component === undefined) return true
  try {
    return component.isEnabled(hcp, facts)
  } catch {
    return true
  }
}

/** A dependency is satisfied when it is available and has finished rolling out this very version. */
export function isSatisfied(component: ControlPlaneComponent | undefined, version: string): boolean {
  const status = component?.status
  return isTrue(status?.conditions, 'Available') && isTrue(status?.conditions, 'RolloutComplete') && status?.version === version
}

/** Those that are not satisfied yet, in the order given. */
export function unavailableOf(
  dependencies: readonly string[],
  components: readonly ControlPlaneComponent[],
  version: string,
): readonly string[] {
  if (dependencies.length === 0) return []
  return dependencies.filter(
    (name) =>
      !isSatisfied(
        components.find((component) => component.metadata.name === name),
        version,
      ),
  )
}
