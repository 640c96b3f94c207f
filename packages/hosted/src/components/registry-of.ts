import { isEtcd } from './component.ts'
import type { Component } from './component.ts'

/** Components by name, in their order. */
export interface Registry {
  readonly components: readonly Component[]
  get(name: string): Component | undefined
}

/** Thrown while the program starts when rows of the registry contradict each other: nothing could be trusted then. */
export class RegistryError extends Error {
  constructor(message: string) {
    super(`component registry: ${message}`)
    this.name = 'RegistryError'
  }
}

/**
 * # Errors
 *
 * A `RegistryError` for two components of one name, for a dependency that is no component, and for components that wait for each
 * other in a circle.
 */
export function registryOf(components: readonly Component[]): Registry {
  const byName = new Map<string, Component>()
  for (const component of components) {
    if (byName.has(component.name)) throw new RegistryError(`there are two components named ${component.name}; give each a name of its own`)
    byName.set(component.name, component)
  }
  for (const { name, dependsOn } of components) {
    const unknown = dependsOn.find((dependency) => !byName.has(dependency))
    if (unknown !== undefined)
      throw new RegistryError(`${name} depends on ${unknown}, which is no component; add its row or drop the dependency`)
  }
  const circle = findCircle(components)
  if (circle !== undefined) throw new RegistryError(`${circle.join(' waits for ')}: none of them would ever start`)
  return { components, get: (name) => byName.get(name) }
}

/** What a component waits for at most, whatever the control plane: what it says, and kube-apiserver unless exempt. */
export function allDependenciesOf({ name, dependsOn, isExempt }: Component): readonly string[] {
  const all = new Set(dependsOn)
  if (!isExempt && !isEtcd(name)) all.add('kube-apiserver')
  all.delete(name)
  return [...all]
}

function findCircle(components: readonly Component[]): readonly string[] | undefined {
  const waitsFor = new Map(components.map((component) => [component.name, allDependenciesOf(component)]))
  const harmless = new Set<string>()
  const follow = (name: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (harmless.has(name)) return undefined
    for (const next of waitsFor.get(name) ?? []) {
      const circle = follow(next, [...path, name])
      if (circle !== undefined) return circle
    }
    harmless.add(name)
    return undefined
  }
  for (const { name } of components) {
    const circle = follow(name, [])
    if (circle !== undefined) return circle
  }
  return undefined
}
