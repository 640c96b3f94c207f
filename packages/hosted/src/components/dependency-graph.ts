import { allDependenciesOf } from './registry-of.ts'
import { registry } from './registry.ts'

/**
 * Which of the components that are there each of them waits for, sorted. What is not there is not waited for; what the registry does not know waits for nothing that
 * could be named.
 */
export function dependenciesAmong(present: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const edges = new Map<string, readonly string[]>()
  for (const name of present) {
    const component = registry.get(name)
    const all = component === undefined ? [] : allDependenciesOf(component)
    edges.set(name, all.filter((each) => present.has(each)).toSorted())
  }
  return edges
}
